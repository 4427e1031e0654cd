//! A trace in any wrapping is the same trace; archives that lie or break say so in words.

use std::io::Write;

use crate::traces::{MINI_PCF, MINI_PRV, open, open_err, try_open};
use flate2::{Compression, write::DeflateEncoder, write::GzEncoder};
use rawzip::{CompressionMethod, Crc32Option, ZipArchiveWriter, ZipDataWriter};
use tracefold::input::NamedFile;
use tracefold::open::{Candidate, Watch, candidates};
use tracefold_generate::Random;

const ROW: &str = "LEVEL CPU SIZE 1\n1\n";

type File<'a> = (&'a str, &'a [u8]);

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn tar(files: &[File]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        // By hand: the writer refuses paths that climb.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip(files: &[File], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in files {
        let file = archive.new_file(name).compression_method(method);
        let (mut entry, config) = file.start().unwrap();
        let described = match method {
            CompressionMethod::DEFLATE => {
                let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
                writer.write_all(bytes).unwrap();
                let (encoder, described) = writer.finish().unwrap();
                encoder.finish().unwrap();
                described
            }
            CompressionMethod::BZIP2 => {
                let encoder = bzip2::write::BzEncoder::new(&mut entry, bzip2::Compression::fast());
                let mut writer = config.wrap(encoder);
                writer.write_all(bytes).unwrap();
                let (encoder, described) = writer.finish().unwrap();
                encoder.finish().unwrap();
                described
            }
            _ => {
                let mut writer = config.wrap(&mut entry);
                writer.write_all(bytes).unwrap();
                writer.finish().unwrap().1
            }
        };
        entry.finish(described).unwrap();
    }
    archive.finish().unwrap()
}

/// Everything that is known of a trace but what its files are called and how small they are.
#[track_caller]
fn known(files: &[File]) -> String {
    let mut trace = open(files);
    (trace.name, trace.size_bytes) = (String::new(), 0);
    format!("{trace:?}")
}

#[test]
fn every_wrapping_gives_the_same_trace() {
    let (prv, pcf, row) = (MINI_PRV.as_bytes(), MINI_PCF.as_bytes(), ROW.as_bytes());
    let bare: [File; 3] = [("a.prv", prv), ("a.pcf", pcf), ("a.row", row)];
    let expected = known(&bare);
    let packed = |pack: fn(&[u8]) -> Vec<u8>| bare.map(|(_, bytes)| pack(bytes));
    let (gz, bz) = (packed(gzip), packed(bzip2));
    let gzipped: [File; 3] = [("a.prv.gz", &gz[0]), ("a.pcf.gz", &gz[1]), ("a.row.gz", &gz[2])];
    let bzipped: [File; 3] = [("a.prv.bz2", &bz[0]), ("a.pcf", &bz[1]), ("a.row", &bz[2])];
    assert_eq!(known(&gzipped), expected, "gzip");
    assert_eq!(known(&bzipped), expected, "bzip2");

    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for inside in [bare, gzipped, bzipped] {
            let files = order.map(|at| inside[at]);
            assert_eq!(known(&files), expected, "{files:?}");
            let tar = tar(&files);
            let (first, rest) = tar.split_at(tar.len() / 3);
            for (wrapping, archive) in [
                ("tar", tar.clone()),
                ("tar.gz", gzip(&tar)),
                ("tar.gz of several members", [gzip(first), gzip(rest)].concat()),
                ("tar.bz2", bzip2(&tar)),
                ("zip, stored", zip(&files, CompressionMethod::STORE)),
                ("zip, deflated", zip(&files, CompressionMethod::DEFLATE)),
                ("zip, bzip2", zip(&files, CompressionMethod::BZIP2)),
            ] {
                // The name may lie: the bytes say what it is.
                assert_eq!(known(&[("download", &archive)]), expected, "{wrapping} {order:?}");
            }
        }
    }
}

#[test]
fn labels_may_lie_beside_the_archive_and_in_other_folders() {
    let (prv, pcf) = (MINI_PRV.as_bytes(), MINI_PCF.as_bytes());
    let expected = known(&[("a.prv", prv), ("a.pcf", pcf)]);
    let inside = tar(&[("run/1/a.prv", prv)]);
    assert_eq!(known(&[("a.tar", &inside), ("a.pcf", pcf)]), expected);
    let apart = tar(&[("labels/a.pcf", pcf), ("traces/a.prv", prv)]);
    assert_eq!(known(&[("a.tar", &apart)]), expected);
    let trace = open(&[("runs.tar", &apart)]);
    assert_eq!((trace.name.as_str(), trace.size_bytes), ("a.prv", prv.len() as u64));
}

