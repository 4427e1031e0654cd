//! A figure as one SVG: title, the lanes in the order of the page with their legends, and a caption.

use std::fmt::Write;

use super::address::AddressHeader;
use super::caption::{caption, height as height_of, lines};
use super::figure::Figure;
use super::heights::Heights;
use super::legend::{
    Entry, NO_TITLE, doings, entries, gauges, header, height, title as lane_title, too_few,
};
use super::sheet::{Paint, part, sheet};
use super::title::{TITLE, title};
use crate::folding::{Cloud, Folding, References};
use crate::paint::View;
use crate::paint::activity::activity;
use crate::paint::gauge::{gauge, gauge_title};
use crate::paint::memory::{Costs, Raster, Sampled, address};
use crate::paint::performance::{alone, cloud_image, comfortable, performance, samples};
use crate::paint::scene::{FEW, Frame, IMAGE_DENSITY, RgbaImage, data_url};
use crate::paint::source::source;
use crate::paint::time::{DENSITY, RAIL, axis, density, rail};

/// Heights in px: axis, room at the foot and between lanes.
const AXIS: f64 = 28.0;
const FOOT: f64 = 8.0;
const LANE_GAP: f64 = 8.0;

/// Px from the last lane to the density strip, from there to the axis, and from that to the caption.
const DENSITY_GAP: f64 = 6.0;
const AXIS_GAP: f64 = 4.0;
const CAPTION_GAP: f64 = 6.0;

/// The figure of a group; text as text, names from the trace escaped. `cloud` is drawn with one counter
/// alone, `references` without. As high as its lanes need: no strip is squeezed.
#[inline(never)]
pub fn figure_svg(
    folding: &Folding,
    figure: &Figure,
    cloud: Option<&Cloud>,
    references: Option<&References>,
) -> String {
    let view = &figure.view().with_matched(folding, references);
    let group = folding.group(view.group);
    let is_alone = alone(folding, view).is_some();
    let heights = Heights::of(figure, group, is_alone, comfortable(folding, view));
    let of_lane = View { height: heights.performance, ..view.clone() };
    let entries = entries(folding, &of_lane, cloud);
    let mut sheet = Sheet { folding, figure, view, body: String::new(), y: 0.0 };

    sheet.part(TITLE, &|pen, view| title(pen, folding, view));
    if group.is_some_and(|group| !group.phases.is_empty()) {
        sheet.part(RAIL, &|pen, view| {
            if view.left >= NO_TITLE {
                lane_title(pen, view, "Phases");
            }
            rail(pen, folding, view);
        });
    }
    if let Some(group) = group.filter(|_| heights.activity > 0.0) {
        sheet.header("Activity", &doings(group, view));
        sheet.lane(heights.activity, &|pen, view| {
            activity(pen, folding, view);
        });
    }
    if heights.source > 0.0 {
        sheet.header("Source", &[]);
        sheet.lane(heights.source, &|pen, view| {
            source(pen, folding, view);
        });
    }
    if let Some(group) = group.filter(|_| heights.address > 0.0) {
        let costs = references.map(Costs::of);
        let sampled = references.zip(costs.as_ref());
        let sampled = sampled.map(|(references, costs)| Sampled { references, costs });
        let of_lane = View { height: heights.address, ..view.clone() };
        let mut raster = Raster::default();
        let image = sampled.and_then(|of| raster.image(folding, &of_lane, of, IMAGE_DENSITY, FEW));
        let is_image = image.is_some();
        let header = AddressHeader::of(group, view, costs.as_ref());
        sheet.part(header.height(&Frame::of(view)), &|pen, view| header.draw(pen, view));
        sheet.image(image, heights.address);
        sheet.lane(heights.address, &|pen, view| {
            address(pen, folding, view, sampled, is_image);
        });
    }
    if heights.performance > 0.0 {
        let rate = Vec::from_iter(too_few(folding, view));
        match is_alone {
            true => sheet.header("Rate", &rate),
            false => sheet.header("Performance", &entries),
        }
        sheet.lane(heights.performance, &|pen, view| {
            performance(pen, folding, view);
        });
    }
    if let Some(group) = group.filter(|_| heights.gauge > 0.0) {
        sheet.header(gauge_title(group, view), &gauges(group, view));
        sheet.lane(heights.gauge, &|pen, view| {
            gauge(pen, folding, view);
        });
    }
    if heights.samples > 0.0 {
        sheet.header("Samples", &entries);
        let of_lane = View { height: heights.samples, ..view.clone() };
        let many = cloud.filter(|cloud| cloud.x.len() > FEW);
        let image = many.map(|cloud| cloud_image(cloud, folding, &of_lane, IMAGE_DENSITY));
        sheet.image(image.as_ref(), heights.samples);
        sheet.lane(heights.samples, &|pen, view| {
            samples(pen, folding, view, cloud, image.is_some());
        });
    }
    sheet.y -= LANE_GAP;
    if group.is_some_and(|group| !group.density.is_empty()) {
        sheet.y += DENSITY_GAP;
        sheet.part(DENSITY, &|pen, view| {
            density(pen, folding, view);
        });
    }
    sheet.y += AXIS_GAP;
    sheet.part(AXIS, &|pen, view| {
        axis(pen, folding, view);
    });
    let caption_lines = lines(figure, folding, view);
    sheet.y += CAPTION_GAP;
    sheet.part(height_of(&caption_lines), &|pen, view| caption(pen, view, &caption_lines));
    sheet.finish()
}

