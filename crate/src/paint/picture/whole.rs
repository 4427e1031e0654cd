//! The whole picture as one SVG: title, phases, source lane, address lane, performance lane with
//! its legend, density of samples, time axis.

use super::key::{Entry, HEADER, entries, header, rows, sparse};
use crate::paint::View;
use crate::paint::memory::{Costs, Sampled, address, address_header, has_address};
use crate::paint::performance::{
    alone, performance, sample_marks as marks, sample_places as places, samples,
    samples_strip as strip,
};
use crate::paint::scale::{THIN, count, number};
use crate::paint::scene::{
    Anchor, FAMILY, Face, Frame, Pen, Svg, css, elide_end, escape, printable, short,
};
use crate::paint::source::source;
use crate::paint::time::{DENSITY, RAIL, axis, density, rail};
use crate::quantity::time_unit;
use crate::result::{Cloud, Folding, References};

/// Heights in px: title line, axis, room at the foot and between lanes.
const TITLE: f64 = 32.0;
const AXIS: f64 = 28.0;
const FOOT: f64 = 8.0;
const LANE_GAP: f64 = 8.0;

/// Px from the last lane to the density strip.
const DENSITY_GAP: f64 = 6.0;

/// Least and largest height of the picture.
const HEIGHTS: (f64, f64) = (320.0, 8192.0);

/// The source lane's share of what is free, and its height beside one counter alone.
const SOURCE_SHARE: f64 = 0.27;
const SOURCE_ALONE: f64 = 34.0;

/// The source lane's share above an address lane, which has as much as the performance lane.
const SOURCE_ABOVE: f64 = 0.22;
const RATE_SHARE: f64 = 0.38;

/// Points that an SVG draws one by one; of more, one to a pixel.
const MANY: usize = 20_000;

/// The picture of `view.width` by `view.height` px; text as text, names from the trace escaped.
/// `cloud` is drawn with one counter alone, `references` without.
pub fn picture_svg(
    folding: &Folding,
    view: &View,
    cloud: Option<&Cloud>,
    references: Option<&References>,
) -> String {
    let height =
        if view.height.is_finite() { view.height.clamp(HEIGHTS.0, HEIGHTS.1) } else { HEIGHTS.0 };
    let view = View { height, ..view.clone() };
    let view = view.with_matched(folding, references);
    let single = alone(folding, &view).is_some();
    let entries = entries(folding, &view, cloud);
    let mut sheet = Sheet { folding, view: &view, body: String::new(), y: 0.0 };

    let rows = rows(&Frame::of(&view), &entries) as f64;
    let group = folding.group(view.group);
    let addressed = group.filter(|group| !single && has_address(group));
    let more = if single || addressed.is_some() { 2.0 } else { 1.0 };
    let headers = HEADER * more + HEADER * rows;
    let gaps = LANE_GAP * more;
    let phases = group.is_some_and(|group| !group.phases.is_empty());
    let sampled = group.is_some_and(|group| !group.density.is_empty());
    let rail_height = if phases { RAIL } else { 0.0 };
    let density_height = if sampled { DENSITY_GAP + DENSITY } else { 0.0 };
    let free = height - TITLE - rail_height - headers - gaps - density_height - AXIS - FOOT - 4.0;
    let share = if addressed.is_some() { SOURCE_ABOVE } else { SOURCE_SHARE };
    let source_height = if single { SOURCE_ALONE } else { (share * free).max(40.0) };
    let rest = (free - source_height).max(60.0);

    sheet.lane(TITLE, &|pen, view| title(pen, folding, view));
    if phases {
        let at = sheet.y;
        sheet.lane(RAIL, &|pen, view| phases_title(pen, view));
        sheet.y = at;
        sheet.lane(RAIL, &|pen, view| drop(rail(pen, folding, view)));
    }
    sheet.header("Source", &[], 1.0);
    sheet.lane(libm::floor(source_height), &|pen, view| {
        source(pen, folding, view);
    });
    sheet.y += LANE_GAP;
    if single {
        sheet.header("Rate", &Vec::from_iter(sparse(folding, &view)), 1.0);
        sheet.lane(libm::floor(RATE_SHARE * rest), &|pen, view| {
            performance(pen, folding, view);
        });
        sheet.y += LANE_GAP;
        sheet.header("Samples", &entries, rows);
        let height = libm::floor((1.0 - RATE_SHARE) * rest);
        let at = sheet.y;
        if let Some(cloud) = cloud {
            sheet.lane(height, &|pen, view| dots(pen, folding, view, cloud));
        }
        sheet.y = at;
        sheet.lane(height, &|pen, view| drop(samples(pen, folding, view, cloud)));
    } else {
        let mut height = rest;
        if let Some(group) = addressed {
            height = rest / 2.0;
            let costs = references.map(Costs::of);
            let sampled = references.zip(costs.as_ref());
            let sampled = sampled.map(|(references, costs)| Sampled { references, costs });
            sheet.lane(HEADER, &|pen, view| address_header(pen, group, view, costs.as_ref()));
            sheet.lane(libm::floor(height), &|pen, view| {
                address(pen, folding, view, sampled, false);
            });
            sheet.y += LANE_GAP;
        }
        sheet.header("Performance", &entries, rows);
        sheet.lane(libm::floor(height), &|pen, view| {
            performance(pen, folding, view);
        });
    }
    if sampled {
        sheet.y += DENSITY_GAP;
        sheet.lane(DENSITY, &|pen, view| drop(density(pen, folding, view)));
    }
    sheet.y += 4.0;
    sheet.lane(AXIS, &|pen, view| drop(axis(pen, folding, view)));
    sheet.finish()
}

