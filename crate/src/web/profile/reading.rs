//! Reading of files, in the part of this module that is loaded for files alone.

use js_sys::{Array, Function};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::session::checked;
use crate::input::Progress;
use crate::open::{self, TrialFiles};
use crate::profile::Profile;
use crate::report::{self, NoticeLine};
use crate::web::encode::{Failure, to_js};
use crate::web::file::named;

/// What the files turn out to be.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct ProfileBegun {
    /// Of several profiles all, of which a person chooses one; else the one that was read.
    choices: Vec<ProfileChoice>,
    /// What is odd about it; `None` where nothing was read.
    notices: Option<Vec<NoticeLine>>,
}

/// One of several profiles: its name, and the bytes of its files. It lacks nothing.
#[derive(Serialize, Tsify)]
pub struct ProfileChoice {
    name: String,
    size: u64,
    missing: Vec<String>,
}

impl ProfileChoice {
    fn of(trial: &TrialFiles) -> Self {
        Self { name: trial.name.clone(), size: trial.size, missing: vec![] }
    }
}

/// The profile among files, or that which `choice` names of several; what there is to choose from else.
#[inline(never)]
pub fn read(
    names: Vec<String>,
    dropped: &Array,
    choice: Option<&str>,
    progress: &Function,
) -> Result<(ProfileBegun, Option<Profile>), Failure> {
    let report = &mut |made| progressed(progress, made);
    let candidates = open::contents(named(names, dropped)?, report)?;
    let trials = candidates.trials();
    let meant = match (choice, trials.as_slice()) {
        (Some(choice), all) => all.iter().find(|trial| trial.name == choice),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some(meant) = meant else {
        let choices = trials.iter().map(ProfileChoice::of).collect();
        return Ok((ProfileBegun { choices, notices: None }, None));
    };
    let (profile, notices) = candidates.profile(meant, report)?;
    let begun = ProfileBegun {
        choices: vec![ProfileChoice::of(meant)],
        notices: Some(notices.iter().map(report::trace_notice).collect()),
    };
    Ok((begun, Some(checked(profile)?.summarised())))
}

fn progressed(progress: &Function, Progress { file, done, total }: Progress) {
    let phase = format!("Reading {file}");
    if let Ok(reported) = to_js(&Progressed { phase, done, total }) {
        let _ = progress.call1(&JsValue::NULL, &reported.into());
    }
}

#[derive(Serialize, Tsify)]
struct Progressed {
    phase: String,
    done: u64,
    total: u64,
}
