//! Numbers of a link that are read and not computed with, rounded to more digits than are printed.

use crate::folding::{BandWidth, Group, PlaceTime};

/// Digits of rates, times and costs, and of half widths.
#[derive(Clone, Copy)]
pub struct Digits {
    of_numbers: f64,
    of_half_widths: f64,
}

/// Places are rounded to one of so many steps of the region, always: as moments they are printed with
/// five digits, times a duration, so that no rounding of fewer digits is sure to print the same.
const STEPS: f64 = 1e9;

/// Tables print four digits at most, and two of a half width: one number in a hundred thousand can
/// differ in its last digit.
pub const EXACT: Digits = Digits { of_numbers: 9.0, of_half_widths: 6.0 };
pub const SHORT: Digits = Digits { of_numbers: 6.0, of_half_widths: 3.0 };

/// Rounds what is read and not computed with.
pub fn shorten(group: &mut Group, tables: Digits) {
    let place = |x: &mut f64| *x = libm::round(*x * STEPS) / STEPS;
    let short = |value: &mut f64| *value = digits(tables.of_numbers, *value);
    for found in &mut group.breaks {
        place(&mut found.at);
        found.half_width = digits(EXACT.of_half_widths, found.half_width);
    }
    for phase in &mut group.phases {
        place(&mut phase.start);
        place(&mut phase.end);
    }
    for stretch in &mut group.stretches {
        place(&mut stretch.start);
        place(&mut stretch.end);
    }
    for stream in &mut group.streams {
        short(&mut stream.bytes_per_us);
        let costs = [&mut stream.mean_cost, &mut stream.high_cost];
        costs.into_iter().flatten().for_each(short);
    }
    let of_part = group.part.iter_mut().flat_map(|part| &mut part.objects).map(|(_, of)| of);
    for object in group.objects.iter_mut().chain(of_part) {
        let costs = [&mut object.mean_cost, &mut object.high_cost];
        costs.into_iter().flatten().for_each(short);
    }
    let of_bandwidth = group.bandwidth.iter_mut();
    let of_bandwidth = of_bandwidth.flat_map(|of| [&mut of.read, &mut of.written, &mut of.both]);
    let of_gauges = group.gauges.iter_mut().map(|gauge| &mut gauge.values);
    for values in of_bandwidth.chain(of_gauges) {
        short(&mut values.mean);
        values.cells.iter_mut().for_each(short);
        let half_widths = values.half_widths.iter_mut();
        half_widths.for_each(|half| *half = digits(tables.of_half_widths, *half));
    }
    group.sparse.iter_mut().chain(&mut group.idle).flatten().for_each(place);
    for rate in group.part.iter_mut().flat_map(|part| &mut part.rates).flatten() {
        short(&mut rate.rate);
        rate.half_width = digits(tables.of_half_widths, rate.half_width);
    }
    let of_part = group.part.iter_mut().map(|part| &mut part.code);
    for times in group.code_times.iter_mut().chain(of_part) {
        let of_place = |place: &mut PlaceTime| {
            let numbers = place.events.iter_mut().flatten().chain([&mut place.share]);
            numbers.for_each(short);
            place.histogram.iter_mut().for_each(|share| *share = digits(3.0, *share));
        };
        let others = times.others.iter_mut().map(|others| &mut others.time);
        times.places.iter_mut().chain(others).for_each(of_place);
        times.others_of_phases.iter_mut().for_each(short);
        times.contexts.iter_mut().for_each(|(share, _)| short(share));
        times.phases.iter_mut().flatten().for_each(|(_, share)| short(share));
        times.mips.iter_mut().flatten().for_each(short);
    }
    if let Some(activity) = &mut group.activity {
        activity.of_phases.iter_mut().for_each(short);
    }
    for curve in &mut group.curves {
        if let Some(BandWidth { median, widest, at }) = &mut curve.band_width {
            for half in [median, widest] {
                *half = digits(tables.of_half_widths, *half);
            }
            place(at);
        }
        if let Some(tabled) = &mut curve.tabled {
            for [rate, half_width] in tabled.moments.iter_mut().flatten() {
                short(rate);
                *half_width = digits(tables.of_half_widths, *half_width);
            }
            let ranges = tabled.ranges.iter_mut().flatten().flatten();
            ranges.chain(&mut tabled.r_squared).for_each(short);
        }
        curve.own_breaks.iter_mut().for_each(place);
        let with_waiting = curve.with_waiting.iter_mut().flat_map(|of| &mut of.phases);
        for phase in curve.phases.iter_mut().chain(with_waiting) {
            short(&mut phase.rate);
            phase.half_width = digits(tables.of_half_widths, phase.half_width);
        }
    }
}

/// So many digits of a number, made so that printing fewer of them gives what the number itself would
/// give: cut off, and one more where that ends in 0 or 5 and is not all of it.
///
/// Source: IBM 2009, *General Decimal Arithmetic Specification* 1.70, `round-05up`.
pub fn digits(count: f64, value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = libm::pow(10.0, count - 1.0 - libm::floor(libm::log10(value.abs())));
    let (scaled, nearest) = (value.abs() * scale, libm::round(value.abs() * scale));
    let cut = libm::floor(scaled);
    let whole = match () {
        // What had so many digits before keeps them.
        () if (scaled - nearest).abs() <= nearest * SAME => nearest,
        () if cut % 5.0 == 0.0 => cut + 1.0,
        () => cut,
    };
    let rounded = (whole / scale).copysign(value);
    if rounded.is_finite() { rounded } else { value }
}

/// Some last bits of a number.
const SAME: f64 = 1e-14;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_of_fewer_digits_is_what_the_number_itself_gives() {
        for (value, expected) in [
            (28_357.49, 28_357.4),
            (28_357.51, 28_357.6),
            (28_357.5, 28_357.5),
            (-28_357.49, -28_357.4),
            (0.012_345_649, 0.012_345_6),
            (1_000_000.4, 1_000_010.0),
            (0.0, 0.0),
        ] {
            let found = digits(6.0, value);
            assert!((found - expected).abs() <= expected.abs() * 1e-12, "{value}: {found}");
            assert_eq!(digits(6.0, found), found, "again {value}");
        }
        // Any number of fewer digits, of many values.
        for at in 1..20_000_u32 {
            let value = f64::from(at) * 1.234_567_89 + f64::from(at % 7) * 1e-4;
            let places = |value: f64, places: usize| format!("{value:.places$}");
            for fewer in [0, 1] {
                assert_eq!(places(digits(7.0, value), fewer), places(value, fewer), "{value}");
            }
        }
        assert!(digits(6.0, f64::NAN).is_nan());
    }
}
