//! Routines and loops of Fortran, found by a scanner: no parser of it that a browser runs is kept up.
//!
//! Loops are `do` with a control, `do while`, `do concurrent` and `do` alone, with or without a name,
//! up to their `end do` or, with a label (`do 10 i = 1, n`), up to the statement of that label, which
//! several loops may share. Routines are `program`, `subroutine`, `function` and `module procedure`
//! outside interfaces, with `contains` inside them, up to their `end`; statements before the end of a
//! main program without a name are the routine `main program`. Words may be written together or
//! apart, in any case. What is not closed ends where the block round it ends.

use super::statements::{Statement, statements};
use super::{Block, BlockKind, Outline};

/// What a statement begins.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Begun {
    Routine(String),
    Loop {
        name: String,
        label: String,
    },
    Interface,
    /// A module or block of data, which may hold routines.
    Unit,
}

struct Open {
    begun: Begun,
    first: u32,
}

/// The routines and loops of a file. O(bytes).
pub fn outline(name: &str, lines: &[String]) -> Outline {
    let mut scan = Scan::default();
    for statement in statements(name, lines) {
        scan.read(&statement);
    }
    while !scan.open.is_empty() {
        scan.close(lines.len() as u32);
    }
    Outline::new(scan.blocks)
}

#[derive(Default)]
struct Scan {
    blocks: Vec<Block>,
    open: Vec<Open>,
    /// First line of a program without a name.
    main: Option<u32>,
}

impl Scan {
    fn read(&mut self, Statement { text, label, first, last }: &Statement) {
        if is_end(text) {
            // Loops that nobody closed end before it.
            while self.is_in_loop() {
                self.close(first - 1);
            }
            if !self.open.is_empty() {
                self.close(*last);
            } else if let Some(main) = self.main {
                self.blocks.push(Block::new(BlockKind::Routine, "main program", main, *last));
            }
            self.main = None;
            return;
        }
        if text.strip_prefix("enddo").is_some_and(|rest| rest.is_empty() || is_name(rest)) {
            if self.is_in_loop() {
                self.close(*last);
            }
        } else if let Some(begun) = self.begun(text) {
            self.open.push(Open { begun, first: *first });
        }
        let is_loop = |open: &Open| matches!(open.begun, Begun::Loop { .. });
        if self.open.iter().all(is_loop) {
            self.main = self.main.or(Some(*first));
        }
        let ends_here = |open: &mut Open| matches!(&open.begun, Begun::Loop { label: of, .. } if !label.is_empty() && of == label);
        while self.open.last_mut().is_some_and(ends_here) {
            self.close(*last);
        }
    }

    fn begun(&self, text: &str) -> Option<Begun> {
        let is_in_interface = self.open.last().is_some_and(|open| open.begun == Begun::Interface);
        unit(text, is_in_interface).or_else(|| loop_begun(text))
    }

    fn is_in_loop(&self) -> bool {
        self.open.last().is_some_and(|open| matches!(open.begun, Begun::Loop { .. }))
    }

    /// Closes the innermost of what is open; in an interface there are declarations only.
    fn close(&mut self, last: u32) {
        let Some(Open { begun, first }) = self.open.pop() else { return };
        if self.open.iter().any(|open| open.begun == Begun::Interface) {
            return;
        }
        match begun {
            Begun::Routine(name) => {
                self.blocks.push(Block::new(BlockKind::Routine, &name, first, last));
            }
            Begun::Loop { name, .. } => {
                self.blocks.push(Block::new(BlockKind::Loop, &name, first, last));
            }
            Begun::Interface | Begun::Unit => {}
        }
    }
}

/// The `end` of a routine, a unit or an interface; those of other constructs say what they end.
fn is_end(text: &str) -> bool {
    const ENDED: &str =
        "subroutine function program procedure module submodule blockdata interface";
    let Some(rest) = text.strip_prefix("end") else { return false };
    let is_named = |what: &str| {
        let name = rest.strip_prefix(what).map(|name| name.chars().next());
        // Of an interface also an operator or an assignment.
        name.is_some_and(|first| {
            first.is_none_or(|sign| sign.is_ascii_lowercase() || "(*/+<=>.'-".contains(sign))
        })
    };
    rest.is_empty() || ENDED.split(' ').any(is_named)
}

/// A routine, or what may hold routines, that a statement begins.
fn unit(text: &str, is_in_interface: bool) -> Option<Begun> {
    if let Some(name) = text.strip_prefix("moduleprocedure") {
        let name = name.strip_prefix("::").unwrap_or(name);
        // In an interface it is a declaration, without an end.
        if is_name(name) {
            return (!is_in_interface).then(|| Begun::Routine(name.to_owned()));
        }
    }
    let interface = text.strip_prefix("abstract").unwrap_or(text).strip_prefix("interface");
    if interface.is_some_and(|rest| !rest.starts_with(['=', '('])) {
        return Some(Begun::Interface);
    }
    let submodule = text.strip_prefix("submodule").and_then(after_parentheses);
    let data = text.strip_prefix("blockdata");
    let module = text.strip_prefix("module").filter(|name| !name.starts_with("procedure"));
    if data == Some("") || [submodule, data, module].into_iter().flatten().any(is_name) {
        return Some(Begun::Unit);
    }
    if let Some(name) = text.strip_prefix("program").filter(|name| is_name(name)) {
        return Some(Begun::Routine(name.to_owned()));
    }
    routine(without_prefixes(text))
}

