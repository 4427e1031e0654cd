/** Sizes in bytes of the files in `static/`, by name; the build writes them in. */
declare const STATIC_FILES: Record<string, number>;
