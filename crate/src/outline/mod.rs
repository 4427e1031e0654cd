//! Source files of the program that was traced: which one a name in a trace means, what language it
//! is in, and its routines and loops.
//!
//! C and C++ are parsed elsewhere: a [`Node`] list is what is taken of a syntax tree. Of Fortran and
//! all other languages scanners of lines find routines and loops.

mod block;
mod fortran;
mod indentation;
mod language;
mod named;
#[cfg(not(target_arch = "wasm32"))]
mod parser;
mod source_file;
mod source_text;
mod statements;
mod syntax_tree;

pub use block::{Block, BlockKind, Outline};
pub use language::Grammar;
pub use named::best_named;
pub use source_file::SourceFile;
pub use source_text::{NoText, check_size};
pub use syntax_tree::{DECLARATORS, Node, OUTLINED};

#[cfg(test)]
mod tests {
    use super::*;

    /// The outline of a file as words, indented by depth.
    fn words(name: &str, text: &[u8]) -> String {
        let outline = SourceFile::parsed(name, text).unwrap().outline;
        let blocks = outline.blocks().iter().enumerate();
        let line = |(index, block): (usize, &Block)| {
            "  ".repeat(block.depth as usize) + &outline.words_with_routine(index) + "\n"
        };
        blocks.map(line).collect()
    }

    macro_rules! file {
        ($name:literal) => {
            (
                $name,
                include_bytes!(concat!("../../../tests/outline/", $name)).as_slice(),
                include_str!(concat!("../../../tests/outline/", $name, ".outline")),
            )
        };
    }

    #[test]
    fn every_file_of_the_tests_has_its_routines_and_loops() {
        let files = [
            file!("kernels.c"),
            file!("mesh.cpp"),
            file!("macros.c"),
            file!("heat.f90"),
            file!("sweep.f"),
            file!("nested.f"),
            file!("latin.f"),
            file!("solve.py"),
            file!("lib.rs"),
            file!("step.jl"),
        ];
        for (name, text, expected) in files {
            assert_eq!(words(name, text), expected, "{name}");
        }
    }

    #[test]
    fn what_is_not_closed_ends_with_what_is_round_it() {
        let fortran = "end do\nsubroutine a\ndo i = 1, 2\nend subroutine\ndo\n";
        assert_eq!(words("a.f90", fortran.as_bytes()), "a 2–4\n  loop 3 in a\nloop 5\n");
        let c = "void f(int n) {\n  for (;;) {\n    g();\n";
        assert_eq!(words("a.c", c.as_bytes()), "");
        let python = "def f():\n    for x in y:\n        z\n";
        assert_eq!(words("a.py", python.as_bytes()), "f 1–3\n  loop 2–3 in f\n");
    }

    #[test]
    fn files_of_one_line_and_without_code_have_few_blocks_or_none() {
        assert_eq!(words("a.c", b"void f() { for (;;) g(); }"), "f 1\n  loop 1 in f\n");
        assert_eq!(words("a.f90", b"do; x = 1; end do"), "loop 1\n");
        for name in ["a.c", "a.f", "a.f90", "a.py", "a.s"] {
            assert_eq!(words(name, b"\n"), "", "{name}");
        }
    }

    #[test]
    fn no_text_stops_a_scanner_or_keeps_it_for_long() {
        let hostile = [
            "\u{1}",
            "(((((",
            &"do ".repeat(5000),
            &"'".repeat(999),
            &"&".repeat(300),
            &("  ".repeat(900) + "for"),
            &"real(".repeat(500),
            &"a ".repeat(400),
            "",
            "\t\t",
            "é\u{2028}&",
            "     é x",
            "1234",
            "end",
            "enddo",
            "dô",
            "\té",
        ];
        let lines: Vec<&str> = hostile.iter().copied().cycle().take(20_000).collect();
        // What is not linear does not come to an end.
        for name in ["x.f", "x.f90", "x.py"] {
            let text = lines.join("\n");
            let file = SourceFile::new(name, &text.as_bytes()[..text.len().min(7_999_990)]);
            let file = file.unwrap();
            let last = file.lines.len() as u32;
            assert!(file.outline.blocks().iter().all(|block| block.last <= last), "{name}");
        }
    }

    #[test]
    fn a_file_of_100_000_lines_has_all_of_its_blocks() {
        let routine = |kind: &str| match kind {
            "a.c" => "void f(int n)\n{\n\tfor (;;)\n\t\tg();\n}\n",
            "a.f90" => "subroutine f(n)\nimplicit none\ndo\nend do\nend\n",
            _ => "def f(n):\n    for x in n:\n        g()\n\n\n",
        };
        for name in ["a.c", "a.f90", "a.py"] {
            let file = SourceFile::parsed(name, routine(name).repeat(20_000).as_bytes()).unwrap();
            assert_eq!(file.outline.blocks().len(), 40_000, "{name}");
            assert_eq!(file.outline.path(|block| block.contains(99_998)).len(), 2, "{name}");
        }
    }
}
