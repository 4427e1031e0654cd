// What is used of the packages that the build puts into the pane of source code.

declare module 'web-tree-sitter' {
  export class Language {
    static load(bytes: Uint8Array): Promise<Language>;
  }
  export class Parser {
    static init(options: { wasmBinary: ArrayBuffer }): Promise<void>;
    setLanguage(language: Language): this;
    parse(text: string, before: null, options: { progressCallback: () => boolean }): { rootNode: any; delete(): void } | null;
    delete(): void;
  }
}

declare module 'lowlight' {
  type Text = { type: 'text'; value: string };
  type Element = { type: 'element'; properties: { className?: unknown }; children: (Text | Element)[] };
  export function createLowlight(grammars: Record<string, unknown>): {
    highlight(language: string, text: string): { children: (Text | Element)[] };
  };
}

declare module 'highlight.js/lib/languages/*' {
  const grammar: unknown;
  export default grammar;
}
