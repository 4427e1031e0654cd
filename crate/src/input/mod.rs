//! Files to named streams of bytes: gzip of any number of members is inflated on the way, and the
//! first bytes tell what a file is.

mod inflate;
mod sniff;
mod source;

pub use inflate::{Damage, Inflate};
pub use sniff::{FileKind, sniff};
pub use source::{NamedFile, Reading, Shared, Source};
