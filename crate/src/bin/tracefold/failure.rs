use std::fmt;
use std::process::ExitCode;

/// Why the program ends early, in words.
pub enum Failure {
    Output(String),
    Usage(String),
    Input(String),
    Nothing(String),
    /// What was found is what the caller asked to fail on.
    Holds(String),
}

impl Failure {
    /// The exit status that scripts tell failures apart by.
    pub fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Output(_) => 1,
            Self::Usage(_) => 2,
            Self::Input(_) => 3,
            Self::Nothing(_) => 4,
            Self::Holds(_) => 5,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Output(text)
        | Self::Usage(text)
        | Self::Input(text)
        | Self::Nothing(text)
        | Self::Holds(text)) = self;
        write!(out, "{}", text.trim_end())
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        Self::Usage(text.strip_prefix("error: ").unwrap_or(&text).to_owned())
    }
}
