//! The whole picture as one SVG: title, and the lanes as they lie on the page, with their legends.

use std::fmt::Write;

use super::address::address_header;
use super::legend::{
    Entry, HEADER, NO_TITLE, doings, entries, gauges, header, height, title as lane_title, too_few,
};
use super::sheet::{Paint, part, sheet};
use super::title::{TITLE, title};
use crate::folding::{Cloud, Folding, References};
use crate::paint::View;
use crate::paint::activity::{activity, has_activity};
use crate::paint::gauge::{gauge, gauge_title, has_gauge};
use crate::paint::memory::{Costs, Raster, Sampled, address, has_address};
use crate::paint::performance::{alone, cloud_image, performance, samples};
use crate::paint::scene::{Frame, RgbaImage, data_url};
use crate::paint::source::source;
use crate::paint::time::{DENSITY, RAIL, axis, density, rail};

/// Heights in px: axis, room at the foot and between lanes.
const AXIS: f64 = 28.0;
const FOOT: f64 = 8.0;
const LANE_GAP: f64 = 8.0;

/// Px from the last lane to the density strip, and from there to the axis.
const DENSITY_GAP: f64 = 6.0;
const AXIS_GAP: f64 = 4.0;

/// Least and largest height of all lanes together.
const HEIGHTS: (f64, f64) = (200.0, 8192.0);

/// The activity lane's share of that. With one counter alone it leaves.
const ACTIVITY: f64 = 0.2;

/// That of the lane of gauges, of the same.
const GAUGE: f64 = 0.14;

/// The source lane's share of the rest, and above an address lane; its height beside one counter alone.
const SOURCE: f64 = 0.27;
const SOURCE_ABOVE: f64 = 0.22;
const SOURCE_ALONE: f64 = 34.0;

/// Share of one counter's rate of what it shares with its samples.
const RATE: f64 = 0.38;

/// Pixels of a px of images in a picture: sharp on paper at 200 dots per inch and more.
const IMAGE_DENSITY: f64 = 2.0;

/// More marks than this are an image: as many circles take as much room as their image (100 bytes each,
/// 150 kB).
const FEW: usize = 1500;

/// Heights of the lanes, as the page gives them (`www/lanes/sizes.ts`); 0 of one that is not shown.
#[derive(Debug, PartialEq)]
struct Heights {
    activity: f64,
    source: f64,
    address: f64,
    performance: f64,
    gauge: f64,
    samples: f64,
}

/// Which lanes a group has, but for those that every one has.
#[derive(Clone, Copy, Default)]
struct Has {
    activity: bool,
    source: bool,
    address: bool,
    gauge: bool,
}

impl Heights {
    /// With one counter alone the source lane keeps its names only, activity, addresses and
    /// gauges leave, and the samples get more than the rate.
    fn of(all: f64, is_alone: bool, has: Has) -> Heights {
        let share = |has: bool, height: f64| if has { libm::round(height) } else { 0.0 };
        if is_alone {
            let source = share(has.source, SOURCE_ALONE);
            let performance = libm::round((all - source) * RATE);
            return Heights {
                activity: 0.0,
                source,
                address: 0.0,
                performance,
                gauge: 0.0,
                samples: all - source - performance,
            };
        }
        let activity = share(has.activity, all * ACTIVITY);
        let gauge = share(has.gauge, all * GAUGE);
        let all = all - activity - gauge;
        let source = share(has.source, all * if has.address { SOURCE_ABOVE } else { SOURCE });
        let address = share(has.address, (all - source) / 2.0);
        let performance = all - source - address;
        Heights { activity, source, address, performance, gauge, samples: 0.0 }
    }
}

