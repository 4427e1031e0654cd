//! Comma separated tables, RFC 4180: a header line even when empty, the shortest numbers that read
//! back the same, groups from 1.

use std::fmt::Write;

use crate::order;
use crate::result::{Fate, Folding, Points, Use, number};

/// `region,group,counter,x,fitted,lower,upper,rate`, on the grid.
///
/// Bands are not computed: `lower` and `upper` are empty.
pub fn curves<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let mut table = "region,group,counter,x,fitted,lower,upper,rate\n".to_owned();
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        for curve in &group.curves {
            let begin = begin(folding, group.number, Some(&curve.counter));
            let last = (curve.fitted.len().max(2) - 1) as f64;
            for (j, (fitted, rate)) in curve.fitted.iter().zip(&curve.rate).enumerate() {
                let x = number(j as f64 / last);
                let (fitted, rate) = (number(*fitted), number(*rate));
                line(&mut table, format_args!("{begin}{x},{fitted},,,{rate}"));
            }
        }
    }
    table
}

/// `region,group,appl,task,thread,start_ns,duration_ns,used`, one line per instance.
pub fn groups<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let mut table = "region,group,appl,task,thread,start_ns,duration_ns,used\n".to_owned();
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        let begin = begin(folding, group.number, None);
        for row in &group.rows {
            let [application, task, thread] = row.object;
            let (start, duration, used) =
                (row.start_ns, row.duration_ns, u8::from(row.fate == Fate::Used));
            line(
                &mut table,
                format_args!("{begin}{application},{task},{thread},{start},{duration},{used}"),
            );
        }
    }
    table
}

/// `region,group,counter,x,y,used`, by x; samples passed over or left out have `used` 0.
pub fn points<'a>(foldings: impl Iterator<Item = (&'a Folding, &'a Points)>) -> String {
    let mut table = "region,group,counter,x,y,used\n".to_owned();
    for (folding, cloud) in foldings.flat_map(|(f, p)| p.clouds.iter().map(move |c| (f, c))) {
        let begin = begin(folding, cloud.group, Some(&cloud.counter));
        for index in order::indices(cloud.x.iter().map(|&x| order::of_float(x))) {
            let index = index as usize;
            let (x, y) = (number(cloud.x[index]), number(cloud.y[index]));
            let used = u8::from(cloud.used[index] == Use::Used);
            line(&mut table, format_args!("{begin}{x},{y},{used}"));
        }
    }
    table
}

/// `region,group,level,start,end,routine,line,file,samples`: which routine has most of the samples.
pub fn routines<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let mut table = "region,group,level,start,end,routine,line,file,samples\n".to_owned();
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        let begin = begin(folding, group.number, None);
        for stretch in &group.stretches {
            let Some(place) = group.places.get(stretch.place as usize) else { continue };
            let routine = group.routines.get(place.routine as usize).map_or("", String::as_str);
            let (start, end) = (number(stretch.start), number(stretch.end));
            let (routine, file) = (field(routine), field(&place.file));
            let (code_line, samples) = (place.line, stretch.samples);
            line(
                &mut table,
                format_args!("{begin}0,{start},{end},{routine},{code_line},{file},{samples}"),
            );
        }
    }
    table
}

/// `region,group,x,routine,line,file`: the innermost frame of every sample.
pub fn lines<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let mut table = "region,group,x,routine,line,file\n".to_owned();
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        let begin = begin(folding, group.number, None);
        for (x, place) in group.lines.x.iter().zip(&group.lines.place) {
            let Some(place) = group.places.get(*place as usize) else { continue };
            let routine = group.routines.get(place.routine as usize).map_or("", String::as_str);
            let (x, code_line) = (number(*x), place.line);
            let (routine, file) = (field(routine), field(&place.file));
            line(&mut table, format_args!("{begin}{x},{routine},{code_line},{file}"));
        }
    }
    table
}

fn begin(folding: &Folding, group: u32, counter: Option<&str>) -> String {
    let counter = counter.map_or_else(String::new, |counter| field(counter) + ",");
    format!("{},{group},{counter}", field(&folding.region))
}

/// A text as a field: between quotes where it must be.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn line(table: &mut String, fields: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(table, "{fields}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain text"), "plain text");
        assert_eq!(field("f<a, b>(\"x\")"), "\"f<a, b>(\"\"x\"\")\"");
        assert_eq!(field("two\nlines"), "\"two\nlines\"");
    }
}