fn found(files: &[File]) -> Vec<(String, Vec<&'static str>)> {
    let named = files.iter().map(|(name, bytes)| NamedFile::new(*name, *bytes)).collect();
    let found = candidates(named, &mut |_| {}).unwrap();
    found.traces.into_iter().map(|Candidate { name, missing, .. }| (name, missing)).collect()
}

#[test]
fn several_traces_are_named_with_what_they_miss() {
    let (prv, pcf) = (MINI_PRV.as_bytes(), MINI_PCF.as_bytes());
    let extract = b"I 1 1 1 main 1000 1000 1 PAPI_TOT_INS 5\n".as_slice();
    let archive = zip(
        &[("x/a.prv", prv), ("y/a.prv", prv), ("x/a.pcf", pcf), ("b.prv", prv)],
        CompressionMethod::DEFLATE,
    );
    assert_eq!(
        found(&[("runs.zip", &archive), ("b.row", ROW.as_bytes()), ("c.extract", extract)]),
        [
            ("runs.zip/x/a.prv".to_owned(), vec![".row"]),
            // The labels of the same stem in another folder are better than none.
            ("runs.zip/y/a.prv".to_owned(), vec![".row"]),
            ("b.prv".to_owned(), vec![".pcf"]),
            ("c.extract".to_owned(), vec![".pcf"]),
        ]
    );
    // A path that a tar holds twice.
    assert_eq!(
        found(&[("a.tar", &tar(&[("b.prv", prv), ("b.prv", prv), ("b.pcf", pcf)]))]),
        [("a.tar/b.prv".to_owned(), vec![".row"]), ("a.tar/b.prv (2)".to_owned(), vec![".row"])]
    );
    // The only labels belong to any trace, unless they are another's.
    assert_eq!(
        found(&[("a.prv", prv), ("b.prv", prv), ("all.pcf", pcf)]),
        [("a.prv".to_owned(), vec![".row"]), ("b.prv".to_owned(), vec![".row"])]
    );
    assert_eq!(
        found(&[("a.prv", prv), ("b.prv", prv), ("a.pcf", pcf)]),
        [("a.prv".to_owned(), vec![".row"]), ("b.prv".to_owned(), vec![".pcf", ".row"])]
    );
}

#[test]
fn the_trace_that_is_named_is_opened_with_its_own_labels() {
    let other = MINI_PCF.replace("kernel", "another");
    let (prv, pcf) = (MINI_PRV.as_bytes(), MINI_PCF.as_bytes());
    let files =
        tar(&[("x/a.prv", prv), ("x/a.pcf", pcf), ("y/a.prv", prv), ("y/a.pcf", other.as_bytes())]);
    let named = vec![NamedFile::new("runs.tar", &files[..])];
    let found = candidates(named, &mut |_| {}).unwrap();
    for (which, region) in [("x", "User function:kernel"), ("y", "User function:another")] {
        let trace = found
            .open(
                Some(&format!("runs.tar/{which}/a.prv")),
                &mut Watch::new(&mut |_| {}, &mut |_, _| {}),
            )
            .unwrap();
        assert_eq!(crate::traces::fold(&trace, &[]).region, region);
        let left_out = trace.notices.iter().next().unwrap();
        assert_eq!(left_out.text, "A file that does not belong to the trace; it was left out.");
        assert_eq!(left_out.count, 2);
    }
    let refused = |which| {
        found.open(which, &mut Watch::new(&mut |_| {}, &mut |_, _| {})).unwrap_err().to_string()
    };
    let two = "these files: found 2 traces (runs.tar/x/a.prv, runs.tar/y/a.prv)";
    assert_eq!(refused(None), format!("{two}, expected a choice: name the one to open"));
    assert_eq!(refused(Some("z")), format!("{two}, expected one with the name \"z\""));
}

/// A file in a zip that says something else than it is.
fn lying_zip(name: &str, bytes: &[u8], size: u64) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    let file = archive.new_file(name).compression_method(CompressionMethod::DEFLATE);
    let (mut entry, _) = file.start().unwrap();
    let mut encoder = DeflateEncoder::new(&mut entry, Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap();
    entry.finish(rawzip::DataDescriptorOutput::new(1, size)).unwrap();
    archive.finish().unwrap()
}

