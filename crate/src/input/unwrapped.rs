use std::sync::Arc;

use super::member::{Member, Way};
use super::sniff::{FileKind, is_otf2_part};
use super::source::NamedFile;
use super::{Progress, tar_archive, zip_archive};
use crate::text::ParseError;

/// More files of an archive than this are not looked at: no trace has so many.
const MAX_FILES: u64 = 1 << 18;
/// Nor are more traces and labels than this kept in mind.
const MAX_MEMBERS: usize = 1 << 12;
/// The end of a longer path must do.
const MAX_PATH_BYTES: usize = 1 << 12;

/// Files with archives replaced by what is in them.
#[derive(Default)]
pub struct Unwrapped<'read> {
    /// Those of a kind that is known.
    pub members: Vec<Member<'read>>,
    /// How many others there are.
    pub others: u64,
    /// Path of the first of them.
    pub first_other: String,
    /// What is odd: a sentence, and the path that it is about.
    pub remarks: Vec<(String, String)>,
    /// Files of archives that were looked at.
    looked_at: u64,
    /// Members of which a trial or an archive of OTF2 has one for each thread, and more.
    of_threads: usize,
}

/// Lays files open. An archive is listed, not unpacked; one that is packed as a whole (`.tar.gz`)
/// is inflated once to find what is in it.
///
/// An error if a file cannot be read, or an archive cannot be listed at all.
pub fn unwrap<'read>(
    files: Vec<NamedFile<'read>>,
    report: &mut dyn FnMut(Progress),
) -> Result<Unwrapped<'read>, ParseError> {
    let mut found = Unwrapped::default();
    for file in files {
        if is_otf2_part(&file.name) {
            let size = file.source.size();
            let bare = Member::new(file.name.clone(), size, Arc::clone(&file.source), Way::Bare);
            found.keep(bare.recognised(&[]));
            continue;
        }
        let mut magic = [0; 4];
        file.source.read_at(0, &mut magic).map_err(|error| cannot_read(&file.name, &error))?;
        let size = file.source.size();
        let bare = Member::new(file.name.clone(), size, Arc::clone(&file.source), Way::Bare);
        if zip_archive::is_zip(&magic) {
            zip_archive::list(&file, &mut found)?;
            continue;
        }
        let head = bare.look();
        if tar_archive::is_tar(&head) {
            tar_archive::list(&file, &bare, &mut found, report)?;
        } else {
            found.keep(bare.recognised(&head));
        }
    }
    Ok(found)
}

/// A file that the system or the browser does not give.
pub fn cannot_read(name: &str, error: &std::io::Error) -> ParseError {
    ParseError::of_file(name, &error.to_string(), "a file that can be read")
}

impl<'read> Unwrapped<'read> {
    /// Whether another file of an archive is to be looked at.
    pub fn has_room(&mut self, archive: &str) -> bool {
        self.looked_at += 1;
        let room =
            self.looked_at <= MAX_FILES && self.members.len() - self.of_threads < MAX_MEMBERS;
        if !room {
            let text = "An archive of very many files; the last ones were not looked at.";
            self.remark(text, archive);
        }
        room
    }

    /// Takes a file of an archive; `head`: its first bytes, inflated.
    pub fn add(&mut self, member: Member<'read>, head: &[u8]) {
        if zip_archive::is_zip(head) || tar_archive::is_tar(head) {
            let text =
                "An archive inside of an archive; it was left out. Unpack the outer one first.";
            self.remark(text, &member.path);
        } else {
            self.keep(member.recognised(head));
        }
    }

    fn keep(&mut self, member: Member<'read>) {
        // Notes of a desktop (`.DS_Store`, `._a.prv`) lie in folders that nobody put them in.
        if member.path.contains('/') && member.name().starts_with('.') {
            return;
        }
        if member.kind == FileKind::Unknown {
            if self.others == 0 {
                self.first_other = member.path;
            }
            self.others += 1;
        } else {
            let is_of_thread = matches!(member.kind, FileKind::TauText | FileKind::Otf2Part);
            self.of_threads += usize::from(is_of_thread);
            self.members.push(member);
        }
    }

    pub fn remark(&mut self, text: &str, path: &str) {
        self.remarks.push((text.to_owned(), printable(path)));
    }
}

/// Names are shown on terminals, and must not steer them.
pub fn printable(path: &str) -> String {
    path.replace(char::is_control, "\u{fffd}")
}

/// The path of a file in an archive, behind the archive's own: a label. Nothing is ever written,
/// so a path that climbs (`../../x`) leads nowhere.
pub fn path_inside(archive: &str, path: &[u8]) -> String {
    let end = path.get(path.len().saturating_sub(MAX_PATH_BYTES)..).unwrap_or_default();
    let end = String::from_utf8_lossy(end);
    let parts = end.split(['/', '\\']).filter(|part| !["", ".", ".."].contains(part));
    std::iter::once(archive).chain(parts).collect::<Vec<_>>().join("/")
}
