use crate::instance::{self, FoldedCounter, Group, How, Instance, Register};
use crate::order;
use crate::result::FoldingNotice;
use crate::settings::Settings;
use crate::trace::Trace;

/// The counters of energy: what is known of the registers behind them.
pub struct Registers<'a> {
    trace: &'a Trace,
    /// By counter; without a refresh where that is not known.
    known: Vec<(u32, Option<u64>)>,
}

impl<'a> Registers<'a> {
    /// Those among `counters`. Along a counter there is none: what is late in time is not late by a
    /// known number of events.
    pub fn of(trace: &'a Trace, counters: &[u32], settings: &Settings) -> Self {
        let counters = if settings.x.is_some() { &[] } else { counters };
        let known = counters.iter().filter_map(|&counter| {
            let of_type = &trace.types[counter as usize];
            let energy = settings.energy.of(&of_type.name, &of_type.description)?;
            let measured = || instance::refresh_ns(trace, counter);
            Some((counter, settings.refresh.or_else(measured).or(energy.refresh_ns)))
        });
        let mut known = known.collect::<Vec<_>>();
        order::by_number(&mut known, |(counter, _)| u64::from(*counter));
        Self { trace, known }
    }

    /// Folds a counter as the register that it is, if it is one: `counted` is what folding it as a
    /// counter gave, `instances` are those of all groups.
    pub fn fold(
        &self,
        group: &Group,
        instances: &[Instance],
        one_in: usize,
        counter: u32,
        counted: FoldedCounter,
        notices: &mut Vec<FoldingNotice>,
    ) -> FoldedCounter {
        let Some(refresh) = order::get(&self.known, &counter) else { return counted };
        let name = &self.trace.types[counter as usize].name;
        let mut note = |text: String| {
            let first = format!("group {}", group.number);
            match notices.iter_mut().find(|notice| notice.text == text) {
                Some(notice) => notice.count += 1,
                None => notices.push(FoldingNotice { text, count: 1, first }),
            }
        };
        let Some(refresh_ns) = *refresh else {
            if counted.instances > 0 {
                note(format!(
                    "How often {name} is refreshed cannot be seen; it is folded as other counters \
                     are. If you know, say refresh=NS."
                ));
            }
            return counted;
        };
        let register = Register { counter, refresh_ns };
        let (found, how) =
            instance::fold_register(self.trace, group, instances, one_in, register, counted);
        let often = format!("{name} is refreshed every {} ms", (refresh_ns / 1000) as f64 / 1e3);
        match how {
            _ if found.instances == 0 => {}
            How::Counted => {}
            How::Levels => note(format!(
                "{often}: its readings count half of that earlier, and its total is that of the \
                 curve through them."
            )),
            How::Rises => note(format!(
                "{often} and is not read at begins and ends: its curve and total are those of what \
                 it rose between readings."
            )),
            How::Total => note(format!(
                "{often}, and an instance lasts less than four times as long: its total is told, \
                 and no course of it."
            )),
        }
        found
    }
}
