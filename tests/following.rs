//! The command line on a trace that is still being written: a pipe, or a file that grows.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tracefold::partial::{End, Partial};
use tracefold_generate::{Shape, generate};

use crate::traces::inflated;

const REGION: &str = "User function:main loop";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("following").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    command.current_dir(folder).args(arguments).stderr(Stdio::piped());
    command
}

/// Begun, and killed if the test ends before it does.
struct Begun(Child);

impl Begun {
    fn interrupt(&self) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    }

    fn ends_well(mut self) {
        let status = self.0.wait().unwrap();
        let mut words = String::new();
        std::io::Read::read_to_string(&mut self.0.stderr.take().unwrap(), &mut words).unwrap();
        assert!(status.success(), "{status} {words}");
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The part in a file, once it is as `is_it` asks for.
fn part_when(path: &Path, is_it: impl Fn(&Partial) -> bool) -> Partial {
    // Never that long: the end of a test that waits for nothing.
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        if let Ok(bytes) = fs::read(path) {
            // Whole at any moment.
            let part = Partial::read(&bytes).unwrap();
            if is_it(&part) {
                return part;
            }
        }
        assert!(Instant::now() < patience, "{}: no such part came", path.display());
        sleep(Duration::from_millis(20));
    }
}

fn whole_of(folder: &Path, trace: &str, region: &str) -> Vec<u8> {
    let arguments = ["accumulate", trace, "--region", region, "-o", "whole.part"];
    let done = command(folder, &arguments).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    fs::read(folder.join("whole.part")).unwrap()
}

#[test]
fn a_file_is_followed_until_that_is_interrupted() {
    let folder = folder("file");
    let example = generate(Shape::Example, 6);
    fs::write(folder.join("run.pcf"), &example.pcf).unwrap();
    let text = &example.prv;
    let (third, two) = (text.len() / 3, text.len() * 2 / 3);
    // It is waited for, empty or not.
    let mut file = File::create(folder.join("run.prv")).unwrap();
    let recipe = crate::parts::recipe("recipe-follow");
    let arguments = ["accumulate", "--follow", "run.prv", "--region", REGION, "-o", "live.part"];
    assert_eq!(
        recipe.trim(),
        format!("tracefold {}", arguments.join(" ")).replace(REGION, &format!("{REGION:?}"))
    );
    let begun = command(&folder, &[&arguments[..], &["--every", "1"]].concat()).spawn().unwrap();
    let begun = Begun(begun);
    file.write_all(&text[..third]).unwrap();
    let live = folder.join("live.part");
    let first = part_when(&live, |part| part.end == End::Growing);
    assert!(first.common.size_bytes <= third as u64);
    assert!(first.missing_words().unwrap().starts_with("The trace was still being written"));
    file.write_all(&text[third..two]).unwrap();
    let before = first.common.size_bytes;
    part_when(&live, |part| part.end == End::Growing && part.common.size_bytes > before);
    // Written to its end just before.
    file.write_all(&text[two..]).unwrap();
    begun.interrupt();
    begun.ends_well();
    assert!(fs::read(&live).unwrap() == whole_of(&folder, "run.prv", REGION));
    let left = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.count(), 4, "a .prv, a .pcf and two parts");
}

#[test]
fn a_file_that_becomes_shorter_is_another_one() {
    let folder = folder("shorter");
    let example = generate(Shape::Example, 6);
    fs::write(folder.join("run.prv"), &example.prv[..example.prv.len() / 2]).unwrap();
    let arguments = ["accumulate", "--follow", "run.prv", "--region", "*", "-o", "live.part"];
    let mut begun = Begun(command(&folder, &arguments).spawn().unwrap());
    // After its first bytes were read.
    sleep(Duration::from_millis(500));
    OpenOptions::new().write(true).open(folder.join("run.prv")).unwrap().set_len(50).unwrap();
    let status = begun.0.wait().unwrap();
    let mut words = String::new();
    std::io::Read::read_to_string(&mut begun.0.stderr.take().unwrap(), &mut words).unwrap();
    assert_eq!(status.code(), Some(3), "{words}");
    assert!(words.contains("run.prv: it has become shorter, so it is another trace"), "{words}");
}

