//! Regions by what they are of, and their names.

use super::definitions::Definitions;
use super::{CODE_LINE, ROUTINE};
use crate::order;
use crate::trace::{Labels, Origin, Paradigm};

/// Types of events that open and close regions: code, name, and who delimits them.
///
/// Codes that something is known of are those of Extrae; names equal its names where they can.
pub const TYPES: [(u32, &str, Origin); 13] = [
    (60_000_019, "User function", Origin::Code),
    (50_000_000, "MPI", Origin::Runtime(Paradigm::Mpi)),
    (50_100_000, "SHMEM", Origin::Runtime(Paradigm::Mpi)),
    (50_200_000, "GASPI", Origin::Runtime(Paradigm::Mpi)),
    // Parallel regions, loops, tasks: they hold the program.
    (60_000_001, "OpenMP", Origin::Code),
    // Barriers, locks, making tasks and waiting for them.
    (60_000_005, "OpenMP synchronisation", Origin::Runtime(Paradigm::OpenMp)),
    (61_000_000, "pthread", Origin::Runtime(Paradigm::Pthread)),
    (63_000_000, "CUDA", Origin::Runtime(Paradigm::Accelerator)),
    (63_500_000, "HIP", Origin::Runtime(Paradigm::Accelerator)),
    (64_000_000, "OpenCL", Origin::Runtime(Paradigm::Accelerator)),
    (64_500_000, "OpenACC", Origin::Runtime(Paradigm::Accelerator)),
    (40_000_004, "I/O", Origin::Runtime(Paradigm::Io)),
    // The tracer's own: neither the program nor a runtime that it called.
    (40_900_000, "Measurement", Origin::Runtime(Paradigm::System)),
];

// Places among them.
const USER: usize = 0;
const MPI: usize = 1;
const SHMEM: usize = 2;
const GASPI: usize = 3;
const OPENMP: usize = 4;
const OPENMP_SYNCHRONISATION: usize = 5;
const PTHREAD: usize = 6;
const CUDA: usize = 7;
const HIP: usize = 8;
const OPENCL: usize = 9;
const OPENACC: usize = 10;
const IO: usize = 11;
const MEASUREMENT: usize = 12;

/// Number 0 of a name is no region: names are numbered from 1. Regions that are not defined come
/// behind all names, by their numbers.
const FIRST_UNDEFINED: u64 = 1 << 32;

/// A region as events tell of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub code: u32,
    pub value: u64,
    /// Whether a thread computes while it is in it and in none inside of it.
    pub is_useful: bool,
}

/// The regions of an archive, and the lines and routines of its samples.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// By place among the definitions.
    known: Vec<Known>,
    /// Numbers of the names of routines, by place of the region.
    routines: Vec<u32>,
    /// Numbers of code lines, by place; 0 without a name.
    lines: Vec<u32>,
    names: Names,
}

/// Names, sorted: the number of each is its place from 1.
#[derive(Clone, Debug, Default)]
struct Names {
    by_type: Vec<Vec<String>>,
    routines: Vec<String>,
    lines: Vec<String>,
}

/// What of a region decides: its type, its name, its file.
struct Told {
    of: usize,
    is_useful: bool,
    name: String,
    file: Option<String>,
    line: u32,
}

impl Regions {
    /// O(n log n).
    pub fn of(definitions: &Definitions) -> Self {
        let mut told = definitions
            .regions
            .iter()
            .map(|(id, region)| {
                let name = definitions.strings.get(region.name);
                let name = name.unwrap_or_else(|| undefined(id));
                let (of, is_useful) = type_of(&name, region.paradigm, region.role);
                let file = definitions.strings.get(region.file).filter(|file| !file.is_empty());
                Told { of, is_useful, name, file, line: region.line }
            })
            .collect::<Vec<_>>();
        tell_apart(&mut told);
        let of_type = |of: usize| names(told.iter().filter(|told| told.of == of).map(Told::name));
        let by_type = (0..TYPES.len()).map(of_type).collect::<Vec<_>>();
        let routines = names(told.iter().map(Told::name));
        let line = |(_, &(file, line)): (u64, &(u32, u32))| {
            let file = definitions.strings.get(file).filter(|file| !file.is_empty())?;
            Some(format!("{line} ({file})"))
        };
        let told_lines = definitions.lines.iter().map(line).collect::<Vec<_>>();
        let lines = names(told_lines.iter().flatten().map(String::as_str));
        let known = |told: &Told| Known {
            code: TYPES.get(told.of).map_or(0, |(code, ..)| *code),
            value: u64::from(number(by_type.get(told.of).map_or(&[], Vec::as_slice), &told.name)),
            is_useful: told.is_useful,
        };
        Self {
            known: told.iter().map(known).collect(),
            routines: told.iter().map(|told| number(&routines, &told.name)).collect(),
            lines: told_lines
                .iter()
                .map(|line| line.as_ref().map_or(0, |line| number(&lines, line)))
                .collect(),
            names: Names { by_type, routines, lines },
        }
    }

