//! `tracefold-generate SHAPE [OPTION]...`: writes `NAME.prv`, `NAME.pcf`, `NAME.row` and the truth.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use flate2::{Compression, GzBuilder};
use tracefold_generate::{Options, Shape, big, generate_with};

const USAGE: &str =
    "usage: tracefold-generate SHAPE [--seed N] [--out DIR] [--name NAME] [--gzip] [--truth FILE]
                          [--instances N] [--samples N] [--jitter SHARE] [--period SHARE]
                          [--sets N] [--ms N] [--depth N] [--unread-borders] [--size-mb N] [--threads N]
                          [--modified] [--mhz N]
  --out       folder of the three files and NAME.truth.json (.)
  --name      their name without extension (SHAPE)
  --gzip      NAME.prv.gz instead of NAME.prv
  --truth     where the truth goes instead
  --instances instances of each thread, passes of `spmd`
  --samples   samples inside instances, after which a loop ends
  --jitter    how much durations and rates vary (0.005)
  --period    sampling period as a share of an instance, for shapes of one loop; of a pass, for
              `spmd`, which has no samples without it
  --sets      counter sets of a loop that take turns
  --depth     innermost frames that `bt` and `deep` capture (3)
  --ms        length of an instance of `rapl` (20)
  --unread-borders
              no counter is read where the region of a loop begins and ends
  --modified  a program of the thesis after its change: `cgpop`, `pmemd`, `arts_cf`
  --mhz       clock frequency of `isc`: 1200, 2000 or 2600 (2600)
  --size-mb   size of the .prv of `big` (100)
  --threads   threads of `big` (16), ranks of `spmd` (8)";

struct Arguments {
    shape: Shape,
    seed: u64,
    out: PathBuf,
    name: String,
    gzip: bool,
    truth: Option<PathBuf>,
    options: Options,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let shape = words.next().ok_or("which shape?")?;
    let mut arguments = Arguments {
        shape: shape.parse()?,
        seed: 1,
        out: ".".into(),
        name: shape,
        gzip: false,
        truth: None,
        options: Options::default(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let options = &mut arguments.options;
        match word.as_str() {
            "--seed" => arguments.seed = number(&word, &value()?)?,
            "--out" => arguments.out = value()?.into(),
            "--name" => arguments.name = value()?,
            "--gzip" => arguments.gzip = true,
            "--truth" => arguments.truth = Some(value()?.into()),
            "--instances" => options.instances = Some(number(&word, &value()?)?),
            "--samples" => options.samples = Some(number(&word, &value()?)?),
            "--jitter" => {
                options.jitter = Some(tracefold_generate::Jitter::all(number(&word, &value()?)?))
            }
            "--period" => options.period = Some(number(&word, &value()?)?),
            "--sets" => options.sets = Some(number(&word, &value()?)?),
            "--depth" => options.depth = Some(number(&word, &value()?)?),
            "--ms" => options.ms = Some(number(&word, &value()?)?),
            "--unread-borders" => options.unread_borders = true,
            "--modified" => options.modified = true,
            "--mhz" => options.mhz = Some(number(&word, &value()?)?),
            "--size-mb" => options.size_mb = Some(number(&word, &value()?)?),
            "--threads" => options.threads = Some(number(&word, &value()?)?),
            _ => return Err(format!("no option {word}")),
        }
    }
    Ok(arguments)
}

fn number<T: FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option} must be a number, not {text}"))
}

fn write(arguments: &Arguments) -> io::Result<()> {
    let Arguments { shape, seed, out, name, gzip, truth, options } = arguments;
    std::fs::create_dir_all(out)?;
    let path = |extension: &str| out.join(format!("{name}.{extension}"));
    let truth = truth.clone().unwrap_or_else(|| path("truth.json"));
    if let Some(folder) = truth.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let prv = BufWriter::new(File::create(path(if *gzip { "prv.gz" } else { "prv" }))?);
    let generated = match (*shape, *gzip) {
        (Shape::Big, false) => big::generate(*seed, options, prv)?.0,
        (Shape::Big, true) => {
            let (generated, gzip) = big::generate(*seed, options, packed(prv))?;
            gzip.finish()?.flush()?;
            generated
        }
        (_, gzip) => {
            let generated = generate_with(*shape, *seed, options);
            if gzip {
                let mut packed = packed(prv);
                packed.write_all(&generated.prv)?;
                packed.finish()?.flush()?;
            } else {
                std::fs::write(path("prv"), &generated.prv)?;
            }
            generated
        }
    };
    std::fs::write(path("pcf"), &generated.pcf)?;
    std::fs::write(path("row"), &generated.row)?;
    std::fs::write(truth, &generated.truth)
}

/// Gzip without a name and a time, so that equal contents give equal files.
fn packed<W: Write>(out: W) -> flate2::write::GzEncoder<W> {
    GzBuilder::new().mtime(0).write(out, Compression::best())
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("tracefold-generate: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match write(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tracefold-generate: {}: {error}", arguments.out.display());
            ExitCode::FAILURE
        }
    }
}