/// What paints a part of the picture.
type Paint<'a> = &'a dyn Fn(&dyn Pen, &View);

/// A picture that grows downwards.
struct Sheet<'a> {
    folding: &'a Folding,
    view: &'a View,
    body: String,
    y: f64,
}

impl Sheet<'_> {
    /// The next `height` px of the picture.
    fn lane(&mut self, height: f64, paint: Paint<'_>) {
        let view = View { height, ..self.view.clone() };
        let frame = Frame::of(&view);
        let svg = Svg::default();
        paint(&svg, &view);
        self.body += &format!(
            "<svg y=\"{}\" width=\"{}\" height=\"{}\">\n{}</svg>\n",
            self.y,
            frame.width,
            frame.height,
            svg.elements()
        );
        self.y += frame.height;
    }

    fn header(&mut self, title: &str, entries: &[Entry], rows: f64) {
        self.lane(HEADER * rows, &|pen, view| header(pen, view, title, entries));
    }

    fn finish(self) -> String {
        let width = Frame::of(self.view).width;
        let height = self.view.height.max(libm::ceil(self.y));
        let surface = css(self.view.theme.tokens().surface);
        let name =
            escape(&printable(&format!("{} in {}", self.folding.region, self.folding.trace.name)));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" stroke-linejoin=\"round\" \
             font-family='{FAMILY}'>\n<title>{name}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{surface}\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// The rail's title, where its gutter has room.
fn phases_title(pen: &dyn Pen, view: &View) {
    let frame = Frame::of(view);
    let face = Face::bold(13.0, view.theme.tokens().ink);
    if face.width("Phases") + 12.0 <= frame.left {
        pen.text((12.0, 15.0), Anchor::Start, "Phases", face);
    }
}

/// The title line analysts know: region, group, instances kept, mean duration, mean count; at the
/// right the trace, and that a generator made it if one did.
fn title(pen: &dyn Pen, folding: &Folding, view: &View) {
    let frame = Frame::of(view);
    let tokens = view.theme.tokens();
    let (plain, strong) = (Face::plain(12.0, tokens.ink2), Face::bold(15.0, tokens.ink));
    // That a trace was generated is said even where its name has no room.
    let made = if folding.trace.generated { "generated example" } else { "" };
    let dot = if made.is_empty() { "" } else { " · " };
    let room = (if frame.narrow() { 0.36 } else { 0.4 }) * frame.width
        - plain.width(made)
        - plain.width(dot);
    let name = elide_end(&printable(&folding.trace.name), room, 12.0, false);
    let trace = if name.is_empty() { made.to_string() } else { format!("{name}{dot}{made}") };
    pen.text((frame.width - 12.0, 21.0), Anchor::End, &trace, plain);
    let right = frame.width - 12.0 - plain.width(&trace) - 20.0;
    let mut x = 12.0;
    let region = printable(&folding.region);
    let region = region.split_once(':').map_or(region.as_str(), |(_, value)| value);
    let region = elide_end(region, (right - x) * 0.6, 15.0, true);
    pen.text((x, 21.0), Anchor::Start, &region, strong);
    x += strong.width(&region) + 20.0;
    for fact in facts(folding, view) {
        if x + plain.width(&fact) > right {
            break;
        }
        pen.text((x, 21.0), Anchor::Start, &fact, plain);
        x += plain.width(&fact) + 20.0;
    }
}

fn facts(folding: &Folding, view: &View) -> Vec<String> {
    let Some(group) = folding.group(view.group) else { return Vec::new() };
    let (unit, per_unit) = time_unit(group.mean_duration_ns);
    let mut facts = Vec::new();
    if folding.groups.len() > 1 {
        facts.push(format!("group {} of {}", group.number, folding.groups.len()));
    }
    facts.push(format!("{} of {} instances", group.kept, group.instances));
    facts.push(format!("mean {}{THIN}{unit}", number(group.mean_duration_ns / per_unit, 1)));
    let counter = alone(folding, view).or_else(|| group.instructions());
    if let Some(curve) = counter {
        let name = if curve.instructions { "instructions" } else { short(&curve.counter) };
        facts.push(format!("{} {}", count(curve.mean_count), printable(name)));
    }
    facts
}

/// The samples as points.
fn dots(pen: &dyn Pen, folding: &Folding, view: &View, cloud: &Cloud) {
    let frame = Frame::of(view);
    if let Some(curve) = alone(folding, view) {
        let strip = strip(&frame, curve, Some(cloud));
        for (kind, radius, colour, opacity) in marks(view.theme.tokens()) {
            let many = places(cloud, kind, &frame, &strip).count() > MANY;
            let mut taken =
                vec![false; if many { (frame.width * (frame.height + 2.0)) as usize } else { 0 }];
            for (x, y) in places(cloud, kind, &frame, &strip) {
                let pixel = y as usize * frame.width as usize + x as usize;
                if !taken.get_mut(pixel).is_some_and(|taken| std::mem::replace(taken, true)) {
                    pen.dot((x, y), radius, colour, opacity);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;
    use crate::paint::picked::Picked;
    use crate::paint::scene::Theme;

    /// The text that the picture shows, element by element.
    fn texts(svg: &str) -> Vec<&str> {
        let open = svg.split("<text").skip(1).filter_map(|text| text.split_once('>'));
        open.filter_map(|(_, text)| Some(text.split_once("</text>")?.0)).collect()
    }

    #[test]
    fn the_title_line_tells_what_analysts_look_for() {
        let svg = picture_svg(&example::namd(), &example::view(1280.0, 640.0), None, None);
        let expected = [
            "main",
            "26 of 38 instances",
            "mean 14\u{202f}647.7\u{202f}ms",
            "60.20\u{202f}G instructions",
            "444.namd.prv",
        ];
        let texts = texts(&svg);
        assert!(expected.iter().all(|fact| texts.contains(fact)), "{texts:?}");
    }

    #[test]
    fn a_generated_trace_is_named_so() {
        let svg = picture_svg(&example::stream(), &example::view(976.0, 640.0), None, None);
        assert!(texts(&svg).contains(&"stream.prv · generated example"));
    }

    #[test]
    fn every_shown_counter_is_in_the_legend() {
        let svg = picture_svg(&example::namd(), &example::view(976.0, 640.0), None, None);
        for name in [
            "Cycles",
            "Branches",
            "L1D misses",
            "L2 misses",
            "LLC misses",
            "MIPS",
            "too few samples",
        ] {
            assert!(texts(&svg).contains(&name), "{name}");
        }
    }

    #[test]
    fn odd_foldings_make_well_formed_pictures() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg = picture_svg(
                    &folding,
                    &view,
                    Some(&example::cloud()),
                    Some(&example::references()),
                );
                assert!(
                    !svg.contains("<script") && !svg.contains('\u{1b}') && !svg.contains("NaN")
                );
                for tag in ["svg", "text"] {
                    let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
                    assert_eq!(svg.matches(&open).count(), svg.matches(&close).count(), "{tag}");
                }
            }
        }
    }

    /// `TRACEFOLD_PICTURES=folder cargo test pictures_to_look_at` writes what the tests draw.
    #[test]
    fn pictures_to_look_at() {
        let Some(folder) = std::env::var_os("TRACEFOLD_PICTURES").map(std::path::PathBuf::from)
        else {
            return;
        };
        let narrow = View { left: 32.0, right: 50.0, ..example::view(400.0, 520.0) };
        let wide = example::view(976.0, 680.0);
        let dark = View { theme: Theme::Dark, ..wide.clone() };
        let contrast = View { theme: Theme::Contrast, ..wide.clone() };
        let single = View { counter: Some("PAPI_TOT_INS".into()), ..wide.clone() };
        let zoomed = View { from: 0.3, to: 0.45, ..wide.clone() };
        let cloud = example::cloud();
        let pictures = [
            ("namd-light", example::namd(), &wide, None),
            ("namd-dark", example::namd(), &dark, None),
            ("namd-contrast", example::namd(), &contrast, None),
            ("namd-narrow", example::namd(), &narrow, None),
            ("namd-zoomed", example::namd(), &zoomed, None),
            ("counter-light", example::namd(), &single, Some(&cloud)),
            ("stream-light", example::stream(), &wide, None),
            ("stream-dark", example::stream(), &dark, None),
            ("stream-narrow", example::stream(), &narrow, None),
        ];
        for (name, folding, view, cloud) in pictures {
            std::fs::write(
                folder.join(format!("{name}.svg")),
                picture_svg(&folding, view, cloud, None),
            )
            .unwrap();
        }
        let references = example::references();
        let many = example::many(60_000);
        let level = View { by_level: true, ..wide.clone() };
        let picked = View { picked: Some(Picked::Object("b".into())), ..wide.clone() };
        let alone = View { object: Some("b".into()), ..wide.clone() };
        let tall = View { height: 640.0, ..narrow.clone() };
        for (name, view, references) in [
            ("light", &wide, &references),
            ("dark", &dark, &references),
            ("contrast", &contrast, &references),
            ("narrow", &tall, &references),
            ("many", &wide, &many),
            ("level", &level, &references),
            ("picked", &picked, &references),
            ("alone", &alone, &references),
        ] {
            let svg = picture_svg(&example::addressed(), view, None, Some(references));
            std::fs::write(folder.join(format!("address-{name}.svg")), svg).unwrap();
        }
        let models = example::modelled();
        for name in ["stack", "lines"] {
            let view = View { model: Some(name.to_owned()), ..wide.clone() };
            let svg = picture_svg(&models, &view, None, None);
            std::fs::write(folder.join(format!("model-{name}.svg")), svg).unwrap();
        }
        for (index, folding) in example::odd().into_iter().enumerate() {
            std::fs::write(
                folder.join(format!("odd-{index}.svg")),
                picture_svg(&folding, &wide, None, None),
            )
            .unwrap();
        }
    }
}
