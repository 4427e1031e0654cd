//! Colours as gnuplot and X11 call them, because the reference tool's models name them so.

const NAMED: [(&str, [u8; 3]); 32] = [
    ("red", [255, 0, 0]),
    ("green", [0, 255, 0]),
    ("blue", [0, 0, 255]),
    ("yellow", [255, 255, 0]),
    ("orange", [255, 165, 0]),
    ("purple", [160, 32, 240]),
    ("black", [0, 0, 0]),
    ("white", [255, 255, 255]),
    ("gray", [190, 190, 190]),
    ("cyan", [0, 255, 255]),
    ("magenta", [255, 0, 255]),
    ("brown", [165, 42, 42]),
    ("pink", [255, 192, 203]),
    ("gold", [255, 215, 0]),
    ("violet", [238, 130, 238]),
    ("turquoise", [64, 224, 208]),
    ("navy", [0, 0, 128]),
    ("maroon", [176, 48, 96]),
    ("salmon", [250, 128, 114]),
    ("coral", [255, 127, 80]),
    ("khaki", [240, 230, 140]),
    ("orchid", [218, 112, 214]),
    ("plum", [221, 160, 221]),
    ("tan", [210, 180, 140]),
    ("darkgreen", [0, 100, 0]),
    ("darkblue", [0, 0, 139]),
    ("darkred", [139, 0, 0]),
    ("darkorange", [255, 140, 0]),
    ("lightblue", [173, 216, 230]),
    ("lightgreen", [144, 238, 144]),
    ("darkgray", [169, 169, 169]),
    ("lightgray", [211, 211, 211]),
];

/// Red, green and blue of `dark-green`, `Gray`, `grey` or `#1f77b4`; `None` if it is no colour.
pub fn parse(text: &str) -> Option<[u8; 3]> {
    if let Some(digits) = text.strip_prefix('#') {
        let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
        let [_, red, green, blue] = number.to_be_bytes();
        return Some([red, green, blue]);
    }
    let name = text.to_ascii_lowercase().replace(['-', ' '], "").replace("grey", "gray");
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, colour)| *colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_has_a_name_or_six_digits() {
        for (text, colour) in [
            ("red", [255, 0, 0]),
            ("dark-green", [0, 100, 0]),
            ("Light Grey", [211, 211, 211]),
            ("#1F77b4", [0x1f, 0x77, 0xb4]),
        ] {
            assert_eq!(parse(text), Some(colour), "{text}");
        }
        for text in ["", "reddish", "#12345", "#+12345", "#1234567", "#12345é"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