fn zip_of_kind(name: &str, encrypted: bool, method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    let file = archive.new_file(name).compression_method(method).encrypted(encrypted);
    let (mut entry, config) = file.crc32(Crc32Option::Skip).start().unwrap();
    let mut writer: ZipDataWriter<_> = config.wrap(&mut entry);
    writer.write_all(b"twelve bytes of nothing").unwrap();
    let (_, described) = writer.finish().unwrap();
    entry.finish(described).unwrap();
    archive.finish().unwrap()
}

#[test]
fn an_archive_that_cannot_be_read_says_why() {
    let prv = MINI_PRV.as_bytes();
    let trace = "a trace: a .prv (with its .pcf and .row), an .extract, the text of perf script, an OTF2 archive or a fold record, bare, gzipped or in a \
                 .zip or .tar";
    let whole_gzip = "a whole gzip file; copy or download it again";
    let whole_zip = "a whole zip archive; copy or download it again";
    let many = (0..3000).map(|n| format!("2:1:1:1:1:{}:42000050:{n}\n", n * 7)).collect::<String>();
    let many = MINI_PRV.lines().take(2).collect::<Vec<_>>().join("\n") + "\n" + &many;
    let tarred = tar(&[("a.prv", many.as_bytes())]);
    let zipped = zip(&[("a.prv", prv)], CompressionMethod::DEFLATE);
    let two: [File; 2] = [("x.txt", b"hello"), ("a.prv", prv)];
    let mut displaced = zip(&two, CompressionMethod::DEFLATE);
    let second = displaced.windows(4).rposition(|bytes| bytes == b"PK\x03\x04").unwrap();
    displaced[second] = b'?';
    let (store, deflate) = (CompressionMethod::STORE, CompressionMethod::DEFLATE);
    let pcf = MINI_PCF.as_bytes();
    for (archive, place, found, expected) in [
        (gzip(b""), "a", "a file of another kind", trace),
        (tar(&[]), "a", "a file of another kind", trace),
        (zip(&[], store), "a", "no file that can be read in it", trace),
        (zip(&[("x", b"hello")], store), "a", "1 file and no trace among them", trace),
        (gzip(&tar(&[("x", b"1"), ("p", pcf)])), "a", "2 files and no trace among them", trace),
        (
            gzip(&tar(&[("in.tar", &tarred)])),
            "a",
            "no file that can be read in it (a/in.tar: An archive inside of an archive; it was \
             left out. Unpack the outer one first.)",
            trace,
        ),
        (
            zip_of_kind("a.prv", true, deflate),
            "a.prv",
            "a file that is encrypted with a password",
            "a zip archive without a password; unpack it first",
        ),
        (
            zip_of_kind("a.prv", false, CompressionMethod::LZMA),
            "a.prv",
            "a file that is packed with method 14 (LZMA)",
            "a zip archive of the usual kind (deflate); unpack it first",
        ),
        (
            zipped[..zipped.len() - 30].to_vec(),
            "a",
            "a zip archive that is cut short: the list of its files, at its end, is missing",
            whole_zip,
        ),
        (
            displaced,
            "a.prv",
            "a file that is not where the list of the zip archive says",
            whole_zip,
        ),
        (
            lying_zip("a.prv", b"x", 10),
            "a.prv",
            "a zip archive that stops before its first record",
            "a whole zip archive",
        ),
        (
            lying_zip("a.prv", prv, 10),
            "a.prv",
            "a zip archive that is damaged before its first record",
            "a whole zip archive",
        ),
        (
            gzip(&tarred)[..60].to_vec(),
            "a",
            "a gzip file that is cut short before its first file",
            whole_gzip,
        ),
    ] {
        let message = format!("{place}: found {found}, expected {expected}");
        assert_eq!(open_err(&[("a", &archive)]).to_string(), message);
    }
    assert_eq!(
        open_err(&[("a.prv.gz", &gzip(b""))]).to_string(),
        "a.prv.gz: found an empty file, expected a header that begins with “#Paraver”"
    );
}

