//! A trace being read by the worker, alone or with others.

use js_sys::{Function, Object, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::JsValue;

use super::encode::{Failure, json_of, to_js};
use crate::input::NamedFile;
use crate::open::{self, Candidate, Opening, Part, Progress, Watch};
use crate::performance::Fit;
use crate::pipeline;
use crate::result::{Fields, Json};
use crate::settings::{self, Settings};
use crate::trace::{Builder, Only};

/// What may be kept of a trace unless told otherwise: half of what a worker can have, for folding
/// takes some too.
const MOST_BYTES: f64 = 2e9;

/// Smaller files are read before an early picture of them could be looked at.
const EARLY_ABOVE_BYTES: f64 = 256e6;

/// A trace being read.
pub struct Reading {
    opening: Opening<'static>,
    most_bytes: u64,
    early_above_bytes: u64,
    progress: Function,
    /// The share of which the last early picture was.
    shown: f64,
}

/// What may be kept of a trace, and from which size on there are early pictures.
pub struct How {
    most_bytes: u64,
    early_above_bytes: u64,
    only: Only,
}

impl How {
    /// From `{mostBytes, earlyAboveBytes, only}`: numbers that are absent are ours, `only` is
    /// settings (key to text) that choose a part.
    pub fn of(value: &JsValue) -> Result<Self, Failure> {
        let json = json_of(value)?;
        let how = Fields(&json);
        let bytes = |key, usual| Some(how.number(key)).filter(|b| *b > 0.0).unwrap_or(usual) as u64;
        let chosen = json.get("only").map_or(&[][..], Json::fields);
        let chosen = chosen.iter().map(|(key, value)| (key.as_str(), value.text()));
        Ok(Self {
            most_bytes: bytes("mostBytes", MOST_BYTES),
            early_above_bytes: bytes("earlyAboveBytes", EARLY_ABOVE_BYTES),
            only: settings::only(chosen)?,
        })
    }
}

/// What the files turn out to be.
pub enum Begun {
    Reading(Box<Reading>),
    /// Several traces, of which a person names one.
    Choices(Choices),
}

impl Reading {
    pub fn begin(
        files: Vec<NamedFile<'static>>,
        choice: Option<String>,
        how: How,
        progress: Function,
    ) -> Result<Begun, Failure> {
        let report = &mut |progressed| report(&progress, progressed);
        let found = open::candidates(files, report)?;
        if choice.is_none() && found.traces.len() > 1 {
            return Ok(Begun::Choices(Choices::of(&found.traces)));
        }
        let opening = found.opening(choice.as_deref(), report)?.only(how.only);
        let How { most_bytes, early_above_bytes, .. } = how;
        let reading = Self { opening, most_bytes, early_above_bytes, progress, shown: 0.0 };
        Ok(Begun::Reading(Box::new(reading)))
    }

    pub fn blocks(&self) -> u64 {
        self.opening.blocks()
    }

    pub fn read(&mut self) -> Result<(), Failure> {
        self.watched(|opening, watch| Ok(opening.read(watch)?))
    }

    pub fn read_first(&mut self) -> Result<bool, Failure> {
        self.watched(|opening, watch| {
            opening.read_first()?;
            Ok(opening.began(watch))
        })
    }

    pub fn read_next(&mut self, index: u64) -> Result<bool, Failure> {
        self.watched(|opening, watch| Ok(opening.read_next(index, watch)?))
    }

    pub fn read_part(&self, index: u64) -> Result<Vec<u32>, Failure> {
        Ok(Opening::write(self.opening.read_part(index)?))
    }

    pub fn join(&mut self, index: u64, words: &[u32]) -> Result<bool, Failure> {
        let part: Option<Part> = self.opening.read_words(words);
        let part = part.ok_or_else(|| Failure::bug("a part that is none"))?;
        self.watched(|opening, watch| Ok(opening.join(index, part, watch)?))
    }

    pub fn finish(self) -> Result<crate::trace::Trace, Failure> {
        let (report, early) =
            (&mut |progressed| report(&self.progress, progressed), &mut |_, _: &Builder| {});
        Ok(self.opening.finish(&mut Watch::new(report, early).within(self.most_bytes))?)
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
        let done = read(&mut self.opening, &mut watch);
        self.shown = watch.shown;
        done
    }
}

/// Tells the page how far reading has come. One that does not listen must not stop it.
fn report(progress: &Function, Progress { file, done, total }: Progress) {
    #[derive(Serialize)]
    struct Reported {
        phase: String,
        done: f64,
        total: f64,
    }
    let phase = format!("Reading {file}");
    if let Ok(reported) = to_js(&Reported { phase, done: done as f64, total: total as f64 }) {
        let _ = progress.call1(&JsValue::NULL, &reported);
    }
}

/// Sends a folding of what was read so far, if it can be folded.
fn show(progress: &Function, share: f64, trace: &Builder) {
    // There is no time to decide on curves that are replaced anyway.
    let settings = Settings { fit: Fit::Kriging, ..Settings::default() };
    let Ok((folding, _)) = pipeline::run(&trace.so_far(), &settings) else { return };
    let message = Object::new();
    let bytes = Uint8Array::from(folding.to_bytes_for_picture().as_slice());
    let set = |key: &str, value: &JsValue| Reflect::set(&message, &key.into(), value);
    if set("folding", &bytes).is_ok() && set("share", &share.into()).is_ok() {
        let _ = progress.call1(&JsValue::NULL, &message);
    }
}

#[derive(Serialize)]
pub struct Choices {
    choices: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    name: String,
    size: f64,
    missing: Vec<&'static str>,
}

impl Choices {
    fn of(traces: &[Candidate]) -> Self {
        let choice = |trace: &Candidate| Choice {
            name: trace.name.clone(),
            size: trace.size as f64,
            missing: trace.missing.clone(),
        };
        Self { choices: traces.iter().map(choice).collect() }
    }
}
