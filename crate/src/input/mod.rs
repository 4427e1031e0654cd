//! Files to streams of bytes: gzip and bzip2 are inflated on the way, archives are replaced by the
//! files in them, and the first bytes tell what a file is.
//!
//! Nothing is ever unpacked to a disk: an archive is listed, and a [`Member`] is a way to its
//! bytes, to be gone again and again. One that is not packed is read at any place, as a bare file
//! is. An archive that is packed as a whole (`.tar.gz`) is inflated twice, to list it and to read
//! the trace; of it only files of labels and of profiles are kept, at most 64 MiB. An archive in an archive is left
//! out.

mod damage;
mod decoder;
mod digest;
mod inflate;
mod layer;
mod member;
mod needed;
mod sniff;
mod source;
mod tar_archive;
mod unwrapped;
mod zip_archive;

pub use damage::{Damage, DamageKind, Packing};
pub use digest::sha256;
pub use inflate::Inflate;
pub use member::{Member, SLICE_BYTES, Stream, read_each};
pub use needed::{Needed, needed};
pub use sniff::{FileKind, PART, sniff};
pub use source::{NamedFile, Part, Reading, Shared, Source, Window};
pub use unwrapped::{Unwrapped, unwrap};

/// How far reading has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The file being read.
    pub file: String,
    /// Bytes read of it, as it lies on disk.
    pub done: u64,
    /// Its size in bytes.
    pub total: u64,
}
