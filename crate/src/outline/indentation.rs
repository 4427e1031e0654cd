//! Routines and loops of languages without a parser here: by indentation.
//!
//! A line whose first words open a routine (`def`, `fn`, `func`, `function`, `sub`, `procedure`,
//! `proc`, or a name with parentheses before a brace) or a loop (`for`, `foreach`, `while`, `until`,
//! `loop`, `do`, `repeat`) has as its block all lines below it that are indented deeper, and a line
//! of closing braces, brackets or the word `end` at its own depth. A head may be broken over lines if
//! the last of them begins with its closing parenthesis. Blank lines belong to a block if
//! lines of it follow. Tabs go to the next multiple of eight. Strings and comments are not
//! understood: a text with code inside is taken for code.

use super::{Block, BlockKind, Outline};

/// Words that may stand before the word that opens a routine, in any case.
const MODIFIERS: &str = "pub public private protected internal static async inline \
    const unsafe extern export default override final abstract virtual local recursive";
const ROUTINES: &str =
    "def fn func fun function function* sub subroutine procedure proc cpdef cdef";
const LOOPS: &str = "for foreach while until loop do repeat parfor";
/// Macros of Julia that are written before a loop.
const LOOP_MACROS: &str = "threads simd inbounds distributed";
/// Words that begin no method, though parentheses and a brace may follow.
const NO_METHODS: &str = "if else elif switch match return new throw case catch using \
    with try class struct impl enum trait interface namespace module type let var val import \
    package";

/// A line indented deeper opens no block: nobody reads it, and a program wrote it.
const DEEPEST: u32 = 400;

/// So much of a line shows whether it opens a block.
const LONGEST_HEAD: usize = 300;

const TAB: u32 = 8;

struct Open {
    line: u32,
    depth: u32,
    kind: BlockKind,
    name: String,
}

/// The routines and loops of a file. O(bytes).
pub fn outline(lines: &[String]) -> Outline {
    let mut blocks = vec![];
    let mut open: Vec<Open> = vec![];
    // The last line that was not blank.
    let mut before = 0;
    let mut close = |open: &mut Vec<Open>, depth: u32, last: u32, closing: Option<u32>| {
        while let Some(block) = open.pop_if(|block| block.depth >= depth) {
            let last = closing.filter(|_| block.depth == depth).unwrap_or(last);
            // The head alone is a declaration, or a statement with all on one line.
            if last > block.line {
                blocks.push(Block::new(block.kind, &block.name, block.line, last));
            }
        }
    };
    for (text, line) in lines.iter().zip(1..) {
        let Some(depth) = depth_of(text) else { continue };
        let text = text.trim();
        // The end of a head that was broken over lines: `) -> int:`.
        if text.starts_with([')', ']']) && text.ends_with([':', '{']) {
            continue;
        }
        close(&mut open, depth, before, closes(text).then_some(line));
        let head = text.char_indices().nth(LONGEST_HEAD).map_or(text, |(end, _)| &text[..end]);
        if let Some((kind, name)) = head_of(head).filter(|_| depth <= DEEPEST) {
            open.push(Open { line, depth, kind, name: name.to_owned() });
        }
        before = line;
    }
    close(&mut open, 0, before, None);
    Outline::new(blocks)
}

/// Columns before the first sign; `None` for a blank line.
fn depth_of(line: &str) -> Option<u32> {
    let mut depth = 0;
    for sign in line.chars() {
        match sign {
            ' ' => depth += 1,
            '\t' => depth += TAB - depth % TAB,
            _ if sign.is_whitespace() => {}
            _ => return Some(depth),
        }
    }
    None
}

/// Whether a line begins with closing signs or a word that begins with `end`, which stand alone.
fn closes(text: &str) -> bool {
    let signs = text.trim_start_matches(['}', ']', ')']);
    let rest = if signs.len() < text.len() {
        signs.trim_start_matches([';', ',', ')'])
    } else {
        let (word, rest) = split_word(text);
        if !word.get(..3).is_some_and(|end| end.eq_ignore_ascii_case("end")) {
            return false;
        }
        rest.strip_prefix(';').unwrap_or(rest)
    };
    let is_while = split_word(rest).0.eq_ignore_ascii_case("while");
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    ends(rest) || rest.starts_with("//") || rest.starts_with('#') || is_while
}

/// What a line opens, and its name.
fn head_of(text: &str) -> Option<(BlockKind, &str)> {
    let routine = routine_of(text).map(|name| (BlockKind::Routine, name));
    let a_loop = || is_loop(text).then_some((BlockKind::Loop, ""));
    let method = || method_of(text).map(|name| (BlockKind::Routine, name));
    routine.or_else(a_loop).or_else(method)
}

