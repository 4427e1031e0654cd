//! `tracefold accumulate` of a trace that comes: what a pipe brings, or a file that grows.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tracefold::accumulate::Online;
use tracefold::disk;
use tracefold::input::{FileKind, NamedFile, sniff};
use tracefold::partial::Partial;
use tracefold::settings::only;

use crate::accumulate::{refuse_what_is_for_whole_traces, refused};
use crate::failure::Failure;
use crate::part_arguments::{Accumulate, SplitBy};
use crate::progress::Bar;
use crate::read::check_choice;

/// What a pipe brings.
const PIPE: &str = "-";

/// Seconds from one writing of the part to the next: who looks at the page hardly reloads it more often.
const EVERY_SECONDS: u64 = 10;

/// What is kept of a trace, unless more is allowed: ten times as much as the fold of a group shows.
const MOST_KEPT_MB: u64 = 256;

/// How long a file that has no more bytes is left alone.
const REST: Duration = Duration::from_millis(200);

/// Bytes that are read at a time, and how many times before the first is looked at.
const SLICE_BYTES: usize = 1 << 20;
const MOST_WAITING: usize = 4;

/// With so many bytes a text that is none of those that are read is not waited for any longer.
const HEAD_BYTES: usize = 64 << 10;

/// Whether the trace is one that comes.
pub fn is_meant(asked: &Accumulate) -> bool {
    asked.follow || asked.reading.files.iter().any(|file| is_pipe(file))
}

fn is_pipe(file: &Path) -> bool {
    file.as_os_str() == PIPE
}

/// Writes the part of what has come, again and again, until the trace ends or this is interrupted.
pub fn accumulate(asked: &Accumulate) -> Result<(), Failure> {
    refuse(asked)?;
    let pairs = asked.reading.only.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let only = only(pairs).map_err(|error| Failure::Usage(format!("--only: {error}")))?;
    let most_bytes = asked.reading.memory.unwrap_or(MOST_KEPT_MB) * 1_000_000;

    let is_interrupted = interrupted(asked.follow)?;
    let mut coming = Coming::of(asked, &is_interrupted)?;
    let bar = Bar::of_work("waiting for the trace");
    let head = coming.head(asked)?;
    let candidates = candidates(asked, &head)?;
    check_choice(&candidates, asked.reading.trace.as_deref())?;
    let opening = candidates
        .opening(asked.reading.trace.as_deref(), &mut |_| {})
        .map_err(|error| Failure::Input(format!("{error:#}")))?;
    let online = Online::new(opening, &asked.region, &only, most_bytes).map_err(refused)?;
    let every = Duration::from_secs(asked.every.unwrap_or(EVERY_SECONDS));
    let mut written = Written { online, out: &asked.out, bar, has_waited: false, one_in: 1 };

    let mut goes_on = written.push(&head)?;
    let (mut due, mut is_new) = (Instant::now() + every, true);
    loop {
        match coming.bytes.recv_timeout(due.saturating_duration_since(Instant::now())) {
            // What writes into a pipe that nobody reads would be ended by that.
            Ok(_) if !goes_on => {}
            Ok(bytes) => {
                goes_on = written.push(&bytes.map_err(|error| coming.wrong(&error))?)?;
                is_new = true;
                if !goes_on {
                    written.write()?;
                }
                if !goes_on && asked.follow {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if Instant::now() >= due {
            if is_new {
                written.write()?;
            }
            (due, is_new) = (Instant::now() + every, false);
        }
    }
    let Written { online, bar, .. } = written;
    let part = online.end().map_err(refused)?;
    let words = part.missing_words();
    replace(&asked.out, part)?;
    bar.clear();
    words.iter().for_each(|words| eprintln!("tracefold: notice: {words}"));
    Ok(())
}

fn refuse(asked: &Accumulate) -> Result<(), Failure> {
    let wrong = |words: &str| Err(Failure::Usage(words.to_owned()));
    refuse_what_is_for_whole_traces(&asked.reading)?;
    let files = &asked.reading.files;
    let pipes = files.iter().filter(|file| is_pipe(file)).count();
    if asked.part.of > 1 || asked.by == Some(SplitBy::Objects) {
        return wrong("--part and --by: a trace that comes is one part; leave them out");
    }
    match (asked.follow, pipes, files.as_slice()) {
        (true, 0, [_]) | (false, 1, _) => {}
        (true, 0, _) => {
            return wrong(
                "--follow: one file grows; name it alone, its labels are read from beside it",
            );
        }
        (true, ..) => {
            return wrong("--follow is for a file; what a pipe brings is read until it ends");
        }
        (false, ..) => return wrong("- is there but once: a pipe brings one trace"),
    }
    if asked.name.is_some() && pipes == 0 {
        return wrong("--name is for what a pipe brings; a file has its name");
    }
    Ok(())
}

/// Set when this is to end. A pipe then ends by itself, as what writes into it is interrupted, too; if it does
/// not, a second time ends this.
fn interrupted(follows: bool) -> Result<Arc<AtomicBool>, Failure> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let set = is_interrupted.clone();
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        if !follows {
            eprintln!("tracefold: reading what the pipe still brings; once more ends this at once");
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Output(error.to_string()))?;
    Ok(is_interrupted)
}

/// The bytes of a trace, in order.
struct Coming {
    name: String,
    bytes: Receiver<io::Result<Vec<u8>>>,
}

impl Coming {
    /// A thread of its own waits for them.
    fn of(asked: &Accumulate, is_interrupted: &Arc<AtomicBool>) -> Result<Self, Failure> {
        let (sender, bytes) = sync_channel(MOST_WAITING);
        if !asked.follow {
            thread::spawn(move || bring(io::stdin(), &sender));
            return Ok(Self { name: name_of_pipe(asked), bytes });
        }
        let path = asked.reading.files.first().cloned().unwrap_or_default();
        let name = path.display().to_string();
        let wrong = |error: io::Error| Failure::Input(format!("{name}: {error}"));
        let file = File::open(&path).map_err(wrong)?;
        if !file.metadata().map_err(wrong)?.is_file() {
            let words = "found no file that grows, expected one; what a pipe brings is -";
            return Err(Failure::Input(format!("{name}: {words}")));
        }
        let growing = Growing { file, read: 0, is_interrupted: is_interrupted.clone() };
        thread::spawn(move || bring(growing, &sender));
        Ok(Self { name, bytes })
    }

    /// So many bytes that they tell what is coming.
    fn head(&mut self, asked: &Accumulate) -> Result<Vec<u8>, Failure> {
        let path = asked.reading.files.first().filter(|_| asked.follow);
        let name = path.map_or_else(|| name_of_pipe(asked), |path| path.display().to_string());
        let mut head = vec![];
        while head.len() < HEAD_BYTES
            && (!head.contains(&b'\n') || sniff(&name, &head) == FileKind::Unknown)
        {
            let Ok(bytes) = self.bytes.recv() else { break };
            head.extend(bytes.map_err(|error| self.wrong(&error))?);
        }
        match head.is_empty() {
            true => Err(Failure::Input(format!("{name}: found no byte, expected a trace"))),
            false => Ok(head),
        }
    }

    fn wrong(&self, error: &io::Error) -> Failure {
        Failure::Input(format!("{}: {error}", self.name))
    }
}

fn name_of_pipe(asked: &Accumulate) -> String {
    asked.name.clone().unwrap_or_else(|| "stdin".to_owned())
}

/// Hands on what is read, until it ends, or nobody takes it.
fn bring(mut source: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut slice = vec![0; SLICE_BYTES];
    loop {
        let read = match source.read(&mut slice) {
            Ok(0) => return,
            Ok(count) => Ok(slice.get(..count).unwrap_or_default().to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_wrong = read.is_err();
        if sender.send(read).is_err() || is_wrong {
            return;
        }
    }
}

/// A file whose end is where it is when this is interrupted.
struct Growing {
    file: File,
    read: u64,
    is_interrupted: Arc<AtomicBool>,
}

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // Before the file is: what was written until then is read.
            let is_last = self.is_interrupted.load(Ordering::Relaxed);
            let count = self.file.read(buffer)?;
            self.read += count as u64;
            if self.file.metadata()?.len() < self.read {
                let words = "it has become shorter, so it is another trace; start again";
                return Err(io::Error::other(words));
            }
            if count > 0 || is_last {
                return Ok(count);
            }
            thread::sleep(REST);
        }
    }
}

/// The candidates of the files that are named, of which one is read as it comes.
fn candidates(
    asked: &Accumulate,
    head: &[u8],
) -> Result<tracefold::open::Candidates<'static>, Failure> {
    let paths = asked.reading.files.iter().filter(|file| !is_pipe(file)).cloned();
    let paths = paths.collect::<Vec<PathBuf>>();
    let mut files = disk::files(&paths).map_err(|error| Failure::Input(error.to_string()))?;
    if !asked.follow {
        files.push(NamedFile::new(name_of_pipe(asked), head.to_vec()));
    }
    tracefold::open::candidates(files, &mut |_| {})
        .map_err(|error| Failure::Input(format!("{error:#}")))
}

