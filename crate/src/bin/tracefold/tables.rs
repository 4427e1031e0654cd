use std::fs;
use std::io;
use std::path::Path;

use tracefold::export::{ExportError, Exported, TimelineFormat};

use crate::arguments::{Files, FoundFormat};
use crate::failure::Failure;

/// Writes tables, each a name and a text, into a folder, which is made where there is none.
pub fn write(folder: &Path, tables: &[(&str, String)]) -> Result<(), Failure> {
    let file = |(name, text): &(&str, String)| Exported {
        name: (*name).to_owned(),
        bytes: text.clone().into_bytes(),
    };
    write_files(folder, &tables.iter().map(file).collect::<Vec<_>>())
}

/// Writes the picture of a run if that is asked for, whatever repeats in it. Whether nothing else is.
pub fn write_picture(files: &Files, of_run: impl Fn() -> Exported) -> Result<bool, Failure> {
    let is_picture = |format: &FoundFormat| matches!(format, FoundFormat::Svg);
    if let Some(folder) = &files.out
        && files.formats.iter().any(is_picture)
    {
        write_files(folder, &[of_run()])?;
        return Ok(files.formats.iter().all(is_picture));
    }
    Ok(false)
}

/// Writes what a run repeats in each of `formats`: its tables, or as `over_time` makes it.
pub fn write_found(
    folder: &Path,
    formats: &[FoundFormat],
    tables: impl Fn() -> Vec<(&'static str, String)>,
    over_time: impl Fn(TimelineFormat) -> Result<Vec<Exported>, ExportError>,
) -> Result<(), Failure> {
    let usage = |error: ExportError| Failure::Usage(error.to_string());
    for format in formats {
        match format {
            FoundFormat::Csv => write(folder, &tables())?,
            FoundFormat::Svg => {}
            FoundFormat::Semantic => {
                write_files(folder, &over_time(TimelineFormat::Semantic).map_err(usage)?)?;
            }
            FoundFormat::Paraver => {
                write_files(folder, &over_time(TimelineFormat::Paraver).map_err(usage)?)?;
            }
        }
    }
    Ok(())
}

/// Writes files into a folder, which is made where there is none.
pub fn write_files(folder: &Path, files: &[Exported]) -> Result<(), Failure> {
    let failed =
        |path: &Path, error: io::Error| Failure::Output(format!("{}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for Exported { name, bytes } in files {
        let path = folder.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        }
        fs::write(&path, bytes).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}