/// `pub(crate) async fn name`.
fn routine_of(text: &str) -> Option<&str> {
    let mut text = text;
    loop {
        let end = text.find(|c: char| !is_word(c) && c != '@' && c != '*').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        if is_one_of(word, ROUTINES) {
            let name = blanks(rest)?;
            // The receiver of a method as in Go.
            let name = parentheses(name).map_or(name, |(_, rest)| rest.trim_start());
            let end = name.find(|c: char| !is_word(c) && !".:$!?~".contains(c));
            let name = &name[..end.unwrap_or(name.len())];
            return (!name.is_empty()).then_some(name);
        }
        if !(is_one_of(word, MODIFIERS) || word.starts_with('@') && word.len() > 1) {
            return None;
        }
        text = blanks(parentheses(rest).map_or(rest, |(_, rest)| rest))?;
    }
}

/// What follows at least one blank.
fn blanks(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    (rest.len() < text.len()).then_some(rest)
}

/// What is in parentheses that a text begins with, and what follows.
fn parentheses(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('(')?.split_once(')')
}

/// `for …`, `'outer: loop {`, `@threads for …`.
fn is_loop(text: &str) -> bool {
    let begins = |text: &str, words: &str| is_one_of(split_word(text).0, words);
    let labelled = text.split_once(':').filter(|(label, _)| {
        let label = label.trim_end();
        !label.is_empty() && label.chars().all(|c| is_word(c) || c == '\'')
    });
    let has_for =
        |text: &str| text.split(|c| !is_word(c)).any(|word| word.eq_ignore_ascii_case("for"));
    begins(text, LOOPS)
        || labelled.is_some_and(|(_, rest)| begins(rest.trim_start(), LOOPS))
        || text.strip_prefix('@').is_some_and(|text| begins(text, LOOP_MACROS) && has_for(text))
}

/// A method as in Java: something, a name, parentheses and a brace, or the parenthesis left open.
fn method_of(text: &str) -> Option<&str> {
    let (head, rest) = text.split_once('(')?;
    let is_typed = |word: &&str| word.chars().all(|c| is_word(c) || "<>[],.*&@".contains(c));
    let words: Vec<_> = head.split_whitespace().collect();
    let [first @ .., name] = words.as_slice() else { return None };
    let is_head = !first.is_empty()
        && first.iter().all(is_typed)
        && name.chars().all(is_word)
        && !NO_METHODS.split(' ').any(|word| word == split_word(text).0);
    (is_head && !rest.contains([';', '=']) && rest.ends_with(['{', ',', ')'])).then_some(name)
}

/// Whether `word` is one of `words`, which blanks part, in any case.
fn is_one_of(word: &str, words: &str) -> bool {
    words.split(' ').any(|known| known.eq_ignore_ascii_case(word))
}

fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| !is_word(c)).unwrap_or(text.len()))
}

fn is_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_tell_routines_from_loops() {
        let routine = |name| Some((BlockKind::Routine, name));
        let a_loop = Some((BlockKind::Loop, ""));
        let cases = [
            ("def run(self):", routine("run")),
            ("pub(crate) async fn total<T>(x: T) -> T {", routine("total")),
            ("func (m *Mesh) Solve() {", routine("Solve")),
            ("function step!(u)", routine("step!")),
            ("function* all() {", routine("all")),
            ("FUNCTION f", routine("f")),
            ("@njit(parallel = true) def f():", routine("f")),
            ("public static void main(String[] args) {", routine("main")),
            ("Map<String, Integer> count(", None),
            ("for i in range(3):", a_loop),
            ("'outer: loop {", a_loop),
            ("@threads for i in 1:n", a_loop),
            ("do {", a_loop),
            ("forward(x)", None),
            ("return f(x) {", None),
            ("int x = f(1)", None),
            ("if (x) {", None),
            ("defer x", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(head_of(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_close_begin_with_what_closes() {
        for text in [
            "}",
            "});",
            "} // for",
            "end",
            "endfor;",
            "END",
            "} while (x);",
            "}while(x)",
            "end # f",
            "}])",
            "} else {",
        ] {
            assert!(closes(text), "{text}");
        }
        for text in ["}x", "x }", "e", "{", "", "end.x", "é"] {
            assert!(!closes(text), "{text}");
        }
    }

    #[test]
    fn tabs_go_to_the_next_multiple_of_eight() {
        assert_eq!(depth_of("\tx"), Some(8));
        assert_eq!(depth_of("   \t x"), Some(9));
        assert_eq!(depth_of(" \t "), None);
    }
}
