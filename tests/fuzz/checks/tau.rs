//! Profiles of TAU: any bytes are a sound profile, or refused with words; what is read can be written, and
//! what was written is read.

use tracefold::profile::Profile;
use tracefold::tau::{self, TextReader, Trial};
use tracefold::text::ParseError;

use super::lines;

pub fn text(bytes: &[u8]) {
    let read = trial_of_text(bytes);
    sound(read);
}

pub fn packed(bytes: &[u8]) {
    let mut trial = Trial::new("a");
    let read = tau::read_packed(&mut trial, "a", bytes);
    sound(read.map(|()| trial));
}

pub fn xml(bytes: &[u8]) {
    let mut trial = Trial::new("a");
    let read = tau::read_xml(&mut trial, "a", bytes);
    sound(read.map(|()| trial));
}

fn trial_of_text(bytes: &[u8]) -> Result<Trial, ParseError> {
    let mut trial = Trial::new("a");
    let mut reader = TextReader::new(&mut trial, "a", "profile.0.0.0")?;
    lines(bytes, bytes.len().max(1), |at, line, _| reader.line(at, line))?;
    reader.finish()?;
    Ok(trial)
}

fn sound(read: Result<Trial, ParseError>) {
    let Ok(trial) = read.and_then(|trial| trial.of_threads("a")) else { return };
    let (profile, _) = trial.assembled();
    let profile = profile.summarised();
    check(&profile);
    for (_, text) in tau::written(&profile) {
        let again = trial_of_text(text.as_bytes()).and_then(|trial| trial.of_threads("a"));
        let (again, _) = again.expect("what was written is read").assembled();
        check(&again);
    }
}

fn check(profile: &Profile) {
    for (at, node) in profile.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| (parent as usize) < at));
    }
    for columns in profile.threads.iter().map(|thread| &thread.columns) {
        assert!(columns.nodes.is_sorted_by(|a, b| a < b));
        for column in columns.exclusive.iter().chain(&columns.inclusive) {
            assert!(column.len() == columns.len() && column.iter().all(|of| *of >= 0.0));
        }
    }
}
