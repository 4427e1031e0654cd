use tracefold::export;
use tracefold::pipeline;
use tracefold::run::{Level, Passes, Repeats, repeats_from};

use crate::arguments::Iterations;
use crate::failure::Failure;
use crate::picture;
use crate::read::read_run;
use crate::settings;
use crate::tables;

/// `tracefold iterations`: the loops that a run is made of, for people or as JSON.
pub fn iterations(asked: &Iterations) -> Result<String, Failure> {
    let settings = settings::asked_for(&asked.changed, &[])?;
    let trace = read_run(&asked.reading)?;
    pipeline::check_boundary(&trace, &settings)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    if tables::write_picture(&asked.files, || picture::of_run(&trace, &settings))? {
        return Ok(String::new());
    }
    match repeats_from(&trace, settings.boundary.as_ref()) {
        Ok(repeats) if let Some(folder) = &asked.files.out => {
            let tables = || vec![("iterations.csv", export::iterations(&trace, &repeats))];
            let over_time = |format| export::iterations_over_time(&trace, &repeats, format);
            tables::write_found(folder, &asked.files.formats, tables, over_time)
                .map(|()| String::new())
        }
        Ok(repeats) if asked.json => Ok(as_json(&trace, &repeats)),
        Ok(repeats) => Ok(as_table(&repeats)),
        // To a script an empty list is the answer; only a person is told so in words.
        Err(_) if asked.json => Ok("[]\n".to_owned()),
        Err(none) => Err(Failure::Nothing(none.sentence().to_owned())),
    }
}

/// Fewest and most passes of a rank that has the loop.
fn per_rank(level: &Level) -> (usize, usize) {
    let passes = level.ranks.iter().map(|rank| rank.instances_ns.len());
    (passes.clone().min().unwrap_or(0), passes.max().unwrap_or(0))
}

fn as_table(repeats: &Repeats) -> String {
    let mut table = format!(
        "{:>7} {:>12} {:>12} {:>8}  iteration\n",
        "share %", "per rank", "median ms", "ranks %"
    );
    for level in &repeats.levels {
        let per_rank = match per_rank(level) {
            (fewest, most) if fewest == most => most.to_string(),
            (fewest, most) => format!("{fewest}–{most}"),
        };
        let name = repeats.name(level);
        let name = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
        table += &format!(
            "{:>7.2} {per_rank:>12} {:>12.3} {:>8.0}  {}{}\n",
            100.0 * level.share,
            level.median_ns() as f64 / 1e6,
            100.0 * level.agreement,
            name.collect::<String>(),
            if level.is_regular() { "" } else { " (durations differ by more than a factor 2)" },
        );
    }
    table
}

fn as_json(trace: &tracefold::trace::Trace, repeats: &Repeats) -> String {
    let row = |level: &Level| {
        let object = |rank: &Passes| {
            let (thread, _) = repeats.sites.calls[rank.rank as usize];
            trace.threads[thread as usize].object.to_string()
        };
        let ranks = level.ranks.iter();
        let passes = ranks.clone().map(|rank| (object(rank), serde_json::json!(rank.instances_ns)));
        let estimated = ranks.filter(|rank| rank.last_is_estimated).map(object);
        serde_json::json!({
            "name": repeats.name(level), "inner": level.inner, "instances": level.passes(),
            "median_ms": level.median_ns() as f64 / 1e6, "share": level.share,
            "regular": level.regular, "agreement": level.agreement, "sites": level.sites,
            "ln_p": level.ln_p,
            "boundaries": repeats.boundaries(level).iter().map(ToString::to_string).collect::<Vec<_>>(),
            "begins_ends_ns": passes.collect::<serde_json::Map<_, _>>(),
            "last_end_estimated": estimated.collect::<Vec<_>>(),
        })
    };
    let rows = repeats.levels.iter().map(row).collect::<Vec<_>>();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}