/// A picture that grows downwards.
struct Sheet<'a> {
    folding: &'a Folding,
    figure: &'a Figure,
    view: &'a View,
    body: String,
    y: f64,
}

impl Sheet<'_> {
    /// The next `height` px of the picture.
    fn part(&mut self, height: f64, paint: Paint<'_>) {
        self.body += &part((0.0, self.y), &View { height, ..self.view.clone() }, paint);
        self.y += height;
    }

    /// Very many marks as one image, below the next lane, which is so high.
    fn image(&mut self, image: Option<&RgbaImage>, height: f64) {
        let Some(image) = image else { return };
        let frame = Frame::of(&View { height, ..self.view.clone() });
        let (x, y) = (image.left_px, self.y + image.top_px);
        let (width, url) = (frame.right - frame.left, data_url(image));
        // A string takes whatever is written.
        let _ = writeln!(
            self.body,
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" href=\"{url}\"/>"
        );
    }

    /// A part, and what is free below it.
    fn lane(&mut self, height: f64, paint: Paint<'_>) {
        self.part(height, paint);
        self.y += LANE_GAP;
    }

    fn header(&mut self, title: &str, entries: &[Entry]) {
        let height = height(&Frame::of(self.view), entries);
        self.part(height, &|pen, view| header(pen, view, title, entries));
    }

    fn finish(self) -> String {
        let size = (Frame::of(self.view).width, libm::ceil(self.y + FOOT));
        let name = format!("{} in {}", self.folding.region, self.folding.trace.name);
        sheet((self.figure.width, size), self.view.theme, &name, &self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example::{self, dots};
    use crate::paint::picked::Picked;
    use crate::paint::picture::{FigureLane, Width};
    use crate::paint::scene::{Face, Theme};

    /// The text that the picture shows, element by element.
    fn texts(svg: &str) -> Vec<&str> {
        let open = svg.split("<text").skip(1).filter_map(|text| text.split_once('>'));
        open.filter_map(|(_, text)| Some(text.split_once("</text>")?.0)).collect()
    }

    /// The figure that a view of lanes of some width is saved as.
    fn drawn(
        folding: &Folding,
        view: &View,
        cloud: Option<&Cloud>,
        references: Option<&References>,
    ) -> String {
        let grey = view.theme == Theme::Grey;
        let figure =
            Figure { view: view.clone(), width: Width::Px(view.width), grey, ..Figure::default() };
        figure_svg(folding, &figure, cloud, references)
    }

    /// Its size in px.
    fn size(svg: &str) -> (f64, f64) {
        let of = |key: &str| svg.split(key).nth(1)?.split('"').next()?.parse().ok();
        (of("width=\"").unwrap(), of("height=\"").unwrap())
    }

    #[test]
    fn a_figure_is_light_whatever_the_page_is() {
        let dark = View { theme: Theme::Dark, ..example::view(976.0, 640.0) };
        let light = drawn(&example::namd(), &example::view(976.0, 640.0), None, None);
        assert_eq!(drawn(&example::namd(), &dark, None, None), light);
    }

    #[test]
    fn a_figure_grows_with_its_strips_and_not_with_the_window() {
        let folding = example::many_counters();
        let all = folding.groups[0].curves.iter().map(|of| of.counter.clone()).collect::<Vec<_>>();
        let of = |curves: &[String], height: f64| {
            let view = View { curves: Some(curves.to_vec()), ..example::view(976.0, height) };
            let svg = drawn(&folding, &view, None, None);
            let texts = texts(&svg).into_iter().map(str::to_owned).collect::<Vec<_>>();
            (size(&svg).1, texts)
        };
        assert_eq!(of(&all, 58.0), of(&all, 5000.0));
        assert!(all.len() > 10, "{}", all.len());
        let (few, many) = (of(&all[..3], 600.0), of(&all, 600.0));
        assert!(many.0 > few.0 + 3.0 * 58.0, "{} {}", many.0, few.0);
    }

    #[test]
    fn lanes_are_chosen_and_a_figure_of_one_is_low() {
        let folding = example::stream();
        let of = |lanes: &[FigureLane]| {
            let view = example::view(976.0, 640.0);
            let figure = Figure { view, lanes: lanes.to_vec(), ..Figure::default() };
            let svg = figure_svg(&folding, &figure, None, None);
            let titles = ["Source", "Performance", "Phases"];
            (size(&svg).1, titles.map(|title| texts(&svg).contains(&title)))
        };
        let (whole, all) = of(&[]);
        let (source, alone) = of(&[FigureLane::Source]);
        assert_eq!((all, alone), ([true; 3], [true, false, true]));
        assert!(whole - source > 190.0, "{source} of {whole}");
    }

    #[test]
    fn a_caption_tells_how_to_make_the_figure_again_and_has_room_for_any_name() {
        let mut folding = example::stream();
        folding.trace.name = format!("{}<script>.prv", "n".repeat(400));
        folding.region = format!("User function:{}", "r".repeat(400));
        let settings = [("region", "User function:r"), ("fit", "spline"), ("curves", "1&2")];
        let settings = settings.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
        let view = View { from: 0.25, to: 0.5, ..example::view(976.0, 640.0) };
        for width in [Width::Mm(85.0), Width::Mm(170.0), Width::Px(976.0)] {
            let figure = Figure {
                view: view.clone(),
                width,
                settings: settings.clone(),
                ..Figure::default()
            };
            let svg = figure_svg(&folding, &figure, None, None);
            let words = texts(&svg).join(" \u{b7} ");
            let version = format!("Tracefold {}", env!("CARGO_PKG_VERSION"));
            for fact in ["fit=spline", "curves=1&amp;2", "shown from 25.0", "region rrr", &version]
            {
                assert!(words.contains(fact), "{fact} in {words}");
            }
            assert!(!words.contains("region=") && !svg.contains("<script"));
            let face = Face::plain(11.0, Theme::Light.tokens().ink);
            for (x, _, text) in example::words(&svg).into_iter().filter(|(x, ..)| *x == 12.0) {
                assert!(x + face.width(text) <= width.px(), "{text} is cut at {width:?}");
            }
        }
    }

    #[test]
    fn the_title_line_tells_what_analysts_look_for() {
        let svg = drawn(&example::namd(), &example::view(1280.0, 640.0), None, None);
        let expected = [
            "main",
            "26 of 38 instances",
            "mean 14\u{202f}648\u{202f}ms",
            "60.20\u{202f}G instructions",
            "444.namd.prv",
        ];
        let texts = texts(&svg);
        assert!(expected.iter().all(|fact| texts.contains(fact)), "{texts:?}");
    }

    #[test]
    fn a_generated_trace_is_named_so() {
        let svg = drawn(&example::stream(), &example::view(976.0, 640.0), None, None);
        assert!(texts(&svg).contains(&"stream.prv · generated example"));
    }

    #[test]
    fn every_shown_counter_is_in_the_legend() {
        let svg = drawn(&example::namd(), &example::view(976.0, 640.0), None, None);
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
    fn very_many_references_are_one_image() {
        let marks = |references: Option<&References>| {
            let view = example::view(976.0, 640.0);
            let svg = drawn(&example::addressed(), &view, None, references);
            (dots(&svg).len(), svg.matches("<image ").count())
        };
        // The lines of code are many, too.
        assert_eq!(marks(None), (0, 1));
        assert_eq!(marks(Some(&example::many(60_000))), (0, 2));
        let few = example::many(100);
        // Stores are squares.
        let loads = few.store.iter().filter(|store| **store == 0).count();
        assert_eq!(marks(Some(&few)), (loads, 1));
    }

    #[test]
    fn odd_foldings_make_well_formed_pictures() {
        for folding in example::odd() {
            for view in example::odd_views() {
                let svg =
                    drawn(&folding, &view, Some(&example::cloud()), Some(&example::references()));
                // Pixels of images are any letters.
                let lines = svg.lines().filter(|line| !line.starts_with("<image"));
                let svg = lines.collect::<Vec<_>>().join("\n");
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
        let grey = View { theme: Theme::Grey, ..wide.clone() };
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
            ("namd-grey", example::namd(), &grey, None),
            ("stream-grey", example::stream(), &grey, None),
            ("stream-light", example::stream(), &wide, None),
            ("stream-dark", example::stream(), &dark, None),
            ("stream-narrow", example::stream(), &narrow, None),
        ];
        for (name, folding, view, cloud) in pictures {
            std::fs::write(folder.join(format!("{name}.svg")), drawn(&folding, view, cloud, None))
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
            let svg = drawn(&example::addressed(), view, None, Some(references));
            std::fs::write(folder.join(format!("address-{name}.svg")), svg).unwrap();
        }
        let models = example::modelled();
        for name in ["stack", "lines"] {
            let view = View { model: Some(name.to_owned()), ..wide.clone() };
            let svg = drawn(&models, &view, None, None);
            std::fs::write(folder.join(format!("model-{name}.svg")), svg).unwrap();
        }
        for (index, folding) in example::odd().into_iter().enumerate() {
            std::fs::write(
                folder.join(format!("odd-{index}.svg")),
                drawn(&folding, &wide, None, None),
            )
            .unwrap();
        }
    }
}
