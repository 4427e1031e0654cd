//! Files of a profile, in the part of this module that is loaded to save some.

use tsify::Ts;

use crate::export::{self, Exported, ProfileFormat};
use crate::profile::{Beside, Measure, Profile};
use crate::web::encode::{ExportedFile, Failure, files};

/// The profile as files of a format; of what is looked at alone, if that is asked for.
#[inline(never)]
pub fn save(
    profile: &Profile,
    format: &str,
    measure: &str,
    cost_ns: Option<f64>,
) -> Result<Vec<Ts<ExportedFile>>, Failure> {
    let format = match format {
        "csv" => ProfileFormat::Csv,
        "json" => ProfileFormat::Json,
        "speedscope" => ProfileFormat::Speedscope,
        "folded" => ProfileFormat::Folded,
        "tau" => ProfileFormat::Tau,
        "select" => ProfileFormat::Select { cost_ns },
        _ => return Err(Failure::bug("no such format")),
    };
    let asked = profile.measure_or_first(measure).map_err(|error| Failure::new("usage", &error))?;
    let is_of_stacks = matches!(format, ProfileFormat::Speedscope | ProfileFormat::Folded);
    if is_of_stacks && matches!(asked, Measure::Formula { .. }) {
        let words =
            "what a formula says of stacks does not add up to a whole; choose a metric first";
        return Err(Failure::new("usage", &words));
    }
    let measures = if measure.is_empty() { profile.measures() } else { vec![asked] };
    files(export::profile(profile, &measures, format))
}

/// Two profiles side by side, as the table that the command line writes.
#[inline(never)]
pub fn save_beside(
    both: &Beside,
    measures: &[[Measure; 2]],
) -> Result<Vec<Ts<ExportedFile>>, Failure> {
    let (name, text) = ("profiles_beside.csv".to_owned(), export::profiles_beside(both, measures));
    files(vec![Exported { name, bytes: text.into() }])
}
