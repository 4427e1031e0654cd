//! Fortran lines as statements: comments and the contents of strings gone, continuations joined,
//! small letters, no blanks.
//!
//! Fixed form: a comment has `C`, `c`, `*`, `!`, `d` or `D` in column 1; columns 1 to 5 are a label, a
//! sign in column 6 continues the line before, and what is beyond column 72 counts as well (many
//! compilers are told so, and a remark there does no harm). A tab ends the label, and a digit behind
//! it continues. Free form: `&` at the end continues, `!` begins a comment. Lines of the preprocessor
//! (`#` in column 1) are left out, both branches of a condition are read. Hollerith constants are not
//! understood.

use super::language::ending_of;

/// A statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    pub text: String,
    /// The number before it, or empty.
    pub label: String,
    /// First and last line, from 1.
    pub first: u32,
    pub last: u32,
}

/// A statement is over after so many bytes: only broken files have longer ones.
const LONGEST: usize = 20_000;

/// Lines of code that show which form a file has.
const LOOKED_AT: usize = 2000;

/// The statements of a file, in order. O(bytes).
pub fn statements(name: &str, lines: &[String]) -> Vec<Statement> {
    if is_fixed_form(name, lines) {
        return fixed(lines);
    }
    free(lines)
}

/// Whether a file is in fixed form: by its ending, unless its lines say otherwise, as some projects
/// give free form the old ending, and `.inc` may be both.
fn is_fixed_form(name: &str, lines: &[String]) -> bool {
    if !["f", "for", "ftn", "f77", "inc", "fi", "h"].contains(&ending_of(name).as_str()) {
        return false;
    }
    let code = lines.iter().filter(|line| {
        !line.trim().is_empty() && !line.starts_with(['c', 'C', 'd', 'D', '*', '!', '#'])
    });
    let is_free = |line: &str| {
        let code = line.trim_start_matches(' ');
        let begins_early =
            line.len() - code.len() < 5 && code.starts_with(|c: char| c.is_ascii_alphabetic());
        let within = line.char_indices().nth(72).map_or(line, |(end, _)| &line[..end]);
        let before_comment = within.split('!').next().unwrap_or(within);
        begins_early || [within, before_comment].iter().any(|code| code.trim_end().ends_with('&'))
    };
    let (mut all, mut free) = (0, 0);
    for line in code.take(LOOKED_AT) {
        all += 1;
        free += u32::from(is_free(line));
    }
    free * 10 <= all
}

fn fixed(lines: &[String]) -> Vec<Statement> {
    let mut joined = Joined::default();
    for (line, number) in lines.iter().zip(1..) {
        let is_comment = line.starts_with(['c', 'C', 'd', 'D', '*', '!', '#']);
        if is_comment || line.trim().is_empty() {
            continue;
        }
        let FixedLine { label, continues, code } = fixed_line(line);
        if !continues || joined.open.is_none() {
            let is_label = !label.is_empty() && label.chars().all(|c| c.is_ascii_digit());
            joined.begin(number, if is_label { label } else { "" });
        }
        let text = joined.without_strings(code, false);
        joined.add(&text, number);
    }
    joined.end();
    joined.done
}

struct FixedLine<'line> {
    label: &'line str,
    continues: bool,
    code: &'line str,
}

fn fixed_line(line: &str) -> FixedLine<'_> {
    let columns = |count: usize| line.char_indices().nth(count).map_or(line.len(), |(at, _)| at);
    let five = columns(5);
    if let Some(tab) = line[..columns(6)].find('\t') {
        let code = &line[tab + 1..];
        let digit = code.strip_prefix(|c: char| ('1'..='9').contains(&c));
        let label = line[..tab].trim();
        return FixedLine { label, continues: digit.is_some(), code: digit.unwrap_or(code) };
    }
    let (label, rest) = line.split_at(five);
    let mut rest = rest.chars();
    let sign = rest.next();
    let continues = label.trim().is_empty() && sign.is_some_and(|sign| sign != ' ' && sign != '0');
    FixedLine { label: label.trim(), continues, code: rest.as_str() }
}

fn free(lines: &[String]) -> Vec<Statement> {
    let mut joined = Joined::default();
    let mut continues = false;
    for (line, number) in lines.iter().zip(1..) {
        let text = line.trim_start();
        if line.starts_with('#') || text.starts_with('!') || text.trim().is_empty() {
            continue;
        }
        let code = if continues { text.strip_prefix('&').unwrap_or(text) } else { line };
        if !continues || joined.open.is_none() {
            joined.begin(number, "");
        }
        let text = joined.without_strings(code, true);
        let rest = text.strip_suffix('&');
        joined.add(rest.unwrap_or(&text), number);
        continues = rest.is_some();
        if !continues {
            joined.end();
        }
    }
    joined.end();
    joined.done.into_iter().map(labelled).collect()
}

