use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tracefold::export::{export_in_parts, is_there, read_figure};
use tracefold::model::{self, Model};
use tracefold::paint::Figure;
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::Trace;

use crate::arguments::{Fold, Folded};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::read::read;
use crate::settings;
use crate::sources::sources;

/// `tracefold fold`: folds what is asked for and writes it in every format.
pub fn fold(asked: &Fold) -> Result<(), Failure> {
    let folded = Asked::of(&asked.folded, &asked.region)?;
    folded.write(&read(&asked.reading)?, &asked.out)
}

/// How a trace is folded, and what is written of it: all that can be said before it is read.
pub struct Asked<'a> {
    asked: &'a Folded,
    settings: Settings,
    figure: Figure,
    models: Vec<Model>,
}

impl<'a> Asked<'a> {
    pub fn of(asked: &'a Folded, region: &Option<String>) -> Result<Self, Failure> {
        let settings = settings::asked_for(&asked.changed, &[("region", region)])?;
        let texts = asked.view.iter().map(|(key, text)| (key.as_str(), text.as_str()));
        let figure = read_figure(texts).map_err(|error| Failure::Usage(error.to_string()))?;
        let settings_of_figure = BTreeMap::from(settings.clone()).into_iter().collect();
        let figure = Figure { settings: settings_of_figure, ..figure };
        let models = models(&asked.models)?;
        Ok(Self { asked, settings, figure, models })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Folds the trace and writes it into a folder in every format.
    pub fn write(&self, trace: &Trace, out: &Path) -> Result<(), Failure> {
        let Self { asked, settings, figure, models } = self;
        let bar = Bar::of_work("folding");
        let foldings = pipeline::run_each(trace, settings, models).map_err(|error| {
            let of_kind = if error.is_usage() { Failure::Usage } else { Failure::Nothing };
            of_kind(error.to_string())
        })?;
        for (folding, _) in &foldings {
            is_there(folding, figure).map_err(|error| Failure::Usage(error.to_string()))?;
        }
        let is_asked = !asked.sources.is_empty();
        let sources = is_asked.then(|| {
            let all = foldings.iter().map(|(folding, _)| folding).collect::<Vec<_>>();
            sources(&asked.sources, &all)
        });
        let sources = sources.transpose()?;
        let failed =
            |path: &Path, error: io::Error| Failure::Output(format!("{}: {error}", path.display()));
        fs::create_dir_all(out).map_err(|error| failed(out, error))?;
        let (mut open, mut written) = (None, Ok(()));
        for &format in &asked.formats {
            let mut put = |name: &str, part: Vec<u8>| {
                let path = out.join(name);
                if written.is_ok() {
                    written = append(&mut open, &path, &part).map_err(|error| failed(&path, error));
                }
            };
            export_in_parts(trace, &foldings, sources.as_deref(), format, figure, &mut put)
                .map_err(|error| Failure::Usage(error.to_string()))?;
        }
        written?;
        drop(bar);
        Ok(())
    }
}

/// Writes what comes next in the file of this path, which begins if another is `open`.
fn append(open: &mut Option<(PathBuf, fs::File)>, path: &Path, part: &[u8]) -> io::Result<()> {
    let (_, file) = match open.take().filter(|(of, _)| of == path) {
        Some(same) => open.insert(same),
        None => open.insert((path.to_owned(), fs::File::create(path)?)),
    };
    file.write_all(part)
}

/// The models of the files named.
fn models(paths: &[PathBuf]) -> Result<Vec<Model>, Failure> {
    let mut models = Vec::new();
    for path in paths {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        let bytes = fs::read(path).map_err(failed)?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let of_file = model::read(&name, &bytes);
        models.extend(of_file.map_err(|error| Failure::Input(format!("{error:#}")))?);
    }
    Ok(models)
}
