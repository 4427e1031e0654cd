// Which dropped files are source code: known before the wasm is there, which says more of languages.

/** Endings without the dot, in small letters: those of crate/src/outline/language.rs. */
const ENDINGS = new Set(`
  c
  cc cpp cxx c++ cp h hh hpp hxx h++ inl ipp tcc tpp cu cuh hip cl m mm
  f for ftn f77 fpp f90 f95 f03 f08 f18 cuf fi fh h90 inc
  py pyx pxd pyw
  rs
  jl
  go
  java
  js mjs ts
  s asm nasm
  kt scala swift d zig nim lua r pl rb cs hs ml ada adb ads pas chpl v cr vala
`.trim().split(/\s+/));

/** Whether a file of this name is source code. */
export function isSource(name: string): boolean {
  return ENDINGS.has(/\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '');
}
