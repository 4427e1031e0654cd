/** Names of the files in `static/`; the build writes them in. */
declare const STATIC_FILES: string[];
