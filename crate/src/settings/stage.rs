use super::Settings;
use super::table::ROWS;

/// The stages of the pipeline, as far as one is done again without those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Instances, groups and what they counted.
    Counters,
    /// The curves that are fitted to it.
    Curves,
    /// Call-stacks, names and models.
    Code,
}

impl Settings {
    /// The same with every setting that acts after `stage` at its default: up to there, two that
    /// are equal then fold alike.
    pub fn up_to(&self, stage: Stage) -> Self {
        let (mut settings, defaults) = (self.clone(), Self::default());
        for row in ROWS {
            let first = match row.stage {
                // Instances are left out by their curves.
                Stage::Curves if self.prefilter => Stage::Counters,
                stage => stage,
            };
            if first > stage {
                // Its own text can always be read.
                let _ = (row.read)(&mut settings, &(row.write)(&defaults));
            }
        }
        settings
    }
}