#[test]
fn a_pipe_is_read_until_it_ends_though_an_interruption_comes_first() {
    let folder = folder("pipe");
    let text = inflated("tests/traces/calls-perf.txt.gz");
    fs::write(folder.join("run.txt"), &text).unwrap();
    let region = "probe_phases:iteration";
    let arguments = [
        "accumulate",
        "-",
        "--name",
        "run.txt",
        "--region",
        region,
        "-o",
        "live.part",
        "--every",
        "1",
    ];
    let mut child = command(&folder, &arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let begun = Begun(child);
    let (before, after) = text.split_at(text.len() / 2);
    pipe.write_all(before).unwrap();
    let live = folder.join("live.part");
    part_when(&live, |part| part.end == End::Growing);
    begun.interrupt();
    pipe.write_all(after).unwrap();
    drop(pipe);
    begun.ends_well();
    assert!(fs::read(&live).unwrap() == whole_of(&folder, "run.txt", region));
}

#[test]
fn the_recipe_of_the_guide_folds_what_perf_prints() {
    let folder = folder("recipe");
    fs::write(folder.join("run.txt"), inflated("tests/traces/calls-perf.txt.gz")).unwrap();
    let recipe = crate::parts::recipe("recipe-pipe");
    let made_here = recipe
        .replace("perf script --ns -F +period -i recording", "cat run.txt")
        .replace("probe_solver:step", "probe_phases:iteration");
    assert!(made_here.starts_with("cat run.txt | tracefold accumulate - "), "{recipe}");
    crate::parts::shell(&folder, &made_here, &[]);
    // But for what it is called.
    let folded = "tracefold fold live.part --out live --format csv && \
                  tracefold fold run.txt --out whole --format csv && diff -r live whole";
    crate::parts::shell(&folder, folded, &[]);
}

#[test]
fn what_cannot_be_followed_is_refused_in_words() {
    let folder = folder("refused");
    let example = generate(Shape::Example, 6);
    fs::write(folder.join("run.prv"), &example.prv).unwrap();
    fs::write(folder.join("run.pcf"), &example.pcf).unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    fs::write(folder.join("words"), "no trace at all\n").unwrap();
    fs::create_dir(folder.join("of")).unwrap();
    let refused = |arguments: &[&str], pipe: &str| {
        let mut command = command(&folder, &[&["accumulate"], arguments, &["-o", "x"]].concat());
        let Output { status, stderr, .. } =
            command.stdin(File::open(folder.join(pipe)).unwrap()).output().unwrap();
        (status.code(), String::from_utf8(stderr).unwrap())
    };
    let region = ["--region", REGION];
    for (arguments, pipe, status, words) in [
        (&["-", "-"][..], "empty", 2, "- is there but once: a pipe brings one trace"),
        (
            &["--follow", "-"],
            "empty",
            2,
            "--follow is for a file; what a pipe brings is read until it ends",
        ),
        (
            &["--follow", "run.prv", "run.pcf"],
            "empty",
            2,
            "--follow: one file grows; name it alone",
        ),
        (&["-", "--part", "1/2"], "empty", 2, "--part and --by: a trace that comes is one part"),
        (&["--follow", "run.prv", "--by", "objects"], "empty", 2, "--part and --by"),
        (&["run.prv", "--every", "5"], "empty", 2, "--every is for a trace that comes"),
        (&["run.prv", "--name", "a"], "empty", 2, "--name is for what a pipe brings"),
        (&["--follow", "run.prv", "--name", "a"], "empty", 2, "--name is for what a pipe brings"),
        (
            &["-", "--merge", "words"],
            "empty",
            2,
            "--merge: a recording is merged with a whole trace",
        ),
        (&["--follow", "of"], "empty", 3, "of: found no file that grows, expected one"),
        (&["--follow", "nowhere.prv"], "empty", 3, "nowhere.prv: "),
        (&["-"], "empty", 3, "stdin: found no byte, expected a trace"),
        (&["-"], "words", 3, "stdin: found a file of another kind, expected a trace"),
        (&["-"], "run.pcf", 3, "stdin: found only the labels of a trace"),
    ] {
        let (code, said) = refused(&[arguments, &region].concat(), pipe);
        assert_eq!(code, Some(status), "{arguments:?} {said}");
        assert!(said.starts_with(&format!("tracefold: {words}")), "{arguments:?} {said}");
    }
    // A region that never came, with what is like it; nothing is written.
    let (code, said) = refused(&["-", "run.pcf", "--region", "User function:main lop"], "run.prv");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("main loop") && !folder.join("x").exists(), "{said}");
    let (code, said) = refused(&["-", "--region", REGION, "--name", "a.gz"], "run.prv");
    assert_eq!(code, Some(2), "without labels there is no such region: {said}");
}
