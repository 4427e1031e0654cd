//! A report of a group as one HTML file: its figure, tables and doubts. It needs no script, loads nothing,
//! and opens from disk.

use std::fmt::Write;

use crate::folding::{Cloud, Folding, References};
use crate::paint::{Figure, escape, figure_svg, printable};
use crate::report::{self, Column, Figure as Printed, GroupSummary, Summary};

/// Nothing is loaded but what is inside, whatever names of a trace say.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// Long names break anywhere; numbers stand under one another.
const STYLE: &str = "\
body{max-width:72rem;margin:2rem auto;padding:0 1rem;color:#16181d;background:#fff;\
font:15px/1.5 ui-sans-serif,system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"Liberation Sans\",sans-serif}\
h1,h2,p,li,dd,td,th,summary{overflow-wrap:anywhere}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\
figure{margin:1rem 0;overflow-x:auto}svg{max-width:100%;height:auto}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:#4a4f58}dd{margin:0}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .6rem;border-bottom:1px solid #e3e3de;text-align:right;vertical-align:top;min-width:3rem}\
th:first-child,td:first-child{text-align:left;min-width:12rem;max-width:30rem}thead th{color:#4a4f58;font-weight:600;overflow-wrap:normal}\
@media print{body{margin:0;max-width:none}tr,figure{break-inside:avoid}}";

/// The report of the group that `figure` is of, with that figure inside. Text of the trace is escaped.
#[inline(never)]
pub fn report_html(
    folding: &Folding,
    figure: &Figure,
    cloud: Option<&Cloud>,
    references: Option<&References>,
) -> String {
    let summary = report::summary(folding);
    let mut page = String::new();
    let title = text(&format!("{} in {}", summary.title, summary.trace.name));
    // A string takes whatever is written.
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <figure>\n{}</figure>\n",
        figure_svg(folding, figure, cloud, references),
    );
    if let Some(group) = folding.group(figure.view.group)
        && let Some(of) = summary.groups.iter().find(|of| of.number == group.number)
    {
        page += &facts(&summary, of);
        page += &doubts(&summary, of);
        page += &phases(of);
        page += &code(&report::code(group, None), &of.axis.unit);
        page += &objects(of);
    }
    page += "</body>\n</html>\n";
    page
}

/// A text of the trace or of ours, fit to stand in a page.
fn text(words: &str) -> String {
    escape(&printable(words)).replace('"', "&quot;")
}

fn facts(summary: &Summary, group: &GroupSummary) -> String {
    let facts = &group.facts;
    let samples = facts.samples.join(" ");
    let of_all = format!("{} of {}", group.number, summary.all_groups);
    let instances = format!("{} of {}", facts.kept, facts.instances);
    let rows = [
        ("Trace", Some(summary.trace.name.clone())),
        ("Region", Some(summary.region.clone())),
        ("Group", (summary.all_groups > 1).then_some(of_all)),
        ("Instances", Some(instances)),
        ("Mean duration", Some(facts.mean.clone())),
        ("Instructions", facts.instructions.clone()),
        ("Samples", Some(samples)),
        ("Efficiency", facts.efficiency.clone()),
        ("Curves", Some(group.fit.words.clone())),
    ];
    let rows = rows.into_iter().filter_map(|(term, value)| {
        Some(format!("<dt>{term}</dt><dd>{}</dd>\n", text(&value.filter(|v| !v.is_empty())?)))
    });
    format!("<h2>Facts</h2>\n<dl>\n{}</dl>\n", rows.collect::<String>())
}

/// How sure all of it is, and what was odd.
fn doubts(summary: &Summary, group: &GroupSummary) -> String {
    let sentences = summary.trace.partial.iter().chain(&summary.trace.provenance);
    let sentences = sentences.map(|words| text(words));
    let doubts = group.doubts.iter();
    let doubts = doubts.map(|of| format!("<b>{}</b> {}", text(&of.title), text(&of.text)));
    let notices = summary.notices.iter().map(|of| {
        let first = if of.first.is_empty() { String::new() } else { format!(" ({})", of.first) };
        text(&format!("{}{}{first}", of.text, of.often))
    });
    let items = doubts.chain(notices).chain(sentences);
    let items = items.map(|item| format!("<li>{item}</li>\n")).collect::<String>();
    if items.is_empty() {
        items
    } else {
        format!("<h2>Doubts and notices</h2>\n<ul>\n{items}</ul>\n")
    }
}