/// The routine that `subroutine` or `function` begins.
fn routine(text: &str) -> Option<Begun> {
    let (is_function, rest) = match text.strip_prefix("function") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix("subroutine")?),
    };
    let (name, mut rest) = rest.split_at(rest.find(|c| !is_in_name(c)).unwrap_or(rest.len()));
    match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((arguments, after))
            if arguments.chars().all(|c| is_in_name(c) || c == ',' || c == '*') =>
        {
            rest = after;
        }
        Some(_) => return None,
        None if is_function => return None,
        None => {}
    }
    while let Some(after) = rest.strip_prefix("result").or_else(|| rest.strip_prefix("bind")) {
        rest = after_parentheses(after)?;
    }
    (rest.is_empty() && is_name(name)).then(|| Begun::Routine(name.to_owned()))
}

/// What is left of a statement without words that may stand before `function` and `subroutine`.
fn without_prefixes(mut text: &str) -> &str {
    const PREFIXES: &str = "pure impure elemental recursive non_recursive module";
    const TYPES: &str =
        "integer real doubleprecision doublecomplex complex logical character byte type class";
    loop {
        let prefix = PREFIXES.split(' ').find_map(|word| text.strip_prefix(word));
        let attributes = || after_parentheses(text.strip_prefix("attributes")?);
        let typed = || TYPES.split(' ').find_map(|word| text.strip_prefix(word)).map(without_kind);
        match prefix.or_else(attributes).or_else(typed) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
}

/// What follows the kind of a type: `*8`, `(kind=8)` or `*(*)`.
fn without_kind(text: &str) -> &str {
    let starred = text.strip_prefix('*');
    let digits = starred.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    match digits {
        Some(rest) if starred != Some(rest) => rest,
        _ => after_parentheses(starred.unwrap_or(text)).unwrap_or(text),
    }
}

/// What follows the parentheses that a text begins with, whatever is in them.
fn after_parentheses(text: &str) -> Option<&str> {
    let mut depth = 0_u32;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (sign == ')').then(|| &text[at + 1..]);
        }
    }
    None
}

/// A loop that a statement begins: `do10i=1,10` is one, `do10i=1.10` sets a variable.
fn loop_begun(text: &str) -> Option<Begun> {
    let named = text.split_once(':').filter(|(name, _)| is_name(name));
    let (name, text) = named.unwrap_or(("", text));
    let rest = text.strip_prefix("do")?;
    let (label, rest) =
        rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let control = rest.strip_prefix(',').unwrap_or(rest);
    let is_while = control.starts_with("while(") && control.ends_with(')');
    let is_counted = || {
        let counted = control.split_once('=');
        counted.is_some_and(|(variable, range)| is_name(variable) && has_comma_outside(range))
    };
    let is_loop =
        control.is_empty() || is_while || control.starts_with("concurrent(") || is_counted();
    is_loop.then(|| Begun::Loop { name: name.to_owned(), label: label.to_owned() })
}

/// Whether a comma stands outside all parentheses.
fn has_comma_outside(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().any(|sign| {
        depth += i32::from("([".contains(sign)) - i32::from(")]".contains(sign));
        sign == ',' && depth == 0
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(is_in_name)
}

fn is_in_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_begin_a_routine_or_hold_some() {
        let routines = [
            ("programp", "p"),
            ("subroutines", "s"),
            ("subroutines(a,*)bind(c,name='')", "s"),
            ("functionf(x)", "f"),
            ("realfunctionf(x)", "f"),
            ("real*8functionf(x)result(y)", "f"),
            ("puredoubleprecisionfunctionf()", "f"),
            ("character*(*)functionf(x)", "f"),
            ("type(grid(n))recursivefunctionf(x)", "f"),
            ("attributes(global)subroutinekernel(a,n)", "kernel"),
            ("modulesubroutines(a)", "s"),
            ("moduleprocedurep", "p"),
        ];
        for (text, name) in routines {
            assert_eq!(unit(text, false), Some(Begun::Routine(name.to_owned())), "{text}");
        }
        for text in ["modulem", "submodule(m:n)s", "blockdata", "blockdatad"] {
            assert_eq!(unit(text, false), Some(Begun::Unit), "{text}");
        }
        for text in ["interface", "abstractinterface", "interfaceoperator(+)", "interfacesolve"] {
            assert_eq!(unit(text, false), Some(Begun::Interface), "{text}");
        }
        let others = [
            "real::x",
            "functions(10)=2",
            "function=3",
            "subroutine=1",
            "interface=3",
            "interface(3)=1",
            "realfunctions(10.5)",
            "typegrid",
            "programp=1",
            "module=1",
            "endfunctionf",
        ];
        for text in others {
            assert_eq!(unit(text, false), None, "{text}");
        }
        assert_eq!(unit("moduleprocedurep", true), None, "a declaration");
    }

    #[test]
    fn statements_that_begin_a_loop() {
        let loops = [
            ("do", "", ""),
            ("doi=1,3", "", ""),
            ("do10i=1,f(2,3)", "", "10"),
            ("do,i=1,2", "", ""),
            ("do10", "", "10"),
            ("dowhile(x>0)", "", ""),
            ("doconcurrent(i=1:n)", "", ""),
            ("outer:doi=1,n", "outer", ""),
        ];
        for (text, name, label) in loops {
            let expected = Begun::Loop { name: name.to_owned(), label: label.to_owned() };
            assert_eq!(loop_begun(text), Some(expected), "{text}");
        }
        for text in ["do10i=1.10", "doi=f(1,2)", "double=2", "dot(1)=2,3", "done", "x:y=do"] {
            assert_eq!(loop_begun(text), None, "{text}");
        }
    }

    #[test]
    fn ends_of_other_constructs_end_no_routine() {
        for text in
            ["end", "endprogram", "endsubroutines", "endinterfaceoperator(==)", "endmodulem"]
        {
            assert!(is_end(text), "{text}");
        }
        for text in ["enddo", "endif", "endif10", "endtypet", "endfile(10)", "endprogram2"] {
            assert!(!is_end(text), "{text}");
        }
    }
}
