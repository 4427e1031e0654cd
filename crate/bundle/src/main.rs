//! Turns compiled wasm into what the page loads: the module `NAME.js` and, beside it, `NAME_bg.wasm`
//! without the names of its functions; and `NAME.d.ts`, the types of all that crosses the boundary.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [wasm, folder, name] = arguments.as_slice() else {
        bail!("usage: bundle IN.wasm OUTDIR NAME");
    };
    let name = name.to_str().context("NAME is no text")?;
    let mut bindgen = Bindgen::new();
    let mut output = bindgen
        .input_path(wasm)
        .out_name(name)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)?
        .generate_output()
        .with_context(|| format!("{} cannot be bundled", wasm.display()))?;

    // Names of imports end in 16 digits of a hash, twice: in the wasm and in the module. Without
    // them the two are 1.9 kB smaller (gzipped).
    let mut shorter = BTreeMap::new();
    for import in output.wasm_mut().imports.iter_mut() {
        let short = format!("{}{}", letters(&import.name), shorter.len());
        shorter.insert(std::mem::replace(&mut import.name, short.clone()), short);
    }
    output.emit(folder)?;
    let module = Path::new(folder).join(format!("{name}.js"));
    let mut text = fs::read_to_string(&module)?;
    for (name, short) in shorter {
        text = text.replace(&name, &short);
    }
    fs::write(&module, text).with_context(|| format!("{} cannot be written", module.display()))
}

/// What a name begins with, enough for a person who reads the module.
fn letters(name: &str) -> String {
    let known = name.trim_start_matches("__wbg_").trim_start_matches("__wbindgen_");
    known.chars().take_while(char::is_ascii_alphabetic).take(6).collect()
}
