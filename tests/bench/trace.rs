//! Traces to measure on: a generated one, made once, and a real one where it is.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use flate2::{Compression, write::GzEncoder};
use tracefold::input::NamedFile;
use tracefold::open::{self, Watch};
use tracefold::trace::Trace;
use tracefold_generate::{Options, big};

use crate::root;

pub const BIG_MB: u64 = 200;

/// Bytes of a `.prv` and of its labels.
pub struct Text {
    pub prv: Vec<u8>,
    pub pcf: Vec<u8>,
}

/// 200 MB of 16 threads; the files lie in `target/bench` from then on.
pub fn big() -> Text {
    if !big_file("pcf").exists() {
        fs::create_dir_all(root().join("target/bench")).expect("target can be written");
        let file =
            |extension| BufWriter::new(File::create(big_file(extension)).expect("a new file"));
        let options = Options { size_mb: Some(BIG_MB), ..Options::default() };
        let (generated, _) = big::generate(1, &options, file("prv")).expect("the disk has room");
        let prv = fs::read(big_file("prv")).expect("it was written");
        // As `gzip` packs unless told otherwise.
        let mut packed = GzEncoder::new(file("prv.gz"), Compression::new(6));
        packed.write_all(&prv).expect("the disk has room");
        packed.finish().and_then(|mut file| file.flush()).expect("the disk has room");
        fs::write(big_file("pcf"), generated.pcf).expect("the disk has room");
    }
    let read = |extension| fs::read(big_file(extension)).expect("it was written");
    Text { prv: read("prv"), pcf: read("pcf") }
}

/// Its file with this ending: `prv`, `prv.gz` or `pcf`.
pub fn big_file(ending: &str) -> PathBuf {
    root().join(format!("target/bench/big-{BIG_MB}.{ending}"))
}

/// A real trace of 3 MB, if the shared folder is here.
pub fn namd() -> Option<Text> {
    let shared = std::env::var("TRACEFOLD_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    let folder = root().join(shared).join("corpus/paraver/namd");
    let read = |extension: &str| fs::read(folder.join(format!("444.namd.{extension}"))).ok();
    Some(Text { prv: read("prv")?, pcf: read("pcf")? })
}

/// Reads a trace as the command line does, from memory.
pub fn opened(name: &str, prv: &[u8], pcf: &[u8]) -> Trace {
    opened_by(1, name, prv, pcf)
}

/// The same with so many threads.
pub fn opened_by(threads: usize, name: &str, prv: &[u8], pcf: &[u8]) -> Trace {
    let files = vec![NamedFile::new(name, prv), NamedFile::new("labels.pcf", pcf)];
    let (report, early) = (&mut |_| {}, &mut |_, _: &_| {});
    let found = open::candidates(files, report).expect("a sound trace");
    let mut watch = Watch::new(report, early);
    watch.threads = threads;
    found.open(None, &mut watch).expect("a sound trace")
}
