//! Colours: the tokens of the three themes and the twelve hues of routines and counters.
//!
//! The tables stand in the visual language (mockups/README.md), with the contrasts and colour
//! distances they were chosen for; the tests here check what a picture relies on.

use plotters::style::RGBColor;
use serde::Deserialize;

/// What the reader chose, or their system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    Dark,
    Contrast,
    /// Of a figure that is printed without colours.
    Grey,
    /// What is not among these is light.
    #[default]
    #[serde(other)]
    Light,
}

/// The colours of one theme that a picture uses.
#[derive(Debug)]
pub struct Tokens {
    /// Behind plots.
    pub surface: RGBColor,
    /// Where data is missing.
    pub sunken: RGBColor,
    /// Frames and hairlines.
    pub line: RGBColor,
    /// Axes and zero lines.
    pub axis: RGBColor,
    /// Values, titles, and the rate of instructions.
    pub ink: RGBColor,
    /// Labels and sentences.
    pub ink2: RGBColor,
    /// Ticks, units and hints.
    pub ink3: RGBColor,
    /// The fitted curve over its samples.
    pub accent: RGBColor,
    /// Breaks between phases.
    pub phase: RGBColor,
    /// Samples of instances that were left out.
    pub slower: RGBColor,
    /// Hues in order of use, as `0xRRGGBB`.
    pub palette: [u32; 12],
    /// The page behind the lanes: what a hole of the address lane shows.
    pub page: RGBColor,
    /// Loads by their latency, from the cheapest on, as `0xRRGGBB`: green to blue of even lightness,
    /// away from the surface.
    pub latency: [u32; 8],
    /// Stores.
    pub store: RGBColor,
    /// Opacity of grid lines.
    pub grid: f64,
    /// Opacity of a routine's band.
    pub band: f64,
    /// Opacity of a routine's band through other lanes.
    pub tint: f64,
    /// Opacity of a curve's confidence band.
    pub confidence: f64,
    /// Opacity of code lines.
    pub point: f64,
    /// Whether counters differ by dashes too, and confidence bands have an edge.
    pub patterns: bool,
    /// Whether there is no colour at all, so that lines of models differ by dashes too.
    pub grey: bool,
}

/// Counters take hues from the middle, so that no curve has the colour of a common routine.
const COUNTER_SLOTS: [usize; 6] = [4, 5, 7, 11, 6, 10];

/// Hues of parts of models: those that curves may have, then those of common routines.
const MODEL_SLOTS: [usize; 12] = [4, 5, 7, 11, 6, 10, 8, 9, 3, 2, 1, 0];
const NOT_OF_ROUTINES: usize = 8;

/// Lengths of dash and gap in px, by place in the legend; the first is solid.
const DASHES: [&[f64]; 5] = [&[], &[7.0, 3.0], &[2.5, 3.0], &[10.0, 3.0, 2.0, 3.0], &[4.0, 2.0]];

/// Contrast that text needs against what lies behind it.
const READABLE: f64 = 4.5;

