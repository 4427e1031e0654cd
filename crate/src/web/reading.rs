//! A trace being read by the worker, alone or with others.

use std::collections::BTreeMap;

use js_sys::{Function, Object, Reflect, Uint8Array};
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::encode::{Failure, to_js};
use crate::input::NamedFile;
use crate::open::{self, Candidate, Candidates, Opening, Part, Progress, Watch};
use crate::performance::Fit;
use crate::pipeline::Kept;
use crate::settings::{self, Settings};
use crate::trace::{Builder, Only, Trace};

/// What may be kept of a trace unless told otherwise: half of what a worker can have, for folding
/// takes some too.
const MOST_BYTES: f64 = 2e9;

/// Smaller files are read before an early picture of them could be looked at.
const EARLY_ABOVE_BYTES: f64 = 256e6;

/// A trace being read.
pub struct Reading {
    what: What,
    most_bytes: u64,
    early_above_bytes: u64,
    progress: Function,
    /// The share of which the last early picture was.
    shown: f64,
}

enum What {
    One(Box<Opening<'static>>),
    /// All of these are one run; then what was read.
    Ranks(Box<Candidates<'static>>, Only, Option<Box<Trace>>),
}

/// What may be kept of a trace, and from which size on there are early pictures.
#[derive(Default, Deserialize, Tsify)]
#[serde(default, rename_all = "camelCase")]
pub struct How {
    /// Bytes; ours where it is not given.
    #[tsify(optional)]
    most_bytes: Option<f64>,
    #[tsify(optional)]
    early_above_bytes: Option<f64>,
    /// Settings (key to text) that choose a part.
    #[tsify(type = "Record<string, string>")]
    only: BTreeMap<String, String>,
    /// Whether all traces are ranks of one run.
    ranks: bool,
}

/// What the files turn out to be.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase", untagged)]
pub enum Begun {
    /// A trace, and in how many blocks it can be read.
    Reading { blocks: u64 },
    /// No trace, but profiles: another module reads them.
    Profiles { profiles: bool },
    /// Several traces, of which a person names one.
    Several { choices: Vec<TraceChoice> },
}

/// One of several traces.
#[derive(Serialize, Tsify)]
pub struct TraceChoice {
    name: String,
    size: u64,
    /// Endings of files that are not there, such as `.pcf`.
    missing: Vec<&'static str>,
}

#[wasm_bindgen(typescript_custom_section)]
const EARLY: &str = r"
/** A picture of the part read so far: an encoded folding, and the share of the trace it is of. */
export interface EarlyFolding {
    folding: Uint8Array;
    share: number;
}
";

impl Reading {
    /// The trace that the files are, being read; or what there is to choose from.
    pub fn begin(
        files: Vec<NamedFile<'static>>,
        choice: Option<String>,
        how: How,
        progress: Function,
    ) -> Result<(Begun, Option<Self>), Failure> {
        let report = &mut |progressed| report(&progress, progressed);
        let candidates = open::contents(files, report)?;
        if candidates.traces.is_empty() {
            return Ok((Begun::Profiles { profiles: true }, None));
        }
        if choice.is_none() && candidates.traces.len() > 1 && !how.ranks {
            let choices = candidates.traces.iter().map(TraceChoice::of).collect();
            return Ok((Begun::Several { choices }, None));
        }
        let only = how.only.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let only = settings::only(only)?;
        let what = match how.ranks {
            true => What::Ranks(Box::new(candidates), only, None),
            false => {
                let opening = candidates.opening(choice.as_deref(), report)?.only(only);
                What::One(Box::new(opening))
            }
        };
        let bytes = |asked: Option<f64>, usual| asked.filter(|b| *b > 0.0).unwrap_or(usual) as u64;
        let most_bytes = bytes(how.most_bytes, MOST_BYTES);
        let early_above_bytes = bytes(how.early_above_bytes, EARLY_ABOVE_BYTES);
        let blocks = if let What::One(opening) = &what { opening.blocks() } else { 0 };
        let reading = Self { what, most_bytes, early_above_bytes, progress, shown: 0.0 };
        Ok((Begun::Reading { blocks }, Some(reading)))
    }

    pub fn read(&mut self) -> Result<(), Failure> {
        if let What::Ranks(candidates, only, read) = &mut self.what {
            let report = &mut |progressed| report(&self.progress, progressed);
            let early = &mut |_, _: &Builder| {};
            let mut watch = Watch::new(report, early).within(self.most_bytes);
            *read = Some(Box::new(candidates.ranks(only, &mut watch)?));
            return Ok(());
        }
        self.watched(|opening, watch| Ok(opening.read(watch)?))
    }

    fn opening(&mut self) -> Result<&mut Opening<'static>, Failure> {
        match &mut self.what {
            What::One(opening) => Ok(opening),
            What::Ranks(..) => Err(Failure::bug("ranks are read whole")),
        }
    }

    pub fn read_first(&mut self) -> Result<bool, Failure> {
        self.watched(|opening, watch| {
            opening.read_first()?;
            Ok(opening.began(watch))
        })
    }

    pub fn read_header(&mut self) -> Result<(), Failure> {
        Ok(self.opening()?.read_header()?)
    }

    pub fn read_next(&mut self, index: u64) -> Result<bool, Failure> {
        self.watched(|opening, watch| Ok(opening.read_next(index, watch)?))
    }

    pub fn read_part(&mut self, index: u64) -> Result<Vec<u32>, Failure> {
        Ok(self.opening()?.read_part(index)?.write())
    }

    pub fn join(&mut self, index: u64, words: &[u32]) -> Result<bool, Failure> {
        let part: Option<Part> = self.opening()?.read_words(words);
        let part = part.ok_or_else(|| Failure::bug("a part that is none"))?;
        self.watched(|opening, watch| Ok(opening.join(index, part, watch)?))
    }

    pub fn finish(self) -> Result<Trace, Failure> {
        let (report, early) =
            (&mut |progressed| report(&self.progress, progressed), &mut |_, _: &Builder| {});
        match self.what {
            What::One(opening) => {
                Ok(opening.finish(&mut Watch::new(report, early).within(self.most_bytes))?)
            }
            What::Ranks(.., read) => {
                read.map(|read| *read).ok_or_else(|| Failure::bug("ranks that were not read"))
            }
        }
    }

    fn watched<T>(
        &mut self,
        read: impl FnOnce(&mut Opening<'static>, &mut Watch<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let progress = &self.progress;
        let report = &mut |progressed| report(progress, progressed);
        let above_bytes = self.early_above_bytes;
        let early = &mut |share, trace: &Builder| {
            if trace.size_bytes >= above_bytes {
                show(progress, share, trace);
            }
        };
        let mut watch = Watch::new(report, early).within(self.most_bytes);
        watch.shown = self.shown;
        let What::One(opening) = &mut self.what else {
            return Err(Failure::bug("ranks are read whole"));
        };
        let done = read(opening, &mut watch);
        self.shown = watch.shown;
        done
    }
}

/// What reading reports: bytes or steps `done` of `total` in a named phase.
#[derive(Serialize, Tsify)]
pub struct Progressed {
    phase: String,
    done: u64,
    total: u64,
}

/// Tells the page how far reading has come. One that does not listen must not stop it.
fn report(progress: &Function, Progress { file, done, total }: Progress) {
    let phase = format!("Reading {file}");
    if let Ok(reported) = to_js(&Progressed { phase, done, total }) {
        let _ = progress.call1(&JsValue::NULL, &reported.into());
    }
}

/// Sends a folding of what was read so far, if it can be folded.
fn show(progress: &Function, share: f64, trace: &Builder) {
    // There is no time to decide on curves that are replaced anyway.
    let settings = Settings { fit: Fit::Kriging, ..Settings::default() };
    let folded = Kept::of_events().fold(&trace.so_far(), &settings, &[]);
    let Ok((folding, _)) = folded else { return };
    let message = Object::new();
    let bytes = Uint8Array::from(folding.to_bytes_for_picture().as_slice());
    let set = |key: &str, value: &JsValue| Reflect::set(&message, &key.into(), value);
    if set("folding", &bytes).is_ok() && set("share", &share.into()).is_ok() {
        let _ = progress.call1(&JsValue::NULL, &message);
    }
}

impl TraceChoice {
    fn of(trace: &Candidate) -> Self {
        Self { name: trace.name.clone(), size: trace.size, missing: trace.missing.clone() }
    }
}
