//! Turns compiled wasm into what the page loads: the module `NAME.js` and, beside it, `NAME_bg.wasm`;
//! and `NAME.d.ts`, the types of all that crosses the boundary. With `LATER=PATH`, what only the
//! functions below paths of Rust need becomes `NAME_LATER.wasm`, see [`later`].

mod later;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;

use anyhow::Context;
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: bundle IN.wasm OUTDIR NAME [LATER=PATH,...]...";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let ([wasm, folder, name], parts) = arguments.split_first_chunk().context(USAGE)?;
    let name = name.to_str().context("NAME is no text")?;
    let mut bindgen = Bindgen::new();
    let mut output = bindgen
        .input_path(wasm)
        .out_name(name)
        .typescript(true)
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
    // A fresh checkout has no such folder yet.
    fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made", Path::new(folder).display()))?;
    for part in parts {
        let (later, path) = part.to_str().and_then(|part| part.split_once('=')).context(USAGE)?;
        let paths = path.split(',').collect::<Vec<_>>();
        let (first, mut second) = later::divide(output.wasm_mut(), &paths)?;
        *output.wasm_mut() = first;
        second.emit_wasm_file(Path::new(folder).join(format!("{name}_{later}.wasm")))?;
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