/// The colour `0xRRGGBB`.
pub const fn rgb(hex: u32) -> RGBColor {
    RGBColor((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

static THEMES: [Tokens; 4] = [tokens(0), tokens(1), tokens(2), tokens(3)];

/// Of the light theme, the dark one, the one of more contrast, and greys: of these neighbours in the legend
/// are far apart, and none is lighter than a thin line may be.
const fn tokens(theme: usize) -> Tokens {
    Tokens {
        surface: rgb([0xFFFFFF, 0x17191D, 0xFFFFFF, 0xFFFFFF][theme]),
        sunken: rgb([0xF1F1EE, 0x1F2226, 0xFFFFFF, 0xF1F1F1][theme]),
        line: rgb([0xE3E3DE, 0x2C3036, 0x767676, 0xE0E0E0][theme]),
        axis: rgb([0x8A8E95, 0x6F7681, 0x000000, 0x8E8E8E][theme]),
        ink: rgb([0x16181D, 0xF2F4F7, 0x000000, 0x161616][theme]),
        ink2: rgb([0x4A4F58, 0xBAC0C9, 0x000000, 0x4E4E4E][theme]),
        ink3: rgb([0x666B74, 0x959CA7, 0x1F1F1F, 0x6A6A6A][theme]),
        accent: rgb([0x2F4FC4, 0x9DB2FF, 0x0000B8, 0x000000][theme]),
        phase: rgb([0x5B606A, 0x9AA1AC, 0x000000, 0x606060][theme]),
        slower: rgb([0xB4500B, 0xFFA35C, 0x8A2F00, 0x8E8E8E][theme]),
        palette: [
            [
                0x154BBF, 0xCB7A1A, 0x00A689, 0x623B6E, 0xBC3E55, 0x3279A2, 0x916700, 0x146137,
                0x7F8FCE, 0x980001, 0x809C5C, 0x81405A,
            ],
            [
                0xACC6FE, 0xD6A558, 0x36C7A3, 0xA174A2, 0xF8818B, 0x77A2D2, 0xB2850E, 0x99EDBD,
                0x757BDC, 0xD15F5E, 0xCEE570, 0xFDBAD7,
            ],
            [
                0x2E38B9, 0x6D460B, 0x226B4B, 0x3B2245, 0xC04F7A, 0x0B79C7, 0x8D7400, 0x003D2A,
                0x130C88, 0xC81F4B, 0x293301, 0x96316F,
            ],
            [
                0x2B2B2B, 0x868686, 0x525252, 0x6E6E6E, 0x8E8E8E, 0x3A3A3A, 0x7E7E7E, 0x606060,
                0x121212, 0x767676, 0x4A4A4A, 0x202020,
            ],
        ][theme],
        page: rgb([0xF7F7F5, 0x101214, 0xFFFFFF, 0xF7F7F7][theme]),
        latency: [
            [0x35A56F, 0x009C80, 0x00908D, 0x008297, 0x00719A, 0x005B9A, 0x004396, 0x16258E],
            [0x327957, 0x278C74, 0x189F94, 0x0FB1B6, 0x47C0D7, 0x81CCF0, 0xAFDAFF, 0xD6E9FF],
            [0x288F5E, 0x00866D, 0x007B7A, 0x006D83, 0x005981, 0x004076, 0x002767, 0x060855],
            [0x909090, 0x7E7E7E, 0x6C6C6C, 0x5A5A5A, 0x484848, 0x363636, 0x242424, 0x121212],
        ][theme],
        store: rgb([0x30343B, 0xD5D9DF, 0x000000, 0x303030][theme]),
        grid: [0.07, 0.10, 0.25, 0.07][theme],
        band: [0.15, 0.17, 0.15, 0.22][theme],
        tint: [0.045, 0.06, 0.045, 0.045][theme],
        confidence: [0.16, 0.16, 0.30, 0.16][theme],
        point: [0.85, 0.85, 1.0, 0.85][theme],
        patterns: [false, false, true, true][theme],
        grey: theme == 3,
    }
}

impl Theme {
    /// Its colours.
    pub fn tokens(self) -> &'static Tokens {
        match self {
            Theme::Light => &THEMES[0],
            Theme::Dark => &THEMES[1],
            Theme::Contrast => &THEMES[2],
            Theme::Grey => &THEMES[3],
        }
    }
}

impl Tokens {
    /// The hue of the `index`-th routine; from the thirteenth on the hues repeat, hatched.
    pub fn routine(&self, index: usize) -> RGBColor {
        self.palette.get(index % self.palette.len()).map_or(self.ink, |&hex| rgb(hex))
    }

    /// Whether the `index`-th routine has its hue from one before it.
    pub fn is_hatched(&self, index: usize) -> bool {
        index >= self.palette.len()
    }

    /// The hue of the `index`-th counter of the legend.
    pub fn counter(&self, index: usize) -> RGBColor {
        let slot = COUNTER_SLOTS.get(index % COUNTER_SLOTS.len());
        slot.map_or(self.ink, |&slot| self.routine(slot))
    }

    /// The hues of parts of a model, each next to the colour that its file asks for: of those that are
    /// free the nearest, told in the light theme, so that it is the same hue in all. No two are alike as
    /// long as there are hues, and those of common routines come last. What is asked for as black is
    /// ink, as grey is that of axes.
    pub fn of_model(&self, asked: &[Option<[u8; 3]>]) -> Vec<RGBColor> {
        let light = &THEMES[0].palette;
        let mut free: Vec<usize> = Vec::new();
        let hue = |asked: &Option<[u8; 3]>| {
            match *asked {
                Some([0, 0, 0]) => return self.ink,
                Some([r, g, b]) if r == g && g == b => return self.axis,
                _ => {}
            }
            if free.is_empty() {
                free = MODEL_SLOTS.to_vec();
            }
            let few = (free.len() + NOT_OF_ROUTINES).saturating_sub(MODEL_SLOTS.len()).max(1);
            let apart = |&place: &usize| {
                let [_, r, g, b] = light[free[place]].to_be_bytes();
                let of = |(a, b): (u8, u8)| u32::from(a.abs_diff(b)).pow(2);
                asked.map_or(0, |wanted| wanted.into_iter().zip([r, g, b]).map(of).sum::<u32>())
            };
            let slot = free.remove((0..few).min_by_key(apart).unwrap_or(0));
            self.routine(slot)
        };
        asked.iter().map(hue).collect()
    }

    /// Dash and gap lengths in px of the `index`-th counter of the legend; empty for solid.
    pub fn dash(&self, index: usize) -> &'static [f64] {
        let dash = DASHES.get(index % DASHES.len());
        if self.patterns { dash.copied().unwrap_or_default() } else { &[] }
    }

    /// `colour`, mixed with ink as far as text on the surface needs it.
    pub fn readable(&self, colour: RGBColor) -> RGBColor {
        let mixed = (0..10).map(|tenths| mix(colour, self.ink, f64::from(tenths) / 10.0));
        let mut readable = mixed.filter(|&c| contrast(c, self.surface) >= READABLE);
        readable.next().unwrap_or(self.ink)
    }
}

/// `a` with the share `of_b` of `b`.
pub fn mix(a: RGBColor, b: RGBColor, of_b: f64) -> RGBColor {
    let channel = |a: u8, b: u8| (f64::from(a) * (1.0 - of_b) + f64::from(b) * of_b + 0.5) as u8;
    RGBColor(channel(a.0, b.0), channel(a.1, b.1), channel(a.2, b.2))
}

/// `#RRGGBB`.
pub fn css(colour: RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2)
}

