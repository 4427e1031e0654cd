//! The command line: reads arguments and files, calls the library, writes files.

mod accumulate;
mod arguments;
mod clusters;
mod compare;
mod compare_arguments;
mod compare_code;
mod compare_objects;
mod compare_runs;
mod compare_series;
mod compare_sides;
mod efficiency;
mod failure;
mod fold;
mod iterations;
mod online;
mod part_arguments;
mod picture;
mod profile;
mod profiles_beside;
mod progress;
mod read;
mod regions;
mod settings;
mod sources;
mod tables;

use std::io::{self, Write};
use std::process::ExitCode;

use arguments::{Command, CommandLine};
use clap::CommandFactory;
use failure::Failure;

fn main() -> ExitCode {
    let done = match CommandLine::read() {
        Ok(CommandLine { command }) => run(command),
        // What was asked for with --help or --version.
        Err(text) if !text.use_stderr() => print(&text.render().to_string()),
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("tracefold: {failure}");
            failure.status()
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Regions(arguments) => print(&regions::regions(&arguments)?),
        Command::Iterations(arguments) => print(&iterations::iterations(&arguments)?),
        Command::Clusters(arguments) => print(&clusters::clusters(&arguments)?),
        Command::Efficiency(arguments) => print(&efficiency::efficiencies(&arguments)?),
        Command::Compare(arguments) => {
            let (text, holds) = compare::compare(&arguments)?;
            print(&text)?;
            holds.map_or(Ok(()), |what| Err(Failure::Holds(what)))
        }
        Command::Profile(arguments) => print(&profile::profile(&arguments)?),
        Command::Fold(arguments) => fold::fold(&arguments),
        Command::Accumulate(arguments) if online::is_meant(&arguments) => {
            online::accumulate(&arguments)
        }
        Command::Accumulate(arguments) => accumulate::accumulate(&arguments),
        Command::Merge(arguments) => accumulate::merge(&arguments),
        Command::Settings => print(&settings::listed()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            let name = env!("CARGO_BIN_NAME");
            clap_complete::generate(shell, &mut CommandLine::command(), name, &mut script);
            print(&String::from_utf8_lossy(&script))
        }
    }
}

fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        // A reader such as `head` may have seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| Failure::Output(error.to_string())),
    }
}