/// A part that is written again and again.
struct Written<'a> {
    online: Online,
    out: &'a Path,
    bar: Bar,
    /// Whether it was said that there is no part yet.
    has_waited: bool,
    one_in: u32,
}

impl Written<'_> {
    fn push(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        let goes_on = self.online.push(bytes).map_err(refused)?;
        let one_in = self.online.one_in();
        if one_in > self.one_in {
            self.one_in = one_in;
            self.say(&format!(
                "what is kept of the trace had grown too large: about one in {one_in} instances keeps its \
                 samples; --memory allows more"
            ));
        }
        self.bar.say(format!("reading {:.1} MB", self.online.bytes() as f64 / 1e6));
        Ok(goes_on)
    }

    fn write(&mut self) -> Result<(), Failure> {
        match self.online.waits() {
            Some(words) if !self.has_waited => {
                self.has_waited = true;
                self.say(&format!("nothing is written yet: {words}"));
                Ok(())
            }
            Some(_) => Ok(()),
            None => replace(self.out, self.online.so_far().map_err(refused)?),
        }
    }

    fn say(&self, words: &str) {
        self.bar.beside(|| eprintln!("tracefold: notice: {words}"));
    }
}

/// Puts the part in the place of the one before: whoever reads has the one or the other whole.
fn replace(path: &Path, part: Partial) -> Result<(), Failure> {
    let failed = |error| Failure::Output(format!("{}: {error}", path.display()));
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    fs::write(&beside, part.write()).map_err(failed)?;
    fs::rename(&beside, path).map_err(failed)
}
