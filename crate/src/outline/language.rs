//! Which names are source code, and in which language.

/// A language, as far as it is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Language {
    pub outlined: Outlined,
    /// What a highlighter calls it.
    pub colours: Option<&'static str>,
    /// What a line that is nothing but a comment begins with.
    comments: Comments,
}

/// How routines and loops are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlined {
    Parsed(Grammar),
    Fortran,
    Indentation,
    Nothing,
}

/// A grammar of tree-sitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    C,
    Cpp,
}

impl Grammar {
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comments {
    /// `//` and those between `/*` and `*/`, whose lines often begin with a star.
    Slashes,
    Hash,
    /// `!`, or a letter or star in the first column.
    Fortran,
    Assembler,
    /// Of any of many languages.
    Any,
}

const fn language(
    outlined: Outlined,
    colours: Option<&'static str>,
    comments: Comments,
) -> Language {
    Language { outlined, colours, comments }
}

const CPP: Language = language(Outlined::Parsed(Grammar::Cpp), Some("cpp"), Comments::Slashes);
const OTHER: Language = language(Outlined::Indentation, None, Comments::Any);

const fn indented(colours: &'static str, comments: Comments) -> Language {
    language(Outlined::Indentation, Some(colours), comments)
}

/// Endings without the dot, in small letters.
const ENDINGS: [(Language, &str); 11] = [
    (language(Outlined::Parsed(Grammar::C), Some("c"), Comments::Slashes), "c"),
    (CPP, "cc cpp cxx c++ cp h hh hpp hxx h++ inl ipp tcc tpp cu cuh hip cl m mm"),
    (
        language(Outlined::Fortran, Some("fortran"), Comments::Fortran),
        "f for ftn f77 fpp f90 f95 f03 f08 f18 cuf fi fh h90 inc",
    ),
    (indented("python", Comments::Hash), "py pyx pxd pyw"),
    (indented("rust", Comments::Slashes), "rs"),
    (indented("julia", Comments::Hash), "jl"),
    (indented("go", Comments::Slashes), "go"),
    (indented("java", Comments::Slashes), "java"),
    (indented("javascript", Comments::Slashes), "js mjs ts"),
    (language(Outlined::Nothing, Some("x86asm"), Comments::Assembler), "s asm nasm"),
    (OTHER, "kt scala swift d zig nim lua r pl rb cs hs ml ada adb ads pas chpl v cr vala"),
];

/// The language of a file by its ending; any other file is read by its indentation.
pub fn language_of(name: &str) -> Language {
    // A capital letter tells C++ from C.
    if name.ends_with(".C") {
        return CPP;
    }
    by_ending(name).unwrap_or(OTHER)
}

fn by_ending(name: &str) -> Option<Language> {
    let ending = ending_of(name);
    let has_it = |endings: &str| endings.split(' ').any(|known| known == ending);
    ENDINGS.iter().find(|(_, endings)| has_it(endings)).map(|(language, _)| *language)
}

/// What stands behind the last dot of the last part of a path, in small letters.
pub fn ending_of(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or_else(String::new, |(_, ending)| ending.to_ascii_lowercase())
}

impl Language {
    /// Whether a line is nothing but a comment, as far as its begin tells.
    pub fn is_comment(&self, line: &str) -> bool {
        let text = line.trim_start();
        let begins = |signs: &[&str]| signs.iter().any(|sign| text.starts_with(sign));
        let slashes = || {
            let after_star = text.strip_prefix('*').map(|rest| rest.chars().next());
            begins(&["//", "/*"])
                || after_star.is_some_and(|next| next.is_none_or(|c| c == '/' || c.is_whitespace()))
        };
        match self.comments {
            Comments::Slashes => slashes(),
            Comments::Hash => begins(&["#"]),
            Comments::Assembler => slashes() || begins(&["#", ";"]),
            Comments::Any => slashes() || begins(&["#", "--", ";", "%", "!"]),
            Comments::Fortran => {
                let after = line.strip_prefix(['c', 'C']).map(|rest| rest.chars().next());
                let is_letter_alone = after.is_some_and(|next| {
                    next.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_')
                });
                begins(&["!"]) || line.starts_with('*') || is_letter_alone
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_takes_every_file_of_a_language_for_source() {
        let page = include_str!("../../../www/source/endings.ts");
        let of_page: Vec<&str> = page.split('`').nth(1).unwrap().split_whitespace().collect();
        let ours: Vec<&str> = ENDINGS.iter().flat_map(|(_, endings)| endings.split(' ')).collect();
        assert_eq!(of_page, ours);
    }

    #[test]
    fn a_capital_letter_tells_cpp_from_c() {
        assert_eq!(language_of("a.C").outlined, Outlined::Parsed(Grammar::Cpp));
        assert_eq!(language_of("a.c").outlined, Outlined::Parsed(Grammar::C));
        assert_eq!(language_of("what.ever").outlined, Outlined::Indentation);
    }

    #[test]
    fn a_line_of_comment_is_told_by_its_begin() {
        let cases = [
            ("a.c", "  // adds", true),
            ("a.c", " * of a block", true),
            ("a.c", " *", true),
            ("a.c", " *p = 2;", false),
            ("a.c", "#pragma omp", false),
            ("a.py", "  # adds", true),
            ("a.f", "c adds", true),
            ("a.f", "call add", false),
            ("a.f", "*adds", true),
            ("a.f90", "  ! adds", true),
            ("a.s", "; adds", true),
            ("a.lua", "-- adds", true),
            ("a.lua", "add()", false),
        ];
        for (name, line, expected) in cases {
            assert_eq!(language_of(name).is_comment(line), expected, "{name}: {line}");
        }
    }
}
