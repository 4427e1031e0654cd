//! Small traces written out, and the few calls that tests make on them.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;

use tracefold::folding::{Folding, Points};
use tracefold::input::NamedFile;
use tracefold::settings::{SettingError, Settings};
use tracefold::text::ParseError;
use tracefold::trace::Trace;
use tracefold::{open, pipeline};

pub const HEADER: &str = "#Paraver (01/02/2025 at 10:00):4000000_ns:1(1):1:1(1:1)\n";

/// Two instances of function 3: 1700 and 1670 instructions, 1250 and 1260 cycles.
pub const MINI_PRV: &str = "\
#Paraver (01/02/2025 at 10:00):4000000_ns:1(1):1:1(1:1),1
c:1:1:1:1
1:1:1:1:1:0:4000000:1
2:1:1:1:1:0:40000001:1:41999999:1:42000050:0:42000059:0
2:1:1:1:1:1000000:60000019:3:42000050:800:42000059:700
2:1:1:1:1:1400000:30000000:3:30000100:4:42000050:900:42000059:500
2:1:1:1:1:1900000:30000000:3:30000100:5:42000050:700:42000059:600
2:1:1:1:1:2000000:60000019:0:42000050:100:42000059:150
2:1:1:1:1:2500000:60000019:3:42000050:300:42000059:290
2:1:1:1:1:2900000:30000000:3:30000100:4:42000050:880:42000059:490
2:1:1:1:1:3500000:60000019:0:42000050:790:42000059:770
2:1:1:1:1:4000000:40000001:0
";

pub const MINI_PCF: &str = "\
EVENT_TYPE
0    60000019    User function
0    30000000    Sampled functions
VALUES
0   End
1   Unresolved
2   _NOT_Found
3   kernel

EVENT_TYPE
0    30000100    Sampled line functions
VALUES
0   End
4   12 (k.c) [mini]
5   19 (k.c) [mini]

EVENT_TYPE
7  42000050 PAPI_TOT_INS [Instr completed]
7  42000059 PAPI_TOT_CYC [Total cycles]
7  41999999 Active hardware counter set
";

fn named<'a>(files: &[(&str, &'a [u8])]) -> Vec<NamedFile<'a>> {
    files.iter().map(|(name, bytes)| NamedFile::new(*name, *bytes)).collect()
}

/// What a packed file of the project says.
pub fn inflated(path: &str) -> Vec<u8> {
    let file = File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap();
    let mut text = vec![];
    GzDecoder::new(file).read_to_end(&mut text).unwrap();
    text
}

#[track_caller]
pub fn open(files: &[(&str, &[u8])]) -> Trace {
    open::open(named(files), &mut |_| {}).unwrap_or_else(|error| panic!("{error:#}"))
}

#[track_caller]
pub fn open_err(files: &[(&str, &[u8])]) -> ParseError {
    open::open(named(files), &mut |_| {}).unwrap_err()
}

pub fn try_open(files: &[(&str, &[u8])]) -> Result<Trace, ParseError> {
    open::open(named(files), &mut |_| {})
}

/// From `KEY=VALUE` texts.
pub fn settings(texts: &[&str]) -> Result<Settings, SettingError> {
    let pair = |text: &&str| {
        let (key, value) = text.split_once('=').unwrap();
        (key.to_owned(), value.to_owned())
    };
    Settings::try_from(texts.iter().map(pair).collect::<BTreeMap<_, _>>())
}

#[track_caller]
pub fn fold(trace: &Trace, texts: &[&str]) -> Folding {
    fold_with_points(trace, texts).0
}

#[track_caller]
pub fn fold_with_points(trace: &Trace, texts: &[&str]) -> (Folding, Points) {
    let settings = settings(texts).unwrap();
    pipeline::run(trace, &settings).unwrap_or_else(|error| panic!("{error}"))
}
