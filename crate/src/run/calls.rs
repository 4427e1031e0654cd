use super::rotation::Edge;

/// A call that a thread makes of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is called, and from where: an index into the labels of all sites.
    pub site: u32,
    pub begin_ns: u64,
    /// When it returns; before its begin counts as at its begin.
    pub exit_ns: u64,
}

/// What the master thread of a task did.
#[derive(Clone, Copy, Debug)]
pub struct Rank<'run> {
    /// By begin.
    pub calls: &'run [Call],
    /// From the thread's first moment to its last.
    pub span_ns: (u64, u64),
}

/// The calls of a rank by their sites, which are numbered in the order of their first calls.
pub(super) struct CallsBySite<'run> {
    calls: &'run [Call],
    /// Of each call, the number of its site.
    numbers: Vec<u32>,
    /// Of each number, the site.
    sites: Vec<u32>,
    /// Indices of calls, rising, of one site after the other.
    indices: Vec<u32>,
    /// Where the indices of each site begin; one more at the end.
    first: Vec<u32>,
    /// Sum of [`weight`]s of all calls before each; one more at the end.
    weights: Vec<u64>,
}

/// Of no site.
const NONE: u32 = u32::MAX;

impl<'run> CallsBySite<'run> {
    /// `numbers` has a place for each site of the run, [`NONE`] before and after. O(calls).
    fn of(calls: &'run [Call], numbers: &mut [u32]) -> Self {
        let mut sites = Vec::new();
        let mut of_calls = Vec::with_capacity(calls.len());
        let mut counts = Vec::new();
        for call in calls {
            let Some(number) = numbers.get_mut(call.site as usize) else {
                of_calls.push(NONE);
                continue;
            };
            if *number == NONE {
                *number = sites.len() as u32;
                sites.push(call.site);
                counts.push(0);
            }
            counts[*number as usize] += 1;
            of_calls.push(*number);
        }
        for &site in &sites {
            numbers[site as usize] = NONE;
        }
        let first = sums(counts.iter().copied());
        let mut next = first.clone();
        let mut indices = vec![0; first.last().map_or(0, |&all| all as usize)];
        for (index, number) in (0..).zip(&of_calls).filter(|(_, number)| **number != NONE) {
            let place = &mut next[*number as usize];
            indices[*place as usize] = index;
            *place += 1;
        }
        let mut weights = Vec::with_capacity(calls.len() + 1);
        weights.push(0);
        weights.extend(calls.iter().scan(0u64, |sum, call| {
            *sum = sum.wrapping_add(weight(call.site));
            Some(*sum)
        }));
        Self { calls, numbers: of_calls, sites, indices, first, weights }
    }

    /// Of every rank. Calls of a site beyond `sites`, how many there are in the run, are of no
    /// known site: they are in no loop. O(sites + calls).
    pub fn of_ranks(ranks: &[Rank<'run>], sites: usize) -> Vec<Self> {
        let mut numbers = vec![NONE; sites];
        ranks.iter().map(|rank| Self::of(rank.calls, &mut numbers)).collect()
    }

    /// How many different sites are called.
    pub fn sites(&self) -> u32 {
        self.sites.len() as u32
    }

    /// The site that has a number.
    pub fn site(&self, number: u32) -> u32 {
        self.sites.get(number as usize).copied().unwrap_or(NONE)
    }

    pub fn call(&self, index: u32) -> Option<&Call> {
        self.calls.get(index as usize)
    }

    /// The number of the site of a call.
    pub fn number(&self, index: u32) -> Option<u32> {
        self.numbers.get(index as usize).copied().filter(|number| *number != NONE)
    }

    /// Indices of the calls of the site that has a number, rising.
    pub fn of_site(&self, number: u32) -> &[u32] {
        let end = |number: u32| self.first.get(number as usize).map(|&index| index as usize);
        let range = end(number).zip(number.checked_add(1).and_then(end));
        range.and_then(|(first, last)| self.indices.get(first..last)).unwrap_or_default()
    }

    /// When a call begins or returns.
    pub fn time_ns(&self, index: u32, edge: Edge) -> u64 {
        self.call(index).map_or(0, |call| match edge {
            Edge::Begin => call.begin_ns,
            Edge::Exit => call.exit_ns.max(call.begin_ns),
        })
    }

    /// When the calls of a site begin or return, never falling: a call that returns after the next
    /// one of its site does moves that.
    pub fn times_ns(&self, number: u32, edge: Edge) -> Vec<u64> {
        let times = self.of_site(number).iter().scan(0, |latest, &index| {
            *latest = self.time_ns(index, edge).max(*latest);
            Some(*latest)
        });
        times.collect()
    }

    /// A number for what is called between two calls: the same where the same sites are called
    /// equally often, in any order, and otherwise the same by a chance of 2⁻⁶⁴.
    pub fn contents(&self, after: u32, before: u32) -> u64 {
        let weight = |index: u32| self.weights.get(index as usize).copied().unwrap_or(0);
        weight(before).wrapping_sub(weight(after.saturating_add(1)))
    }
}

/// Sums of all before each; one more at the end.
fn sums(counts: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut sums = vec![0];
    sums.extend(counts.scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    }));
    sums
}

/// 64 bits that look random; different for different sites.
///
/// Source: the finaliser of splitmix64 (Steele, Lea and Flood 2014, Fast splittable pseudorandom
/// number generators).
fn weight(site: u32) -> u64 {
    let bits = (u64::from(site) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
