use crate::fit;
use crate::instance::FoldedCounter;
use crate::order;

/// A folded counter and which of its samples its curve is fitted to, one flag for each.
pub struct Measured<'a> {
    pub folded: &'a FoldedCounter,
    pub used: Vec<bool>,
}

/// The samples that a curve is fitted to, as columns by increasing folded time.
#[derive(Default)]
pub struct Samples {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub instance: Vec<u32>,
    /// The group of instances with which a sample is held out, from 0.
    pub group: Vec<u32>,
}

/// Most groups of instances that are held out in turn.
const MOST_GROUPS: usize = 20;

impl Samples {
    /// The samples of each counter, the instances of all of them dealt in turn to as many groups
    /// as the second value says: at most 20, one for each instance if there are fewer.
    ///
    /// Instances and not samples are dealt, because the samples of one instance err together.
    pub fn dealt(counters: &[Measured<'_>]) -> (Vec<Self>, u32) {
        let used = |measured: &Measured<'_>| {
            let samples = measured.folded.samples.iter().zip(&measured.used);
            samples.filter(|(_, used)| **used).map(|(sample, _)| *sample).collect::<Vec<_>>()
        };
        let counters = counters.iter().map(used).collect::<Vec<_>>();
        let of_instances = counters.iter().flatten().map(|sample| u64::from(sample.instance));
        let instances = order::distinct(of_instances);
        let groups = instances.len().min(MOST_GROUPS);
        let columns = |mut samples: Vec<crate::instance::FoldedSample>| {
            order::by_number(&mut samples, |sample| order::of_float(sample.x));
            let group = |instance: u32| {
                let rank = instances.partition_point(|other| *other < u64::from(instance));
                (rank % groups) as u32
            };
            Self {
                x: samples.iter().map(|sample| sample.x).collect(),
                y: samples.iter().map(|sample| sample.y).collect(),
                instance: samples.iter().map(|sample| sample.instance).collect(),
                group: samples.iter().map(|sample| group(sample.instance)).collect(),
            }
        };
        (counters.into_iter().map(columns).collect(), groups as u32)
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// As the kernels take them.
    pub fn slices(&self) -> fit::segments::Samples<'_> {
        fit::segments::Samples {
            x: &self.x,
            y: &self.y,
            group: &self.group,
            instance: &self.instance,
        }
    }
}
