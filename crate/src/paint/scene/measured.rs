//! Text without a font: how wide it is, and what is left of it where room is short.
//!
//! Text is measured by a table, not by the browser, so that labels lie alike on a canvas, in an SVG
//! and in tests.

/// Advance widths of U+0020 to U+007E in thousandths of the font's size, in a common interface
/// face.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 625, 464, 605,
    636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
    587, 743, 740, 264, 543, 652, 562, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
    665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
    237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659,
];

/// Faces that a reader's system may take instead are up to 12 % wider (DejaVu Sans).
const SLACK: f64 = 1.12;

/// Bold faces are wider by up to 8 %.
const BOLD: f64 = 1.08;

/// Width of `text` in the unit of `size`, never less than what a common face takes.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let em: f64 = text.chars().map(advance).sum();
    em * size * SLACK * if bold { BOLD } else { 1.0 }
}

fn advance(c: char) -> f64 {
    let ascii = (c as usize).checked_sub(0x20).and_then(|index| WIDTHS.get(index));
    match c {
        '\u{202f}' => 0.2,
        '›' | '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.4,
        '\u{300}'..='\u{36f}' => 0.0,
        '\u{2212}' | '×' | '±' => 0.66,
        _ if (c as u32) >= 0x1100 => 1.0,
        _ => ascii.map_or(0.74, |&thousandths| f64::from(thousandths) / 1000.0),
    }
}

/// What fits `room` of `X › Y › Z [n]`, `names` from the outermost on. In order: ancestors leave
/// from the left behind `…`, then all of them, then the middle of the innermost name, then `[n]`, then
/// more of the middle; `None` if nothing of use fits.
pub fn elide_routine(names: &[&str], line: u32, room: f64, size: f64) -> Option<String> {
    let tail = if line == 0 { String::new() } else { format!(" [{line}]") };
    let fits = |text: &String| width(text, size, false) <= room;
    let innermost = names.last().copied().unwrap_or_default();
    let whole = (0..names.len()).map(|dropped| {
        let front = if dropped == 0 { "" } else { "… › " };
        format!("{front}{}{tail}", names.get(dropped..).unwrap_or_default().join(" › "))
    });
    let shorter = std::iter::once_with(|| format!("{innermost}{tail}"));
    let middle = elide_middle(innermost, &tail, room, size, 6).into_iter();
    // A number says nothing without a name.
    let alone = std::iter::once_with(|| innermost.to_owned());
    let least = elide_middle(innermost, "", room, size, 4).into_iter();
    whole.chain(shorter).chain(middle).chain(alone).chain(least).find(fits)
}

/// `name` without its middle and followed by `tail`: two thirds of what is kept in front, at
/// `least` characters.
fn elide_middle(name: &str, tail: &str, room: f64, size: f64, least: usize) -> Option<String> {
    let chars: Vec<char> = name.chars().collect();
    let shortened = |keep: usize| -> String {
        let front = (keep + 1) * 2 / 3;
        let back = chars.len() - (keep - front);
        let start = chars.iter().take(front);
        start.chain(&['…']).chain(chars.iter().skip(back)).collect::<String>() + tail
    };
    (least..chars.len()).rev().map(shortened).find(|text| width(text, size, false) <= room)
}

/// `name` without its front, as file names lose it: `…Base2.h`; `None` if nothing of use fits.
pub fn elide_front(name: &str, room: f64, size: f64) -> Option<String> {
    if width(name, size, false) <= room {
        return Some(name.to_string());
    }
    let chars = name.char_indices().skip(1).map(|(at, _)| at);
    let shortened = chars.filter_map(|at| name.get(at..)).map(|rest| format!("…{rest}"));
    shortened.filter(|text| text.chars().count() > 3).find(|t| width(t, size, false) <= room)
}

/// `text` without its end.
pub fn elide_end(text: &str, room: f64, size: f64, bold: bool) -> String {
    if width(text, size, bold) <= room {
        return text.to_string();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept, size, bold) + width("…", size, bold) > room {
            kept.pop();
            break;
        }
    }
    if kept.is_empty() { kept } else { kept + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], line: u32, room: f64, expected: Option<&str>) {
        assert_eq!(elide_routine(names, line, room, 12.0).as_deref(), expected, "{room}");
    }

    #[test]
    fn routine_names_are_elided_by_rule() {
        let names = ["main", "Copy", "__memcpy_ssse3_back"];
        check(&names, 2140, 400.0, Some("main › Copy › __memcpy_ssse3_back [2140]"));
        check(&names, 2140, 280.0, Some("… › Copy › __memcpy_ssse3_back [2140]"));
        check(&names, 2140, 225.0, Some("… › __memcpy_ssse3_back [2140]"));
        check(&names, 2140, 205.0, Some("__memcpy_ssse3_back [2140]"));
        check(&names, 2140, 182.0, Some("__memcpy_ss…_back [2140]"));
        let short = elide_routine(&names, 2140, 60.0, 12.0).unwrap();
        assert!(short.starts_with("__") && short.contains('…') && !short.contains('['), "{short}");
        check(&["main", "f"], 2140, 20.0, Some("f"));
        check(&names, 2140, 20.0, None);
        check(&["main"], 0, 60.0, Some("main"));
        check(&["main"], 0, 10.0, None);
        check(&[], 0, 60.0, Some(""));
    }

    #[test]
    fn file_names_lose_their_front_and_sentences_their_end() {
        assert_eq!(elide_front("stream.c", 60.0, 11.0).as_deref(), Some("stream.c"));
        assert_eq!(elide_front("ComputeNonbondedBase2.h", 64.0, 11.0).as_deref(), Some("…Base2.h"));
        assert_eq!(elide_front("ComputeNonbondedBase2.h", 9.0, 11.0), None);
        assert_eq!(elide_end("a long sentence", 60.0, 12.0, false), "a long …");
        assert_eq!(elide_end("a long sentence", 4.0, 12.0, false), "");
    }

    #[test]
    fn long_names_take_no_long_time() {
        let name = "é".repeat(512);
        check(&[&name], 7, 10.0, Some("[7]").filter(|_| false));
        assert!(elide_routine(&[&name], 7, 200.0, 12.0).is_some_and(|text| text.ends_with("[7]")));
    }
}
