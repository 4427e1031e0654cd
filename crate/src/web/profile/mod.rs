//! Profiles: a module of its own, loaded when a profile is looked at. Its worker owns a
//! [`session::ProfileSession`], the page a [`picture::ProfilePicture`] of what that sums up.

mod picture;
mod reading;
mod saving;
mod session;