#[track_caller]
fn noticed(files: &[File], expected: &[(&str, u64, &str)]) {
    let trace = open(files);
    let found = trace.notices.iter().map(|n| (n.text.as_str(), n.count, n.first.of.as_str()));
    let beside = "No .pcf among the files: types and values without a name are shown by number.";
    let cut = "The last line is cut; it was left out.";
    let found = found.filter(|(text, ..)| ![beside, cut].contains(text));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_left_out_of_an_archive_is_said() {
    let (prv, pcf) = (MINI_PRV.as_bytes(), MINI_PCF.as_bytes());
    let inner = zip(&[("a.pcf", pcf)], CompressionMethod::STORE);
    let nested = "An archive inside of an archive; it was left out. Unpack the outer one first.";
    let superfluous = "A file that does not belong to the trace; it was left out.";
    let files: [File; 6] = [
        ("../../etc/a.prv", prv),
        ("/labels.zip", &inner),
        ("notes/\u{1b}[31m.txt", b"hello"),
        ("x.png", b"\x89PNG"),
        ("__MACOSX/._a.prv", b"\0\x05\x16\x07"),
        (".DS_Store", b"\0\0\0\x01Bud1"),
    ];
    for archive in [tar(&files), gzip(&tar(&files))] {
        noticed(
            &[("a.tar", &archive)],
            &[(nested, 1, "a.tar/labels.zip"), (superfluous, 2, "a.tar/notes/\u{fffd}[31m.txt")],
        );
        assert_eq!(found(&[("a.tar", &archive)]), [("a.prv".to_owned(), vec![".pcf", ".row"])]);
    }
    let twice = gzip(&tar(&[("a.prv", prv), ("more.tgz", &gzip(&tar(&[("b.prv", prv)])))]));
    noticed(&[("a.tgz", &twice)], &[(nested, 1, "a.tgz/more.tgz")]);
}

#[test]
fn an_archive_cut_short_or_damaged_is_read_up_to_there() {
    let mut random = Random::new(1);
    let mut line = |at: u64| format!("2:1:1:1:1:{}:42000050:{}\n", at * 7, random.below(1 << 24));
    let lines = (0..30_000).map(&mut line).collect::<String>();
    let prv = MINI_PRV.lines().next().unwrap().replace("),1", ")") + "\n" + &lines;
    let files: [File; 2] = [("a.pcf", MINI_PCF.as_bytes()), ("a.prv", prv.as_bytes())];
    let (tar, deflated) = (tar(&files), zip(&files, CompressionMethod::DEFLATE));
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    // The checksum of the last file, in the list at the end.
    let mut damaged = deflated;
    let last = damaged.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    damaged[last + 16] ^= 1;
    for (name, archive, text, place) in [
        ("a.tar", half(&tar), "The tar archive is cut short; it was read up to there.", "a.tar"),
        (
            "a.tgz",
            half(&gzip(&tar)),
            "The gzip file is cut short; it was read up to there.",
            "a.tgz",
        ),
        ("a.zip", damaged, "The zip archive is damaged; it was read up to there.", "a.zip/a.prv"),
    ] {
        let trace = open(&[(name, &archive)]);
        let moments = trace.threads[0].moments().count();
        assert!((1000..=30_000).contains(&moments), "{name}: {moments}");
        let notice = trace.notices.iter().find(|notice| notice.text == text);
        assert_eq!(notice.map(|notice| notice.first.of.as_str()), Some(place), "{name}");
    }
}

#[test]
fn labels_without_end_are_refused() {
    let line = [[b'x'; 4095].as_slice(), b"\n"].concat();
    let endless = line.repeat((64 << 20) / 4096 + 1);
    let packed = gzip(&endless);
    let lying =
        zip(&[("a.pcf", &endless), ("a.prv", MINI_PRV.as_bytes())], CompressionMethod::DEFLATE);
    for files in
        [&[("a.prv", MINI_PRV.as_bytes()), ("a.pcf", &packed[..])][..], &[("a.zip", &lying)]]
    {
        assert_eq!(
            open_err(files).to_string(),
            "a.pcf: found more than 64 MiB of labels, expected the labels of one trace"
        );
    }
}

#[test]
fn any_cut_of_any_archive_is_an_answer() {
    let files: [File; 2] = [("a.prv", MINI_PRV.as_bytes()), ("a.pcf", MINI_PCF.as_bytes())];
    let tar = tar(&files);
    for whole in [
        gzip(&tar),
        bzip2(&tar),
        zip(&files, CompressionMethod::DEFLATE),
        zip(&files, CompressionMethod::STORE),
        tar,
    ] {
        for cut in (0..whole.len()).step_by(1 + whole.len() / 300) {
            let _ = try_open(&[("a", &whole[..cut])]);
            let mut hurt = whole.clone();
            hurt[cut] ^= 0x81;
            let _ = try_open(&[("a", &hurt)]);
        }
    }
}
