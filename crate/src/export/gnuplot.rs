//! The curves and samples of a group as columns, and a gnuplot script that draws them.

use super::label::one_line;
use crate::folding::{Axis, Cloud, Curve, Folding, Group, Points, Use};
use crate::quantity::{Kind, Quantity};
use crate::text::shortest;

/// Longest name in a title; what is beyond says little there.
const LONGEST_NAME: usize = 80;

/// Columns of a counter.
const COLUMNS: usize = 6;

/// Folded time, milliseconds (events, if the axis counts them), then six columns per counter:
/// fitted share, events per microsecond (per event, if the axis counts them), events per instruction,
/// and the half width of the 95 % band of each. `NaN` where nothing tells.
pub fn curves(group: &Group) -> String {
    let (unit, total) = axis(group);
    let mut text = format!("# x {}", one_line(unit));
    for curve in &group.curves {
        let name = one_line(&curve.counter);
        text += &format!(", {name}: share rate per_instruction, half_widths of these");
    }
    text.push('\n');
    let rows = group.curves.iter().map(|curve| curve.fitted.len()).max().unwrap_or(0);
    let ratio = |curve| (group.per_instruction(curve), group.per_instruction_band(curve));
    let ratios = group.curves.iter().map(ratio).collect::<Vec<_>>();
    for j in 0..rows {
        let x = j as f64 / (rows.max(2) - 1) as f64;
        let mut row = vec![shortest(x), shortest(x * total)];
        for (curve, (ratios, ratio_band)) in group.curves.iter().zip(&ratios) {
            let at = |values: &[f64]| shortest(values.get(j).copied().unwrap_or(f64::NAN));
            let ratio = ratios.get(j).copied().flatten().unwrap_or(f64::NAN);
            row.extend([at(&curve.fitted), at(&curve.rate), shortest(ratio)]);
            row.extend([at(&curve.fitted_band), at(&curve.rate_band), at(ratio_band)]);
        }
        text += &row.join(" ");
        text.push('\n');
    }
    text
}

/// What the axis counts, and how much of it a mean instance has.
fn axis(group: &Group) -> (&str, f64) {
    match &group.axis {
        Axis::Time => ("ms", group.mean_duration_ns / 1e6),
        Axis::Counter { name, total } => (name, *total),
    }
}

/// One block per counter that has samples, in the order of `clouds`: folded time, milliseconds,
/// share of events, and what became of the sample (0 used, 1 passed over, 2 of an outlier).
pub fn samples(group: &Group, clouds: &[Cloud]) -> String {
    let (unit, total) = axis(group);
    let mut text = format!("# x {} share use\n", one_line(unit));
    for cloud in clouds {
        text += &format!("# {}\n", one_line(&cloud.counter));
        for ((x, y), used) in cloud.x.iter().zip(&cloud.y).zip(&cloud.used) {
            let ms = shortest(x * total);
            text += &format!("{} {ms} {} {}\n", shortest(*x), shortest(*y), *used as u8);
        }
        // Two empty lines end a block.
        text += "\n\n";
    }
    text
}

/// The clouds of a group that have samples, in the order of its curves.
pub fn clouds(group: &Group, points: &Points) -> Vec<Cloud> {
    let of = |curve: &Curve| points.cloud(group.number, &curve.counter);
    group.curves.iter().filter_map(of).filter(|cloud| !cloud.x.is_empty()).collect()
}

/// A panel with every counter per instruction (its rate where instructions are not counted), then
/// one for each counter: samples and fitted share on the left axis, the rate (power, of energy) on
/// the right. Bands lie round the curves; breaks cross every panel, and between them stand the
/// number and the name of each phase.
pub fn script(name: &str, folding: &Folding, group: &Group, clouds: &[Cloud]) -> String {
    let panels = group.curves.len() + 1;
    let (unit, total) = axis(group);
    let columns = if panels > 3 { 2 } else { 1 };
    let title = format!(
        "{} \u{b7} group {} \u{b7} {} of {} instances \u{b7} {} ms",
        shortened(&folding.region),
        group.number,
        group.kept,
        group.instances,
        shortest((group.mean_duration_ns / 1e3) as u64 as f64 / 1e3)
    );
    let mut text = format!(
        "# Written by Tracefold. In this folder:\n\
         #   gnuplot -p {name}.gnuplot\n\
         #   gnuplot -e \"set terminal svg size 1200,{}; set output '{name}.svg'\" {name}.gnuplot\n\
         set encoding utf8\n\
         set termoption noenhanced\n\
         curves = '{name}-curves.dat'\n\
         samples = '{name}-samples.dat'\n\
         set xlabel {}\n\
         set xrange [0:{}]\n\
         set ytics nomirror\n\
         set y2tics\n\
         set multiplot layout {},{columns} title {}\n",
        300 * panels.div_ceil(columns),
        quoted(&shortened(unit)),
        shortest(total),
        panels.div_ceil(columns),
        quoted(&title)
    );
    for found in &group.breaks {
        let x = shortest(found.at * total);
        text += &format!(
            "set arrow from {x}, graph 0 to {x}, graph 1 nohead back lc rgb 'gray50' dt 1\n"
        );
    }
    for (number, phase) in (1..).zip(&group.phases) {
        let x = shortest(f64::midpoint(phase.start, phase.end) * total);
        let label = quoted(shortened(&format!("{number} {}", phase.name)).trim_end());
        text += &format!("set label {label} at {x}, graph 0.97 center front tc rgb 'gray40'\n");
    }
    text += &overview(group);
    for (index, curve) in group.curves.iter().enumerate() {
        let block = clouds.iter().position(|cloud| cloud.counter == curve.counter);
        text += &alone(group, curve, 3 + COLUMNS * index, block);
    }
    text + "unset multiplot\n"
}

