//! An archive of OTF2 of which one file is anything.

use tracefold::input::NamedFile;
use tracefold::open::{Watch, candidates};
use tracefold::text::ParseError;
use tracefold::trace::Trace;

/// A whole archive: names, and a first byte that says which file it is before the bytes of each.
const FILES: [(&str, &[u8]); 4] = [
    ("traces.otf2", include_bytes!("../seeds/otf2/anchor")),
    ("traces.def", include_bytes!("../seeds/otf2/definitions")),
    ("traces/8589934592.def", include_bytes!("../seeds/otf2/local")),
    ("traces/8589934592.evt", include_bytes!("../seeds/otf2/events")),
];

/// The first byte says which file the others take the place of. Read whole, and as workers read it, it
/// is the same trace, which has no more in it than bytes can say.
pub fn check(bytes: &[u8]) {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let file = |(at, (name, seed)): (usize, &(&'static str, &'static [u8]))| {
        let own = seed.get(1..).unwrap_or_default();
        (*name, if at == usize::from(which) % FILES.len() { bytes } else { own })
    };
    let files = FILES.iter().enumerate().map(file).collect::<Vec<_>>();
    let whole = super::opened(&files);
    let apart = by_workers(&files);
    match (whole, apart) {
        (Ok(whole), Ok(apart)) => {
            let all = files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
            let events = |trace: &Trace| {
                let all = trace.threads.iter().chain(&trace.readers);
                let moments = all.flat_map(|thread| thread.moments());
                moments.map(|moment| (moment.time, moment.events().collect::<Vec<_>>())).collect()
            };
            let [whole, apart]: [Vec<_>; 2] = [&whole, &apart].map(events);
            assert!(whole == apart);
            assert!(whole.len() <= all);
        }
        (Err(whole), Err(apart)) => assert_eq!(whole, apart),
        (whole, apart) => panic!("{:?} {:?}", whole.err(), apart.err()),
    }
}

fn by_workers(files: &[(&str, &[u8])]) -> Result<Trace, ParseError> {
    let named = files.iter().map(|(name, bytes)| NamedFile::new(*name, bytes.to_vec()));
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = candidates(named.collect(), report)?;
    let mut watch = Watch::new(report, early);
    let mut opening = found.opening(None, watch.report)?;
    // What is no archive any more may be read from its begin to its end alone.
    if opening.blocks() == 0 {
        opening.read(&mut watch)?;
    }
    for index in 0..opening.blocks() {
        let words = opening.read_part(index)?.write();
        let part = opening.read_words(&words).expect("what was written reads back");
        opening.join(index, part, &mut watch)?;
    }
    opening.finish(&mut watch)
}
