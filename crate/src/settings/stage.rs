use super::Settings;

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
        let mut settings = self.clone();
        let defaults = Self::default().texts();
        for (key, default) in defaults.iter().filter(|(key, _)| self.stage_of(key) > stage) {
            // A default can be set.
            let _ = settings.set(key, default);
        }
        settings
    }

    /// Where the setting acts first. One that is not listed acts on everything.
    fn stage_of(&self, key: &str) -> Stage {
        match key {
            "align" | "routines" | "names" | "models" | "expressions" => Stage::Code,
            // It fits curves to leave out instances.
            _ if self.prefilter => Stage::Counters,
            "fit" | "nugget" | "resolution" | "monotone" | "ends" | "phases" | "breaks"
            | "points" => Stage::Curves,
            _ => Stage::Counters,
        }
    }
}
