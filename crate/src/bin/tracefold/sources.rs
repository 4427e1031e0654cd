use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tracefold::folding::Folding;
use tracefold::outline::{SourceFile, best_named, check_size};

use crate::failure::Failure;

/// With more files in them, folders are no source but a whole disk.
const MOST_FILES: usize = 300_000;

/// The source files that the foldings name, out of files and folders; one that is named itself goes
/// before those in folders. What is in doubt about them is printed.
pub fn sources(asked: &[PathBuf], foldings: &[&Folding]) -> Result<Vec<SourceFile>, Failure> {
    let (mut files, mut in_folders) = (vec![], vec![]);
    for path in asked {
        let failed = |error| Failure::Input(format!("{}: {error}", path.display()));
        match fs::metadata(path).map_err(failed)?.is_dir() {
            true => add_folder(path, &mut in_folders)?,
            false => files.push(path.to_string_lossy().into_owned()),
        }
    }
    let groups = || foldings.iter().flat_map(|folding| &folding.groups);
    let names: BTreeSet<&str> = groups()
        .flat_map(|group| &group.places)
        .map(|place| place.file.as_str())
        .filter(|name| !name.is_empty())
        .collect();
    let among = |paths: &[String], name: &str| -> Vec<String> {
        best_named(paths, name).into_iter().map(|index| paths[index].clone()).collect()
    };
    let mut sources = vec![];
    for name in &names {
        let named = Some(among(&files, name)).filter(|paths| !paths.is_empty());
        match named.unwrap_or_else(|| among(&in_folders, name)).as_slice() {
            [] => {}
            [path] => match source(name, path) {
                Ok(source) => sources.push(source),
                Err(words) => eprintln!("tracefold: {path} is left out: {words}"),
            },
            several => eprintln!(
                "tracefold: {} files are named {name} and all are left out: name one of them by \
                 --source: {}",
                several.len(),
                several.join(", ")
            ),
        }
    }
    if sources.is_empty() {
        eprintln!("tracefold: no source file of this trace was found");
    }
    let doubts: Vec<_> = groups().map(|group| group.doubts_of_each(&sources)).collect();
    for (index, source) in sources.iter().enumerate() {
        if let Some(doubt) = doubts.iter().find_map(|doubts| doubts[index]) {
            eprintln!("tracefold: {}: {doubt}", source.name);
        }
    }
    Ok(sources)
}

fn source(name: &str, path: &str) -> Result<SourceFile, String> {
    let bytes = fs::metadata(path).map_err(|error| error.to_string())?.len();
    check_size(bytes).map_err(|error| error.to_string())?;
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    SourceFile::parsed(name, &bytes).map_err(|error| error.to_string())
}

/// The files in a folder and the folders in it, by name; hidden ones are left out.
fn add_folder(folder: &Path, files: &mut Vec<String>) -> Result<(), Failure> {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let failed = |error| Failure::Input(format!("{}: {error}", folder.display()));
        let mut entries: Vec<_> =
            fs::read_dir(&folder).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)?;
        entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            // Of a link to a folder nobody knows where it ends.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(entry.path());
            } else {
                files.push(entry.path().to_string_lossy().into_owned());
            }
        }
        if files.len() > MOST_FILES {
            return Err(Failure::Input(format!(
                "{}: there are more than {MOST_FILES} files in it: name the folder of one program",
                folder.display()
            )));
        }
    }
    Ok(())
}
