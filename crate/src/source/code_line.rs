/// A line of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeLine {
    /// Without folders; empty if the trace does not tell.
    pub file: String,
    /// From 1; 0 if the trace does not tell.
    pub line: u32,
}

impl CodeLine {
    /// From a label of any age: `241 (solver.f90)`, `241 (solver.f90) [app]`,
    /// `241 (solver.f90, app)`. What has another form is a file name without a line.
    pub fn from_label(label: &str) -> Self {
        let numbered = || {
            let (line, rest) = label.split_once(' ')?;
            let inside = rest.trim_start().strip_prefix('(')?;
            let file = inside.split([')', ',']).next()?.trim();
            let file = file.rsplit('/').next()?;
            let unknown = file.is_empty() || file == "Unresolved" || file == "_NOT_Found";
            let file = if unknown { "" } else { file };
            Some(Self { file: file.to_owned(), line: line.parse().ok()? })
        };
        numbered().unwrap_or_else(|| Self { file: label.to_owned(), line: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_every_age_are_read() {
        for (label, file, line) in [
            ("241 (solver.f90)", "solver.f90", 241),
            ("241 (solver.f90) [app]", "solver.f90", 241),
            ("241 (/home/x/solver.f90, app)", "solver.f90", 241),
            ("0 (Unresolved)", "", 0),
            ("somewhere", "somewhere", 0),
            ("99999999999 (a.c)", "99999999999 (a.c)", 0),
            ("", "", 0),
        ] {
            let expected = CodeLine { file: file.to_owned(), line };
            assert_eq!(CodeLine::from_label(label), expected, "{label}");
        }
    }
}
