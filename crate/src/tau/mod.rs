//! Profiles of TAU, read and written: text, packed, XML.
//!
//! All fill a [`Trial`], thread by thread, as lines of a name and numbers; [`Trial::assembled`] makes one
//! tree of it, a [`Profile`](crate::profile::Profile). Times are microseconds in files and nanoseconds in
//! profiles.
//!
//! A trial is one text file for each thread, of each metric in a folder of its own (`MULTI__TIME`,
//! [`text`]); or one file of all threads ([`packed`], [`xml`]).

mod assembled;
mod columns;
mod metadata;
mod name;
mod packed;
mod readable;
mod text;
mod tree;
mod trial;
mod written;
mod xml;

pub use packed::read as read_packed;
pub use text::{TextReader, thread_of};
pub use trial::Trial;
pub use written::written;
pub use xml::read as read_xml;
