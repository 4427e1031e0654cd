// Which names are source code, and in which language.

/**
 * @typedef {'c' | 'cpp' | 'fortran' | 'indentation' | 'none'} Outline how loops and routines are found
 * @typedef {Object} Language
 * @property {Outline} outline
 * @property {string | null} colours name that the highlighter has for it
 * @property {RegExp} comment a line that is nothing but a comment
 */

const SLASHES = /^\s*(\/\/|\/\*|\*(\s|\/|$))/;
const HASH = /^\s*#/;

/** @type {(outline: Outline, colours: string | null, comment: RegExp) => Language} */
const language = (outline, colours, comment) => ({ outline, colours, comment });

const C = language('c', 'c', SLASHES);
const CPP = language('cpp', 'cpp', SLASHES);
const FORTRAN = language('fortran', 'fortran', /^(\s*!|[c*]\b)/i);
const PLAIN = language('indentation', null, /^\s*(\/\/|\/\*|\*(\s|\/|$)|#|--|;|%|!)/);

/** @type {[Language, string][]} endings without the dot, in small letters */
const ENDINGS = [
  [C, 'c'],
  [CPP, 'cc cpp cxx c++ cp h hh hpp hxx h++ inl ipp tcc tpp cu cuh hip cl m mm'],
  [FORTRAN, 'f for ftn f77 fpp f90 f95 f03 f08 f18 cuf fi fh h90 inc'],
  [language('indentation', 'python', HASH), 'py pyx pxd pyw'],
  [language('indentation', 'rust', SLASHES), 'rs'],
  [language('indentation', 'julia', HASH), 'jl'],
  [language('indentation', 'go', SLASHES), 'go'],
  [language('indentation', 'java', SLASHES), 'java'],
  [language('indentation', 'javascript', SLASHES), 'js mjs ts'],
  [language('none', 'x86asm', /^\s*(#|;|\/\/|\/\*|\*(\s|\/|$))/), 's asm nasm'],
  [PLAIN, 'kt scala swift d zig nim lua r pl rb cs hs ml ada adb ads pas chpl v cr vala'],
];

const BY_ENDING = new Map(ENDINGS.flatMap(([language, endings]) => endings.split(' ').map((ending) => /** @type {const} */ ([ending, language]))));

/**
 * The language of a file by its ending; what is not known is read by indentation.
 * @param {string} name
 * @returns {Language}
 */
export function languageOf(name) {
  if (/\.C$/.test(name)) return CPP;
  return BY_ENDING.get(endingOf(name)) ?? PLAIN;
}

/**
 * Whether a dropped file of this name is source code.
 * @param {string} name
 */
export function isSource(name) {
  return BY_ENDING.has(endingOf(name));
}

/** @param {string} name */
function endingOf(name) {
  return /\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '';
}
