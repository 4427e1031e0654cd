//! What a link was made of.

use serde::{Deserialize, Serialize};

/// Which Tracefold made a link, and of which files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Origin {
    /// Of Tracefold; empty in links that do not say.
    pub version: String,
    /// The files of the trace; empty where nobody has read them for it.
    pub inputs: Vec<Input>,
    /// Whether names are pseudonyms.
    pub pseudonyms: bool,
}

/// A file as it lay on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Input {
    pub name: String,
    pub bytes: u64,
    /// In hexadecimal.
    pub sha256: String,
}

impl Origin {
    /// Version of this Tracefold.
    pub const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Whether the same bytes were read, by whatever names; `None` where one side does not tell.
    pub fn is_of(&self, inputs: &[Input]) -> Option<bool> {
        let sums = |inputs: &[Input]| {
            let mut sums = inputs.iter().map(|input| input.sha256.clone()).collect::<Vec<_>>();
            sums.sort_unstable();
            sums
        };
        let tells = !self.inputs.is_empty() && !inputs.is_empty();
        tells.then(|| sums(&self.inputs) == sums(inputs))
    }
}