    /// `place`: among the definitions; `None` for one that is not defined.
    #[inline]
    pub fn get(&self, place: Option<usize>, id: u64) -> Known {
        let known = place.and_then(|place| self.known.get(place));
        known.copied().unwrap_or(Known {
            code: TYPES[USER].0,
            value: FIRST_UNDEFINED.saturating_add(id),
            is_useful: true,
        })
    }

    /// Number of the routine of a region that a sample is in; `None` if it is not defined.
    pub fn routine(&self, place: Option<usize>) -> Option<u32> {
        self.routines.get(place?).copied()
    }

    /// Number of a code line; `None` if it is not defined.
    pub fn line(&self, place: Option<usize>) -> Option<u32> {
        self.lines.get(place?).copied().filter(|number| *number > 0)
    }

    /// Names all of them, those met that are not defined too; `has_samples`: whether there are contexts.
    pub fn label(&self, undefined_ids: &[u64], has_samples: bool, labels: &mut Labels) {
        for (of, names) in self.names.by_type.iter().enumerate() {
            let Some((code, label, _)) = TYPES.get(of) else { continue };
            let mut values = numbered(names);
            if of == USER {
                let of_id = |id: &u64| (FIRST_UNDEFINED.saturating_add(*id), undefined(*id));
                values.extend(undefined_ids.iter().map(of_id));
            }
            if !values.is_empty() {
                labels.add_types(&[(*code, (*label).to_owned())], values);
            }
        }
        let depths = |first: u32, label: &str| {
            (first..first + 100).map(|code| (code, label.to_owned())).collect::<Vec<_>>()
        };
        if has_samples {
            labels.add_types(&depths(ROUTINE, "Sampled functions"), numbered(&self.names.routines));
            labels.add_types(&depths(CODE_LINE, "Sampled lines"), numbered(&self.names.lines));
        }
    }
}

impl Told {
    fn name(&self) -> &str {
        &self.name
    }
}

fn undefined(id: u64) -> String {
    format!("Region {id}")
}

fn numbered(names: &[String]) -> Vec<(u64, String)> {
    (1..).zip(names.iter().cloned()).collect()
}

/// Each once, sorted.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names = names.map(str::to_owned).collect::<Vec<_>>();
    order::by(&mut names, Ord::cmp);
    names.dedup();
    names
}

/// From 1.
fn number(names: &[String], name: &str) -> u32 {
    names.partition_point(|known| known.as_str() < name) as u32 + 1
}

/// Adds file and line to the names of a type that are of several files.
fn tell_apart(told: &mut [Told]) {
    let mut of_names = (0..told.len()).collect::<Vec<_>>();
    order::by(&mut of_names, |&a, &b| {
        (told[a].of, &told[a].name, &told[a].file).cmp(&(told[b].of, &told[b].name, &told[b].file))
    });
    let same = |&a: &usize, &b: &usize| (told[a].of, &told[a].name) == (told[b].of, &told[b].name);
    let mut shared = Vec::new();
    for same in of_names.chunk_by(same) {
        let mut files = same.iter().filter_map(|&at| told[at].file.as_ref());
        let first = files.next();
        if files.any(|file| Some(file) != first) {
            shared.extend_from_slice(same);
        }
    }
    for at in shared {
        if let Some(file) = &told[at].file {
            told[at].name = format!("{} ({file}:{})", told[at].name, told[at].line);
        }
    }
}