/// The colour of `#RRGGBB`; black where it is none.
pub fn of_css(text: &str) -> RGBColor {
    rgb(u32::from_str_radix(text.trim_start_matches('#'), 16).unwrap_or(0))
}

/// Contrast of two colours, 1 to 21. Source: WCAG 2.2, relative luminance.
pub fn contrast(a: RGBColor, b: RGBColor) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(RGBColor(r, g, b): RGBColor) -> f64 {
    let linear = |channel: u8| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEMES: [Theme; 4] = [Theme::Light, Theme::Dark, Theme::Contrast, Theme::Grey];

    #[test]
    fn text_reaches_its_contrast_on_surface_and_bands() {
        for theme in THEMES {
            let tokens = theme.tokens();
            for (text, least) in [(tokens.ink, 15.0), (tokens.ink2, 7.25), (tokens.ink3, 4.7)] {
                assert!(contrast(text, tokens.surface) >= least, "{theme:?} {text:?}");
                assert!(contrast(text, tokens.sunken) >= least.min(14.0), "{theme:?} {text:?}");
            }
            for hue in tokens.palette.map(rgb) {
                let band = mix(tokens.surface, hue, tokens.band);
                assert!(contrast(tokens.ink, band) >= 10.0, "{theme:?} {}", css(hue));
            }
        }
    }

    #[test]
    fn every_hue_is_seen_as_a_thin_line() {
        for theme in THEMES {
            let tokens = theme.tokens();
            for hue in tokens.palette.map(rgb) {
                assert!(contrast(hue, tokens.surface) >= 3.05, "{theme:?} {}", css(hue));
            }
        }
    }

    #[test]
    fn greys_are_grey_and_the_counters_of_a_strip_differ_by_lightness_or_dashes() {
        let tokens = Theme::Grey.tokens();
        let all = tokens.palette.into_iter().chain(tokens.latency).map(rgb);
        let named = [tokens.ink, tokens.axis, tokens.accent, tokens.slower, tokens.store];
        assert!(all.chain(named).all(|RGBColor(r, g, b)| r == g && g == b));
        let looks = (0..6).map(|index| (tokens.counter(index), tokens.dash(index)));
        let looks = looks.chain([(tokens.ink, &[][..])]).collect::<Vec<_>>();
        for (at, (colour, dash)) in looks.iter().enumerate() {
            for (other, dashed) in &looks[..at] {
                assert!(dash != dashed || contrast(*colour, *other) >= 1.5, "{colour:?} {other:?}");
            }
        }
    }

    #[test]
    fn breaks_and_hatching_are_seen() {
        for theme in THEMES {
            let tokens = theme.tokens();
            for (colour, opacity) in [(tokens.phase, 0.68), (tokens.ink3, 0.75)] {
                let seen = mix(tokens.surface, colour, opacity);
                assert!(contrast(seen, tokens.surface) >= 3.05, "{theme:?} {}", css(colour));
            }
        }
    }

    #[test]
    fn curve_labels_are_readable() {
        for theme in THEMES {
            let tokens = theme.tokens();
            for index in 0..12 {
                let label = tokens.readable(tokens.counter(index));
                assert!(contrast(label, tokens.surface) >= 4.5, "{theme:?} {index}");
            }
        }
    }

    #[test]
    fn counters_never_take_the_hue_of_a_common_routine() {
        let tokens = Theme::Light.tokens();
        let routines: Vec<_> = (0..4).map(|index| tokens.routine(index)).collect();
        assert!((0..40).all(|index| !routines.contains(&tokens.counter(index))));
        assert_eq!(css(tokens.counter(0)), "#BC3E55");
        assert_eq!(css(tokens.counter(3)), "#81405A");
    }

    #[test]
    fn the_page_has_the_same_hues() {
        let style = include_str!("../../../../www/style.css").to_uppercase();
        let [light, dark, contrast, _] = THEMES.map(|theme| theme.tokens().palette);
        for (index, ((light, dark), contrast)) in
            light.into_iter().zip(dark).zip(contrast).enumerate()
        {
            let [light, dark, contrast] = [light, dark, contrast].map(|hex| css(rgb(hex)));
            let usual = format!(".HUE-{index} {{ BACKGROUND: LIGHT-DARK({light}, {dark}); }}");
            let strong =
                format!("[DATA-THEME=CONTRAST] .HUE-{index} {{ BACKGROUND: {contrast}; }}");
            assert!(style.contains(&usual) && style.contains(&strong), "{index}: {usual} {strong}");
        }
    }

    #[test]
    fn themes_are_known_by_name() {
        let named = |name: &str| serde_json::from_value::<Theme>(name.into()).unwrap();
        assert_eq!(["dark", "DARK"].map(named), [Theme::Dark, Theme::Light]);
    }

    #[test]
    fn parts_of_a_model_have_hues_of_the_palette_near_those_asked_for() {
        let web = [[0x2e, 0x8b, 0x57], [0xcd, 0x5c, 0x5c], [0xda, 0xa5, 0x20], [0x41, 0x69, 0xe1]];
        let asked = web.map(Some);
        let hues = |theme: Theme, asked: &[Option<[u8; 3]>]| {
            theme.tokens().of_model(asked).into_iter().map(css).collect::<Vec<_>>()
        };
        // Green, rose, ochre and steel.
        assert_eq!(hues(Theme::Light, &asked), ["#146137", "#BC3E55", "#916700", "#3279A2"]);
        assert_eq!(hues(Theme::Dark, &asked), ["#99EDBD", "#F8818B", "#B2850E", "#77A2D2"]);
        let same = [asked[0]; 14];
        for theme in [Theme::Light, Theme::Dark, Theme::Contrast] {
            let tokens = theme.tokens();
            let all = tokens.of_model(&same);
            let mut first = all[..12].iter().copied().map(css).collect::<Vec<_>>();
            first.sort();
            first.dedup();
            assert_eq!(first.len(), 12, "none twice");
            let routines = (0..4).map(|index| tokens.routine(index)).collect::<Vec<_>>();
            assert!(all[..8].iter().all(|hue| !routines.contains(hue)));
            let plain = tokens.of_model(&[Some([0; 3]), Some([0x80; 3]), None, None]);
            assert_eq!(plain, [tokens.ink, tokens.axis, tokens.routine(4), tokens.routine(5)]);
        }
    }
}
