use crate::text::printable;

/// Most characters of a text that a message repeats.
const LONGEST: usize = 60;

/// `text` in quotes, as messages have it: cut, and with nothing that could steer a terminal.
pub fn quoted(text: &str) -> String {
    let mut letters = text.chars();
    let shown = printable(&letters.by_ref().take(LONGEST).collect::<String>());
    let more = if letters.next().is_some() { "…" } else { "" };
    format!("“{shown}{more}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_control_characters_are_shown() {
        assert_eq!(quoted("\u{1b}[2Ja"), "“\\u{1b}[2Ja”");
        assert_eq!(quoted(&"é".repeat(100_000)), format!("“{}…”", "é".repeat(60)));
    }
}