/// The picture of lanes of `view.width` by `view.height` px in all; text as text, names from the
/// trace escaped. `cloud` is drawn with one counter alone, `references` without.
#[inline(never)]
pub fn picture_svg(
    folding: &Folding,
    view: &View,
    cloud: Option<&Cloud>,
    references: Option<&References>,
) -> String {
    let view = &view.clone().with_matched(folding, references);
    let group = folding.group(view.group);
    let is_alone = alone(folding, view).is_some();
    let has_source = group.is_none_or(|group| group.has_source());
    let all =
        if view.height.is_finite() { view.height.clamp(HEIGHTS.0, HEIGHTS.1) } else { HEIGHTS.0 };
    let has = Has {
        activity: group.is_some_and(has_activity),
        source: has_source,
        address: group.is_some_and(has_address),
        gauge: group.is_some_and(has_gauge),
    };
    let heights = Heights::of(all, is_alone, has);
    let of_lane = View { height: heights.performance, ..view.clone() };
    let entries = entries(folding, &of_lane, cloud);
    let mut sheet = Sheet { folding, view, body: String::new(), y: 0.0 };

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
        sheet.part(HEADER, &|pen, view| address_header(pen, group, view, costs.as_ref()));
        sheet.image(image, heights.address);
        sheet.lane(heights.address, &|pen, view| {
            address(pen, folding, view, sampled, is_image);
        });
    }
    if is_alone {
        sheet.header("Rate", &Vec::from_iter(too_few(folding, view)));
    } else {
        sheet.header("Performance", &entries);
    }
    sheet.lane(heights.performance, &|pen, view| {
        performance(pen, folding, view);
    });
    if let Some(group) = group.filter(|_| heights.gauge > 0.0) {
        sheet.header(gauge_title(group, view), &gauges(group, view));
        sheet.lane(heights.gauge, &|pen, view| {
            gauge(pen, folding, view);
        });
    }
    if is_alone {
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
    sheet.finish()
}

/// A picture that grows downwards.
struct Sheet<'a> {
    folding: &'a Folding,
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
        sheet(size, self.view.theme, &name, &self.body)
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
    fn lanes_share_their_height_as_on_the_page() {
        let with = |activity, is_alone, source, address| {
            let has = Has { activity, source, address, gauge: false };
            let Heights { activity, source, address, performance, gauge, samples } =
                Heights::of(600.0, is_alone, has);
            assert_eq!(activity + source + address + performance + samples, 600.0);
            assert_eq!(gauge, 0.0);
            ([source, address, performance, samples], activity)
        };
        let has = Has { activity: true, gauge: true, ..Has::default() };
        let heights = Heights::of(600.0, false, has);
        assert_eq!((heights.activity, heights.gauge, heights.performance), (120.0, 84.0, 396.0));
        let heights =
            |is_alone, has_source, has_address| with(false, is_alone, has_source, has_address).0;
        assert_eq!(with(true, false, true, false), ([130.0, 0.0, 350.0, 0.0], 120.0));
        assert_eq!(with(true, true, true, false), ([34.0, 0.0, 215.0, 351.0], 0.0));
        assert_eq!(heights(false, true, false), [162.0, 0.0, 438.0, 0.0]);
        assert_eq!(heights(false, true, true), [132.0, 234.0, 234.0, 0.0]);
        assert_eq!(heights(false, false, false), [0.0, 0.0, 600.0, 0.0]);
        assert_eq!(heights(true, true, true), [34.0, 0.0, 215.0, 351.0]);
        assert_eq!(heights(true, false, false), [0.0, 0.0, 228.0, 372.0]);
    }

    #[test]
    fn the_title_line_tells_what_analysts_look_for() {
        let svg = picture_svg(&example::namd(), &example::view(1280.0, 640.0), None, None);
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
    fn very_many_references_are_one_image() {
        let marks = |references: Option<&References>| {
            let view = example::view(976.0, 640.0);
            let svg = picture_svg(&example::addressed(), &view, None, references);
            (svg.matches("<circle").count(), svg.matches("<image ").count())
        };
        let (of_code, _) = marks(None);
        assert_eq!(marks(Some(&example::many(60_000))), (of_code, 1));
        let few = example::many(100);
        // Stores are squares.
        let loads = few.store.iter().filter(|store| **store == 0).count();
        assert_eq!(marks(Some(&few)), (of_code + loads, 0));
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
