//! The architecture, checked on the source text: `ARCHITECTURE.md` says who may import whom and
//! what is absent.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest source file, tests left out.
const LONGEST_FILE: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rows of the table "Modules": module to those it may import.
fn table() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter_map(|line| {
        let cells = line.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>();
        let [module, _, may_import, _] = cells.as_slice() else { return None };
        let module = module.strip_prefix('`')?.strip_suffix('`')?;
        let imports = match *may_import {
            "everything" => vec!["everything".to_owned()],
            listed => listed.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
        };
        Some((module.to_owned(), imports))
    });
    rows.collect()
}

/// Every Rust file below `folder` with its text, tests cut off.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
            found.push((path, text));
        }
    }
    found.sort();
    found
}

fn module_of(path: &Path) -> Option<String> {
    let source = root().join("crate/src");
    let inside = path.strip_prefix(source).ok()?;
    let first = inside.components().next()?.as_os_str().to_string_lossy().into_owned();
    Some(first.trim_end_matches(".rs").to_owned())
}

/// Code without comments, line by line.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// Names of modules after `crate::`, braced lists included.
fn imports(text: &str) -> Vec<String> {
    let code = code(text).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let heads = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![rest],
        };
        for head in heads {
            let name = head.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_');
            found.push(name.collect::<String>());
        }
    }
    found.retain(|name| name.starts_with(char::is_lowercase));
    found
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let table = table();
    let mut broken = Vec::new();
    for (path, text) in sources(&root().join("crate/src")) {
        let Some(module) = module_of(&path).filter(|m| m != "lib" && m != "bin") else { continue };
        let Some(allowed) = table.get(&module) else {
            broken.push(format!("{module} has no row in ARCHITECTURE.md"));
            continue;
        };
        for imported in imports(&text).into_iter().filter(|name| *name != module) {
            if !allowed.contains(&imported) && !allowed.contains(&"everything".to_owned()) {
                broken.push(format!("{} imports {imported}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_row_of_the_table_is_a_module_and_imports_only_what_comes_before() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let order = fs::read_to_string(root().join("crate/src/lib.rs")).unwrap();
    let order = order
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect::<Vec<_>>();
    for (module, allowed) in table() {
        let place = order.iter().position(|name| *name == module);
        let place = place.unwrap_or_else(|| panic!("{module} is not in lib.rs"));
        for earlier in allowed.iter().filter(|name| *name != "everything") {
            let before = order[..place].contains(&earlier.as_str());
            assert!(before, "{module} may import {earlier}, which comes after it");
        }
    }
    for module in order {
        assert!(text.contains(&format!("| `{module}` |")), "{module} has no row");
    }
}

/// What must not be said outside of the modules named, and why.
const ABSENT: &[(&str, &[&str], &str)] = &[
    ("std::fs", &["bin", "disk"], "files are opened at the edges"),
    ("std::env", &["bin"], "the environment belongs to the command line"),
    ("std::time", &["bin"], "results do not depend on a clock"),
    ("println!", &["bin"], "what is odd is a notice"),
    ("eprintln!", &["bin"], "what is odd is a notice"),
    ("JsValue", &["web"], "JavaScript stays at the boundary"),
    ("js_sys", &["web"], "JavaScript stays at the boundary"),
    ("web_sys", &["web"], "JavaScript stays at the boundary"),
    ("todo!", &[], "nothing is left to do"),
    ("unimplemented!", &[], "nothing is left to do"),
    ("TODO", &[], "an issue says it better"),
];

#[test]
fn what_must_be_absent_is_absent() {
    let mut broken = Vec::new();
    for (path, text) in sources(&root().join("crate/src")) {
        let module = module_of(&path).unwrap_or_default();
        for (word, allowed, why) in ABSENT {
            if code(&text).any(|line| line.contains(word)) && !allowed.contains(&module.as_str()) {
                broken.push(format!("{}: {word} ({why})", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn hash_maps_are_never_iterated() {
    let mut users = Vec::new();
    for (path, text) in sources(&root().join("crate/src")) {
        if code(&text).any(|line| line.contains("HashMap") || line.contains("HashSet")) {
            users.push(path.strip_prefix(root().join("crate/src")).unwrap().to_owned());
        }
    }
    // Shapes, call sites and texts are looked up, and numbered in the order met.
    let numbering = ["trace/shape.rs", "run/sites.rs", "order.rs"].map(Path::new);
    assert!(users.iter().all(|path| numbering.contains(&path.as_path())), "{users:?}");
}

#[test]
fn serialised_values_have_no_usize() {
    for (path, text) in sources(&root().join("crate/src/folding")) {
        let fields = code(&text).filter(|line| line.trim_start().starts_with("pub "));
        for line in fields.filter(|line| line.contains(": ") && !line.contains("fn ")) {
            assert!(!line.contains("usize"), "{}: {line}", path.display());
        }
    }
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut broken = Vec::new();
    for (path, text) in sources(&root().join("crate/src")) {
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            broken.push(format!("{} has {lines} lines", path.display()));
        }
        let is_module = path.ends_with("mod.rs") || path.ends_with("lib.rs");
        if is_module && !text.starts_with("//!") {
            broken.push(format!("{} does not say what it is for", path.display()));
        }
        for (line, before) in text.lines().skip(1).zip(text.lines()) {
            let documented =
                before.trim_start().starts_with("///") || before.trim_start().starts_with("#[");
            let kind = ["pub fn ", "pub struct ", "pub enum ", "pub const "];
            let public = !line.starts_with(' ') && kind.iter().any(|kind| line.starts_with(kind));
            if public && !documented && is_exported(&path, line) {
                broken.push(format!("{}: no doc on {line}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Whether the module's `mod.rs` hands the item of this line on.
fn is_exported(path: &Path, line: &str) -> bool {
    let module = path.with_file_name("mod.rs");
    let Ok(text) = fs::read_to_string(module) else { return true };
    let name = line.split([' ', '(', '<', ':', '{']).nth(2).unwrap_or_default();
    let exports = text.split("pub use").skip(1).filter_map(|rest| rest.split(';').next());
    let exports = exports.collect::<String>();
    exports.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

#[test]
fn the_guide_names_code_that_is_there() {
    let guide = fs::read_to_string(root().join("static/guide/methods.html")).unwrap();
    let lines = guide.lines().filter(|line| line.starts_with("<p class=\"where\">"));
    let codes = lines.flat_map(|line| line.split("<code>").skip(1));
    let names = codes.filter_map(|rest| rest.split("</code>").next()).collect::<Vec<_>>();
    let is_there =
        |name: &&&str| ["crate/src", "."].iter().any(|f| root().join(f).join(name).exists());
    let missing = names.iter().filter(|name| !is_there(name)).collect::<Vec<_>>();
    assert!(!names.is_empty() && missing.is_empty(), "{missing:?}");
}

/// `#RRGGBB` of a token in the style sheet, for light, dark and high contrast.
fn colours(css: &str, token: &str) -> [String; 3] {
    let after = |text: &str| {
        let start = format!("--{token}: ");
        text.split_once(&start).map(|(_, rest)| rest.to_owned()).unwrap_or_default()
    };
    let (sides, contrast) = css.split_once("[data-theme=contrast]").unwrap();
    let sides = after(sides);
    let both = sides.strip_prefix("light-dark(").unwrap().split_once(')').unwrap().0;
    let (light, dark) = both.split_once(", ").unwrap();
    let contrast = after(contrast);
    [light.to_owned(), dark.to_owned(), contrast.split(';').next().unwrap().to_owned()]
}

#[test]
fn the_page_and_its_pictures_have_the_same_colours() {
    use tracefold::paint::{Theme, Tokens};
    let css = fs::read_to_string(root().join("www/style.css")).unwrap();
    let painted = |token: fn(&Tokens) -> (u8, u8, u8)| {
        [Theme::Light, Theme::Dark, Theme::Contrast].map(|theme| {
            let (r, g, b) = token(theme.tokens());
            format!("#{r:02X}{g:02X}{b:02X}")
        })
    };
    macro_rules! same {
        ($($token:ident)*) => {$(
            let of = |tokens: &Tokens| (tokens.$token.0, tokens.$token.1, tokens.$token.2);
            assert_eq!(colours(&css, stringify!($token)), painted(of), stringify!($token));
        )*};
    }
    same!(surface sunken line axis ink ink2 ink3 accent slower);
}