fn overview(group: &Group) -> String {
    let ratios = group.instructions().is_some();
    let rates = group.curves.iter().find(|curve| curve.joules.is_none());
    let rates = rates.map(|curve| Quantity::of(group, curve, Kind::Rate).unit).unwrap_or_default();
    let left = if ratios { "per ins".to_owned() } else { rates };
    let instructions = group.instructions();
    let right = instructions.map(|curve| Quantity::of(group, curve, Kind::Rate).unit);
    let mut plots = Vec::new();
    for (index, curve) in group.curves.iter().enumerate() {
        let rate = 4 + COLUMNS * index;
        let (column, axes, title) = match (ratios, curve.instructions) {
            // Power has no place among ratios.
            _ if curve.joules.is_some() => continue,
            (true, true) => (rate, " axes x1y2", quoted(right.as_deref().unwrap_or_default())),
            (true, false) => (rate + 1, "", quoted(&shortened(&curve.counter))),
            (false, _) => (rate, "", quoted(&shortened(&curve.counter))),
        };
        let color = format!("lt {}", index + 1);
        if !curve.rate_band.is_empty() {
            plots.push(band(column, 1.0, axes, &color));
        }
        let wide = if axes.is_empty() { "" } else { " lw 2" };
        plots.push(format!("curves using 2:{column}{axes} with lines {color}{wide} title {title}"));
    }
    let right = right.map(|unit| format!("set y2label {}\nset y2range [0:*]\n", quoted(&unit)));
    let axes =
        format!("set ylabel {}\nset yrange [0:*]\n{}", quoted(&left), right.unwrap_or_default());
    // A plot of nothing is an error.
    if plots.is_empty() { String::new() } else { axes + &plot(&plots) }
}

/// The band round `factor` times the values of `column`; its half width stands three columns
/// further.
fn band(column: usize, factor: f64, axes: &str, color: &str) -> String {
    let (half_width, factor) = (column + 3, shortest(factor));
    let edge = |sign| format!("({factor}*(${column}{sign}${half_width}))");
    format!(
        "curves using 2:{}:{}{axes} with filledcurves {color} fs transparent solid 0.16 noborder \
         notitle",
        edge('-'),
        edge('+')
    )
}

/// `share` is the column of the fitted share.
fn alone(group: &Group, curve: &Curve, share: usize, block: Option<usize>) -> String {
    let name = quoted(&shortened(&curve.counter));
    let mut plots = Vec::new();
    let kinds = [
        (Use::Excluded, "left out", "gray70"),
        (Use::Unused, "passed over", "light-red"),
        (Use::Used, "samples", "red"),
    ];
    let counts = [curve.excluded, curve.unused, curve.used];
    for ((kind, title, color), count) in kinds.iter().zip(counts) {
        if let Some(block) = block.filter(|_| count > 0) {
            plots.push(format!(
                "samples index {block} using 2:($4 == {} ? $3 : NaN) with points pt 7 ps 0.3 \
                 lc rgb '{color}' title '{title}'",
                *kind as u8
            ));
        }
    }
    let rate = share + 1;
    let quantity = Quantity::of(group, curve, Kind::Rate);
    let largest = curve.rate.iter().fold(0.0_f64, |most, rate| most.max(rate * quantity.scale));
    let Quantity { scale, factor, unit, .. } = quantity.sized(largest);
    let (factor, unit) = (scale * factor, quoted(&unit));
    if !curve.fitted_band.is_empty() {
        plots.push(band(share, 1.0, "", "lc rgb 'web-green'"));
    }
    if !curve.rate_band.is_empty() {
        plots.push(band(rate, factor, " axes x1y2", "lc rgb 'web-blue'"));
    }
    plots.push(format!(
        "curves using 2:{share} with lines lw 2 lc rgb 'web-green' title 'fitted share'"
    ));
    plots.push(format!(
        "curves using 2:({}*${rate}) axes x1y2 with lines lw 2 lc rgb 'web-blue' title {unit}",
        shortest(factor)
    ));
    plots.push(format!(
        "{} axes x1y2 with lines dt 2 lc rgb 'gray50' title 'mean'",
        shortest(curve.mean_rate * factor)
    ));
    format!(
        "set ylabel {name}\nset yrange [0:1]\nset y2label {unit}\nset y2range [0:*]\n{}",
        plot(&plots)
    )
}

fn plot(plots: &[String]) -> String {
    format!("plot {}\n", plots.join(", \\\n     "))
}

/// A text between single quotes, in which only they mean something.
fn quoted(text: &str) -> String {
    format!("'{}'", one_line(text).replace('\'', "''"))
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => name.get(..end).unwrap_or_default().to_owned() + "\u{2026}",
        None => name.to_owned(),
    }
}
