use std::fmt;
use std::io::{Error, ErrorKind};

/// What a file was packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Gzip,
    Bzip2,
    Zip,
    Tar,
}

/// How packed bytes end that do not end well; streams give it inside of an [`std::io::Error`],
/// after all that is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    pub packing: Packing,
    pub kind: DamageKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageKind {
    /// The file stops in the middle.
    CutShort,
    /// What is there is not what was packed.
    Broken,
    /// Something else follows what was packed.
    Trailing,
}

impl Packing {
    pub fn damage(self, kind: DamageKind) -> Error {
        Error::new(ErrorKind::InvalidData, Damage { packing: self, kind })
    }

    /// The damage that `error` of a decoder means; an error of another kind stays what it is.
    pub fn blamed(self, error: Error) -> Error {
        match error.kind() {
            _ if Damage::in_error(&error).is_some() => error,
            ErrorKind::UnexpectedEof => self.damage(DamageKind::CutShort),
            ErrorKind::InvalidInput | ErrorKind::InvalidData => self.damage(DamageKind::Broken),
            _ => error,
        }
    }
}

impl Damage {
    /// `None` if the error is something else, such as a disk that fails.
    pub fn in_error(error: &Error) -> Option<Self> {
        error.get_ref()?.downcast_ref::<Self>().copied()
    }

    /// What was done about it, where something could be read.
    pub fn notice(self) -> String {
        let packing = self.packing;
        match self.kind {
            DamageKind::CutShort => format!("The {packing} is cut short; it was read up to there."),
            DamageKind::Broken => format!("The {packing} is damaged; it was read up to there."),
            DamageKind::Trailing => {
                format!("Something that is no {packing} follows the {packing}; it was left out.")
            }
        }
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Gzip => "gzip file",
            Self::Bzip2 => "bzip2 file",
            Self::Zip => "zip archive",
            Self::Tar => "tar archive",
        })
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packing = self.packing;
        match self.kind {
            DamageKind::CutShort => write!(out, "a {packing} that is cut short"),
            DamageKind::Broken => write!(out, "a {packing} that is damaged"),
            DamageKind::Trailing => write!(out, "a {packing} with something else after it"),
        }
    }
}

impl std::error::Error for Damage {}