/// The type of a region (a place in [`TYPES`]), and whether a thread computes in it.
///
/// Paradigms and roles as the reference library numbers them. A name of MPI goes before what is
/// said of its region: EZTrace says of every one that it is a function of the user.
fn type_of(name: &str, paradigm: u8, role: u8) -> (usize, bool) {
    const OF_PARADIGMS: [(u8, usize); 11] = [
        (3, OPENMP),
        (4, MPI),
        (5, CUDA),
        (6, MEASUREMENT),
        (7, PTHREAD),
        (11, GASPI),
        (13, SHMEM),
        (18, OPENACC),
        (19, OPENCL),
        (23, HIP),
        // Of OpenMP what is handed to a device.
        (25, OPENMP),
    ];
    // Barriers, flushes, waiting for tasks and threads, locks, making tasks and threads.
    const WAITS: [u8; 9] = [12, 14, 15, 16, 17, 21, 22, 32, 33];
    const READS_OR_WRITES: [u8; 2] = [27, 38];
    let is_mpi = name.starts_with("MPI_") || name.starts_with("mpi_");
    let of = OF_PARADIGMS.iter().find(|(known, _)| *known == paradigm).map(|(_, of)| *of);
    match of.filter(|_| !is_mpi) {
        _ if is_mpi => (MPI, false),
        _ if READS_OR_WRITES.contains(&role) => (IO, false),
        Some(OPENMP) if WAITS.contains(&role) => (OPENMP_SYNCHRONISATION, false),
        Some(OPENMP) => (OPENMP, true),
        // A routine that a thread is begun with holds the program, as one of the user does.
        Some(PTHREAD) => (PTHREAD, !WAITS.contains(&role)),
        Some(of) => (of, false),
        None => (USER, !WAITS.contains(&role)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, paradigm: u8, role: u8) -> (&'static str, bool) {
        let (of, is_useful) = type_of(name, paradigm, role);
        (TYPES[of].1, is_useful)
    }

    #[test]
    fn the_type_follows_name_role_and_paradigm() {
        for (name, paradigm, role, expected) in [
            ("main", 1, 1, ("User function", true)),
            ("solve", 2, 1, ("User function", true)),
            ("MPI_Send", 4, 28, ("MPI", false)),
            ("MPI_Send", 1, 1, ("MPI", false)),
            ("mpi_send_", 2, 1, ("MPI", false)),
            ("MPI_File_write", 4, 27, ("MPI", false)),
            ("PMPI_of_mine", 2, 1, ("User function", true)),
            ("!$omp parallel @a.c:3", 3, 5, ("OpenMP", true)),
            ("!$omp for @a.c:4", 3, 3, ("OpenMP", true)),
            ("!$omp implicit barrier", 3, 16, ("OpenMP synchronisation", false)),
            ("!$omp critical", 3, 12, ("OpenMP synchronisation", false)),
            ("!$omp critical sblock", 3, 13, ("OpenMP", true)),
            ("pthread_join", 7, 33, ("pthread", false)),
            ("cudaLaunchKernel", 5, 1, ("CUDA", false)),
            ("hipMemcpy", 23, 30, ("HIP", false)),
            ("write", 12, 27, ("I/O", false)),
            ("shmem_put", 13, 29, ("SHMEM", false)),
            ("gaspi_wait", 11, 1, ("GASPI", false)),
            ("TRACE BUFFER FLUSH", 6, 1, ("Measurement", false)),
            ("", 200, 0, ("User function", true)),
        ] {
            assert_eq!(named(name, paradigm, role), expected, "{name}");
        }
    }

    #[test]
    fn one_name_in_two_files_is_told_apart_by_them_and_in_one_file_it_is_one_region() {
        let told = |name: &str, file: &str| Told {
            of: USER,
            is_useful: true,
            name: name.to_owned(),
            file: Some(file.to_owned()).filter(|file| !file.is_empty()),
            line: 7,
        };
        let mut all =
            [told("f", "a.c"), told("g", "a.c"), told("f", "b.c"), told("f", ""), told("g", "a.c")];
        tell_apart(&mut all);
        let names = all.map(|told| told.name);
        assert_eq!(names, ["f (a.c:7)", "g", "f (b.c:7)", "f", "g"]);
    }
}
