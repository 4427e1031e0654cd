//! Data objects of both sides beside one another.

use tracefold::compare::Comparison;
use tracefold::report::{cost_in_words, name_of_object, walks_in_words};

/// A table of them; empty where nothing was referenced.
pub fn objects_as_text(comparison: &Comparison) -> String {
    if comparison.objects.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n{:>10} {:>10} {:>10} {:>10}  {:<4} object, of all references\n",
        "A, %", "B, %", "B - A", "95 %", "sure"
    );
    for row in &comparison.objects {
        let percent = |side: usize| {
            row.bytes[side].map_or("-".to_owned(), |_| format!("{:.1}", 100.0 * row.shares[side]))
        };
        text += &format!(
            "{:>10} {:>10} {:>+10.1} {:>10}  {:<4} {}\n",
            percent(0),
            percent(1),
            100.0 * (row.shares[1] - row.shares[0]),
            format!("±{:.1}", 100.0 * row.share_half_width),
            match (row.is_share_sure, row.is_new()) {
                (false, _) => "",
                (true, None) => "yes",
                (true, Some(true)) => "new",
                (true, Some(false)) => "gone",
            },
            name_of_object(row),
        );
        let words = [cost_in_words(row), walks_in_words(row)];
        let words = words.into_iter().filter(|words: &String| !words.is_empty());
        text.extend(words.map(|words| format!("{:>49} {words}\n", "")));
    }
    text
}
