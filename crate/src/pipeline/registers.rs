use crate::folding::FoldedCounter;
use crate::instance::{self, Giving, Group, How, Instance, Register};
use crate::order;
use crate::settings::Settings;
use crate::trace::Trace;

/// The counters of energy: what is known of the registers behind them.
pub struct Registers<'a> {
    trace: &'a Trace,
    /// By counter, nanoseconds from one refresh to the next; `None` where that is not known.
    refreshes_ns: Vec<(u32, Option<u64>)>,
}

/// How a counter was folded that is a register.
pub enum Refreshed {
    /// It is none.
    NoRegister,
    /// How often it is refreshed is not known; it was folded as any counter, in so many instances.
    Unknown {
        instances: u32,
    },
    Every {
        refresh_ns: u64,
        how: How,
        instances: u32,
    },
}

impl<'a> Registers<'a> {
    /// Those among `counters`. Along a counter there is none: what is late in time is not late by a
    /// known number of events.
    pub fn of(trace: &'a Trace, counters: &[u32], settings: &Settings) -> Self {
        let counters = if settings.x.is_some() { &[] } else { counters };
        let refreshes_ns = counters.iter().filter_map(|&counter| {
            let of_type = &trace.types[counter as usize];
            let energy = settings.energy.of(&of_type.name, &of_type.description)?;
            let measured = || instance::refresh_ns(trace, counter);
            Some((counter, settings.refresh.or_else(measured).or(energy.refresh_ns)))
        });
        let mut refreshes_ns = refreshes_ns.collect::<Vec<_>>();
        order::by_number(&mut refreshes_ns, |(counter, _)| u64::from(*counter));
        Self { trace, refreshes_ns }
    }

    /// Folds a counter as the register that it is, if it is one: `counted` is what folding it as a
    /// counter gave, `instances` are those of all groups.
    pub fn fold(
        &self,
        group: &Group,
        instances: &[Instance],
        giving: &Giving,
        counter: u32,
        counted: FoldedCounter,
    ) -> (FoldedCounter, Refreshed) {
        match order::get(&self.refreshes_ns, &counter) {
            None => (counted, Refreshed::NoRegister),
            Some(None) => {
                let instances = counted.instances;
                (counted, Refreshed::Unknown { instances })
            }
            Some(&Some(refresh_ns)) => {
                let register = Register { counter, refresh_ns };
                let (folded, how) = instance::fold_register(
                    self.trace, group, instances, giving, register, counted,
                );
                let refreshed = Refreshed::Every { refresh_ns, how, instances: folded.instances };
                (folded, refreshed)
            }
        }
    }
}