/// A table with its heading; nothing of no rows.
fn table(name: &str, heads: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cells = |tag: &str, cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", text(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows = rows.map(|row| cells("td", &row)).collect::<String>();
    if rows.is_empty() {
        return rows;
    }
    let head = cells("th", heads).replace("<th>", "<th scope=\"col\">");
    format!(
        "<h2>{name}</h2>\n<div class=\"wide\"><table>\n<thead>\n{head}</thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn printed(figure: &Printed) -> String {
    [figure.text.as_str(), &figure.within].join(" ").trim_end().to_owned()
}

fn head(column: &Column) -> String {
    // The rate of instructions is called as its unit is.
    let unit = if column.unit == column.name { "" } else { &column.unit };
    [column.name.as_str(), unit].join(" ").trim_end().to_owned()
}

fn row(first: String, own: &[&Printed], others: &[Printed]) -> Vec<String> {
    let numbers = own.iter().copied().chain(others).map(printed);
    std::iter::once(first).chain(numbers).collect()
}

fn heads(own: &[&str], columns: &[Column]) -> Vec<String> {
    own.iter().map(|head| (*head).to_owned()).chain(columns.iter().map(head)).collect()
}

fn phases(group: &GroupSummary) -> String {
    let heads = heads(&["Phase", &group.axis.unit, "share %"], &group.columns);
    let rows = group.phases.iter().map(|phase| {
        let name = [phase.name.as_str(), &phase.called];
        let name = name.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>();
        let first = format!("{} {}", phase.number, name.join(": "));
        row(first, &[&phase.length, &phase.share], &phase.figures)
    });
    table("Phases", &heads, rows)
}

fn code(code: &report::Code, unit: &str) -> String {
    let (inclusive, exclusive) = (format!("{unit} with callees"), format!("{unit} itself"));
    let own = ["Routine", &inclusive, &exclusive, "share %", "samples"];
    let routines = code.routines.iter().map(|of| {
        let own = [&of.inclusive, &of.exclusive, &of.share, &of.samples];
        row(of.name.clone(), &own, &of.figures)
    });
    let routines = table("Routines", &heads(&own, &code.columns), routines);
    let lines = code.lines.iter().map(|of| {
        row(format!("{}:{}", of.file, of.line), &[&of.time, &of.share, &of.samples], &of.figures)
    });
    let own = ["Line", unit, "share %", "samples"];
    routines + &table("Lines", &heads(&own, &code.columns), lines)
}

fn objects(group: &GroupSummary) -> String {
    let own = group.object_heads.iter().map(|[name, _]| *name);
    let heads = heads(&std::iter::once("Object").chain(own).collect::<Vec<_>>(), &[]);
    let rows = group.objects.iter().map(|of| row(of.name.clone(), &[], &of.figures));
    table("Data", &heads, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::View;
    use crate::paint::example;

    fn report(folding: &Folding) -> String {
        let figure = Figure { view: View { to: 1.0, ..View::default() }, ..Figure::default() };
        report_html(folding, &figure, None, None)
    }

    #[test]
    fn a_report_has_figure_tables_and_facts_and_loads_nothing() {
        let html = report(&example::stream());
        for part in
            ["<svg ", "<h2>Facts</h2>", "<h2>Phases</h2>", "<h2>Routines</h2>", "<h2>Lines</h2>"]
        {
            assert_eq!(html.matches(part).count().min(1), 1, "{part}");
        }
        let of_page = html.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "");
        for word in ["<script", "<link", "<iframe", "http", "url(", "@import", " src="] {
            assert!(!of_page.contains(word), "{word}");
        }
    }

    #[test]
    fn names_of_a_trace_are_text_in_a_report() {
        let mut folding = example::stream();
        let name = format!("<img src=x onerror=\"alert(1)\">&{}", "n".repeat(400));
        folding.trace.name = name.clone();
        folding.region = name.clone();
        folding.groups[0].routines.fill(name.clone());
        for place in &mut folding.groups[0].places {
            place.file = name.clone();
        }
        let html = report(&folding);
        assert!(!html.contains("<img") && html.contains("&lt;img src=x onerror=&quot;"));
        for tag in ["table", "tr", "td", "dl", "svg", "h2"] {
            let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
            assert_eq!(html.matches(&open).count(), html.matches(&close).count(), "{tag}");
        }
    }

    #[test]
    fn odd_foldings_have_reports() {
        for folding in example::odd() {
            let html = report(&folding);
            // Pixels of images are any letters.
            let mut lines = html.lines().filter(|line| !line.starts_with("<image"));
            assert!(html.ends_with("</html>\n") && lines.all(|line| !line.contains("NaN")));
        }
    }
}