/// In free form a label is the number before the statement.
fn labelled(mut statement: Statement) -> Statement {
    let digits = statement.text.chars().take_while(char::is_ascii_digit).count();
    if (1..=5).contains(&digits) && digits < statement.text.len() {
        statement.label = statement.text.drain(..digits).collect();
    }
    statement
}

/// Statements that lines are joined to.
#[derive(Default)]
struct Joined {
    done: Vec<Statement>,
    open: Option<Statement>,
    /// What a string that goes on in the next line ends with.
    quote: Option<char>,
}

impl Joined {
    fn begin(&mut self, line: u32, label: &str) {
        self.end();
        self.quote = None;
        self.open = Some(Statement {
            label: label.to_owned(),
            first: line,
            last: line,
            ..Statement::default()
        });
    }

    /// Adds code of a line, which may hold several statements.
    fn add(&mut self, text: &str, line: u32) {
        for (index, part) in text.split(';').enumerate() {
            if index > 0 {
                self.end();
            }
            let new = || Statement { first: line, ..Statement::default() };
            let open = self.open.get_or_insert_with(new);
            if open.text.len() < LONGEST {
                open.text += part;
            }
            open.last = line;
        }
    }

    fn end(&mut self) {
        let open = self.open.take();
        self.done.extend(open.filter(|open| !open.text.is_empty() || !open.label.is_empty()));
    }

    /// The code of a line without blanks, in small letters, strings as `''`, up to a comment. A string
    /// that is not continued ends with its line; one of free form is continued by `&` at its end.
    fn without_strings(&mut self, line: &str, is_free: bool) -> String {
        let mut text = String::new();
        let mut quote = self.quote.take();
        let end = line.trim_end();
        for (at, sign) in end.char_indices() {
            match quote {
                // What is doubled closes and opens at once.
                Some(open) if sign == open => {
                    quote = None;
                    text.push('\'');
                }
                Some(_) if is_free && sign == '&' && at + 1 == end.len() => {
                    text.push('&');
                    self.quote = quote;
                }
                Some(_) => {}
                None => match sign {
                    '\'' | '"' => {
                        quote = Some(sign);
                        text.push('\'');
                    }
                    '!' => break,
                    ' ' | '\t' => {}
                    _ => text.push(sign.to_ascii_lowercase()),
                },
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(name: &str, text: &str) -> Vec<String> {
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        let text = |Statement { label, text, first, last }: &Statement| {
            format!("{first}-{last} {label}{}{text}", if label.is_empty() { "" } else { " " })
        };
        statements(name, &lines).iter().map(text).collect()
    }

    #[test]
    fn free_form_is_joined_at_ampersands_and_parted_at_semicolons() {
        let text = "Call A( &\n  ! a remark\n\n#if X\n  & 1, 'it''s; &\n  & more' ) ; b = 2 ! c; d\n10 continue\n";
        assert_eq!(texts("a.f90", text), ["1-6 calla(1,'''')", "6-6 b=2", "7-7 10 continue"]);
    }

    #[test]
    fn fixed_form_has_labels_and_continuations_by_column() {
        let text = "C a remark\n      x = 1 +\n     & 2\n   10 continue\n* more\n      write(*,*) 'do\n      y = 0\n     0z\n";
        assert_eq!(
            texts("a.f", text),
            ["2-3 x=1+2", "4-4 10 continue", "6-6 write(*,*)'", "7-7 y=0", "8-8 z"]
        );
    }

    #[test]
    fn in_fixed_form_a_tab_ends_the_label() {
        let text = "\tdo 10 i = 1,\n\t1 n\n10\tcontinue\n \tx = 1\n";
        assert_eq!(texts("a.f", text), ["1-2 do10i=1,n", "3-3 10 continue", "4-4 x=1"]);
    }

    #[test]
    fn an_old_ending_does_not_make_free_form_fixed() {
        assert_eq!(texts("p.f", "program p\n  x = & ! more\n  1\n"), ["1-1 programp", "2-3 x=1"]);
    }

    #[test]
    fn a_statement_that_never_ends_is_cut() {
        let text = "x = 1 + &\n".repeat(20_000);
        let [only] = &statements("a.f90", &text.lines().map(str::to_owned).collect::<Vec<_>>())[..]
        else {
            panic!("one statement")
        };
        assert!(only.text.len() < LONGEST + 10);
        assert_eq!(only.last, 20_000);
    }
}
