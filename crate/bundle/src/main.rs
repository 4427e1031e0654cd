//! Turns the compiled wasm into what the page loads: the module `tracefold.js` and, beside it,
//! `tracefold_bg.wasm` without the names of its functions.

use std::env;

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [wasm, folder] = arguments.as_slice() else {
        bail!("usage: bundle IN.wasm OUTDIR");
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .out_name("tracefold")
        // Else `init()` would have to be told where the wasm lies.
        .omit_default_module_path(false)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)?
        .generate(folder)
        .with_context(|| format!("{} cannot be bundled", wasm.display()))
}
