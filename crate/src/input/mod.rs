//! Files to named streams of bytes: gzip of any number of members is inflated on the way, and the
//! first bytes tell what a file is.

mod inflate;
mod sniff;

pub use inflate::{Damage, Inflate};
pub use sniff::{FileKind, sniff};

use std::io::Read;

/// A file as it was given: a name, a size, and bytes that are read once.
pub struct NamedFile<'read> {
    pub name: String,
    /// In bytes, as it lies on disk.
    pub size: u64,
    pub bytes: Box<dyn Read + 'read>,
}
