//! What the events of a recording are: markers, by their names, or samples.

use super::data_source::Operation;

/// An event by its name.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// As perf prints it: `probe_app:step`, `cycles/freq=499/u`.
    pub name: String,
    pub role: Role,
    /// Records that it leads.
    pub records: u64,
    /// Those of them that read other counters too.
    pub with_members: u64,
    /// Numbers of the counters that its records read: its own and those of its group.
    pub counters: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Sampled, and a counter by this number.
    Sample(u32),
    /// Samples loads or stores, and counts nothing: what the processor chose to sample.
    Memory(Operation),
    /// Begins a region of the family with this number.
    Begin(usize),
    /// Ends a region of the family.
    End(usize),
    /// Ends a region whose begin has not been met.
    Orphan,
}

/// A region's markers: one event that begins it and perhaps one that ends it.
#[derive(Clone, Debug, Default)]
pub(super) struct Family {
    /// Names of the two events.
    pub begin: String,
    pub end: Option<String>,
    pub begins: u64,
    pub ends: u64,
    /// Markers without their other half, but for the first and the last of a thread.
    pub lost: u64,
    /// Whether markers are known to be missing, so that a begin inside a region is no recursion.
    pub is_lossy: bool,
}

impl Family {
    /// What the region is called: the name of its markers without what tells begin from end.
    pub fn label(&self) -> String {
        match self.end {
            Some(_) => stem(&self.begin),
            None => self.begin.clone(),
        }
    }
}

/// Different events and counters that are kept apart; a text with more is no recording.
pub(super) const MOST: usize = 10_000;

/// All events met.
#[derive(Clone, Default)]
pub(super) struct Events {
    pub all: Vec<Event>,
    pub families: Vec<Family>,
    pub counters: Vec<String>,
}

impl Events {
    /// The number of the event called `name`; `None` where there are too many.
    pub fn of(&mut self, name: &[u8]) -> Option<usize> {
        let known = self.all.iter().position(|event| event.name.as_bytes() == name);
        if known.is_some() || self.all.len() == MOST {
            return known;
        }
        let name = String::from_utf8_lossy(name).into_owned();
        let role = match marker(&name) {
            None => match memory(&name) {
                Some(operation) => Role::Memory(operation),
                None => Role::Sample(self.counter(&counter(&name))),
            },
            Some(marker) => self.marker(marker),
        };
        let counters = if let Role::Sample(counter) = role { vec![counter] } else { vec![] };
        self.all.push(Event { name, role, records: 0, with_members: 0, counters });
        Some(self.all.len() - 1)
    }

    fn counter(&mut self, name: &str) -> u32 {
        let known = self.counters.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.counters.push(name.to_owned());
            self.counters.len() - 1
        }) as u32
    }

    /// The role of a marker met for the first time. Begins come before ends; what looks like an
    /// end whose begin is not there may be a routine called `handle_exit`.
    fn marker(&mut self, name: &str) -> Role {
        if let Some(family) = self.begin_of(name) {
            self.families[family].end = Some(name.to_owned());
            return Role::End(family);
        }
        if is_certain_end(name) {
            return Role::Orphan;
        }
        let number = self.families.len();
        self.families.push(Family { begin: name.to_owned(), ..Family::default() });
        // Ends that came before their begin, in a recording that starts in the middle.
        for index in 0..self.all.len() {
            let event = &self.all[index];
            let unsure = match event.role {
                Role::Orphan => true,
                Role::Begin(family) => self.families[family].end.is_none(),
                _ => false,
            };
            let Some(found) = marker(&event.name).filter(|_| unsure) else { continue };
            if self.begin_of(found) == Some(number) {
                self.families[number].end = Some(found.to_owned());
                self.all[index].role = Role::End(number);
            }
        }
        Role::Begin(number)
    }

    /// The family that `name`, taken for an end, ends.
    fn begin_of(&self, name: &str) -> Option<usize> {
        let begins = ends(name);
        let free = |family: &&Family| family.end.is_none() && family.begin != name;
        let find = |wanted: &dyn Fn(&str) -> bool| {
            let found = self.families.iter().filter(free).find(|family| wanted(&family.begin));
            let found = found?;
            self.families.iter().position(|family| family.begin == found.begin)
        };
        // The routine itself goes before one that is called like it and `_start`.
        begins.iter().find_map(|begin| {
            find(&|known| known == begin)
                .or_else(|| find(&|known| begin_stem(known) == Some(begin.as_str())))
        })
    }
}

/// What samples of `event` are of beside time: loads or stores, or neither; `None` for a marker.
pub(super) fn sampled(event: &str) -> Option<Option<Operation>> {
    marker(event).is_none().then(|| memory(event))
}

/// The name of the marker that `event` is, without modifiers; `None` for what is sampled.
///
/// Examples: `probe_app:step:u` is `probe_app:step`; `cycles:u` and `mem:0x10:w` are sampled.
fn marker(event: &str) -> Option<&str> {
    let head = event.split('/').next().unwrap_or(event);
    let mut parts = head.split(':');
    let (group, name) = (parts.next()?, parts.next().filter(|name| !name.is_empty())?);
    let modifiers = name.bytes().all(|byte| b"ukhGHIpPSDWeb".contains(&byte));
    let probed = group.starts_with("probe") || group.starts_with("sdt_");
    let is_marker = group != "mem" && !group.is_empty() && (probed || !modifiers);
    is_marker.then(|| head.get(..group.len() + 1 + name.len())).flatten()
}

/// What an event of memory samples, or most of it: `perf mem` calls it so, or perf where it decodes
/// what Arm's processors sample.
///
/// Source: `tools/perf/util/mem-events.c` and `arm-spe.c`.
fn memory(event: &str) -> Option<Operation> {
    const LOADS: [&str; 5] = ["mem-loads", "ldlat", "load_latency", "ibs_op/", "arm_spe"];
    const STORES: [&str; 4] = ["mem-stores", "ldlat-stores", "store_latency", "store_sample"];
    const OF_ARM: &str =
        "memory l1d-access l1d-miss llc-access llc-miss tlb-access tlb-miss remote-access";
    let lower = event.to_ascii_lowercase();
    let is_of = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    let is_of_arm = OF_ARM.split(' ').any(|name| name == lower);
    match (is_of(&STORES), is_of(&LOADS) || is_of_arm) {
        (true, _) => Some(Operation::Store),
        (false, true) => Some(Operation::Load),
        (false, false) => None,
    }
}

/// The counter that a sampled event is: without frequency and other terms of the recording.
fn counter(event: &str) -> String {
    let Some((head, rest)) = event.split_once('/') else { return event.to_owned() };
    let (terms, modifiers) = rest.rsplit_once('/').unwrap_or((rest, ""));
    const OF_RECORDING: [&str; 7] =
        ["freq", "period", "call-graph", "stack-size", "max-stack", "name", "time"];
    let of_event = |term: &&str| {
        let key = term.split('=').next().unwrap_or(term);
        !key.is_empty() && !OF_RECORDING.contains(&key)
    };
    let terms = terms.split(',').filter(of_event).collect::<Vec<_>>().join(",");
    match (terms.is_empty(), modifiers.is_empty()) {
        (true, true) => head.to_owned(),
        (true, false) => format!("{head}:{modifiers}"),
        _ => format!("{head}/{terms}/{modifiers}"),
    }
}

const BEGINS: [&str; 4] = ["begin", "start", "entry", "enter"];
const ENDS: [&str; 9] =
    ["ret", "return", "exit", "end", "stop", "done", "leave", "finish", "finished"];

/// `app:loop_begin` to `app:loop`, `syscalls:sys_enter_read` to `syscalls:read`.
fn begin_stem(name: &str) -> Option<&str> {
    without(name, &BEGINS)
}

/// What a begin is called without what makes it one.
fn stem(name: &str) -> String {
    match name.split_once(":sys_enter_") {
        Some((group, call)) => format!("{group}:{call}"),
        None => begin_stem(name).unwrap_or(name).to_owned(),
    }
}

/// Names of the begins, or their stems, that `name` ends if it is an end; the likeliest first.
fn ends(name: &str) -> Vec<String> {
    if let Some((group, call)) = name.split_once(":sys_exit_") {
        return vec![format!("{group}:sys_enter_{call}")];
    }
    // Where several places return, perf numbers them.
    let unnumbered = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let unnumbered = unnumbered.strip_suffix('_').unwrap_or(name);
    let name = if unnumbered.ends_with("__return") { unnumbered } else { name };
    let routine = name.strip_suffix("__return").unwrap_or(name);
    let shorter = without(routine, &ENDS).map(str::to_owned);
    let whole = (routine != name).then(|| routine.to_owned());
    whole.into_iter().chain(shorter).collect()
}

/// Whether nothing but an end is called so: perf names returns itself.
fn is_certain_end(name: &str) -> bool {
    name.contains("__return") || name.contains(":sys_exit_")
}

/// `name` without one of `words` at its end, set off by `_` or `-`.
fn without<'name>(name: &'name str, words: &[&str]) -> Option<&'name str> {
    let joint = |c: char| c == '_' || c == '-';
    let stem = words.iter().find_map(|word| name.strip_suffix(word)?.strip_suffix(joint));
    stem.map(|stem| stem.trim_end_matches(joint)).filter(|stem| !stem.ends_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Families as (begin, end), of events met in this order.
    fn families(names: &[&str]) -> Vec<(String, Option<String>, String)> {
        let mut events = Events::default();
        for name in names {
            events.of(name.as_bytes());
        }
        let families = events.families.iter();
        families.map(|f| (f.begin.clone(), f.end.clone(), f.label())).collect()
    }

    #[test]
    fn begins_find_their_ends() {
        for (begin, end, label) in [
            ("probe_a:it", "probe_a:it_ret__return", "probe_a:it"),
            ("probe_a:it", "probe_a:it__return", "probe_a:it"),
            ("probe_a:it", "probe_a:it__return_1", "probe_a:it"),
            ("probe_a:it_ret", "probe_a:it_ret__return", "probe_a:it_ret"),
            ("probe_a:it", "probe_a:it_exit", "probe_a:it"),
            ("sdt_a:loop_begin", "sdt_a:loop_end", "sdt_a:loop"),
            ("sdt_a:loop__start", "sdt_a:loop__stop", "sdt_a:loop"),
            ("sdt_python:function__entry", "sdt_python:function__return", "sdt_python:function"),
            ("syscalls:sys_enter_read", "syscalls:sys_exit_read", "syscalls:read"),
            ("raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "raw_syscalls:sys"),
            ("irq:softirq_entry", "irq:softirq_exit", "irq:softirq"),
        ] {
            let expected = [(begin.to_owned(), Some(end.to_owned()), label.to_owned())];
            assert_eq!(families(&[begin, end]), expected, "{begin}");
            let backwards = families(&[end, begin]);
            assert!(backwards.contains(&expected[0]), "{begin}: {backwards:?}");
        }
    }

    #[test]
    fn what_has_no_other_half_marks_by_itself() {
        let alone = |name: &str| (name.to_owned(), None, name.to_owned());
        let names = ["probe_a:handle_exit", "probe_a:step", "probe_b:step_end", "x:warm_start"];
        assert_eq!(families(&names), names.map(alone));
        let both = families(&["p:handle_exit", "p:handle_exit__return"]);
        assert_eq!(both[0].1.as_deref(), Some("p:handle_exit__return"));
        assert_eq!(families(&["probe_a:it__return", "cycles"]), []);
    }

    #[test]
    fn events_of_memory_are_no_counters() {
        for (event, operation) in [
            ("cpu/mem-loads,ldlat=30/P", Some(Operation::Load)),
            ("cpu/mem-stores/P", Some(Operation::Store)),
            ("cpu_core/mem-loads,ldlat=30/Pu", Some(Operation::Load)),
            ("cpu_core/MEM_UOPS_RETIRED.LOAD_LATENCY/", Some(Operation::Load)),
            ("ldlat-loads", Some(Operation::Load)),
            ("ibs_op//", Some(Operation::Load)),
            ("arm_spe_0/ts_enable=1,load_filter=1/", Some(Operation::Load)),
            ("memory", Some(Operation::Load)),
            ("L1-dcache-load-misses", None),
            ("mem:0x1000:rw", None),
            ("cycles:P", None),
        ] {
            let mut events = Events::default();
            let event = events.of(event.as_bytes()).map(|number| &events.all[number]).unwrap();
            let expected = operation.map_or(Role::Sample(0), Role::Memory);
            assert_eq!(event.role, expected, "{}", event.name);
            assert_eq!(events.counters.is_empty(), operation.is_some(), "{}", event.name);
        }
    }

    #[test]
    fn modifiers_and_terms_are_no_part_of_a_name() {
        for (event, name) in [
            ("probe_a:it", Some("probe_a:it")),
            ("probe_a:u", Some("probe_a:u")),
            ("probe_a:it:u", Some("probe_a:it")),
            ("sched:sched_switch/max-stack=3/", Some("sched:sched_switch")),
            ("cycles", None),
            ("cycles:uhH", None),
            ("cpu/cycles/u", None),
            ("mem:0x1000:rw", None),
            ("a:", None),
        ] {
            assert_eq!(marker(event), name, "{event}");
        }
        for (event, name) in [
            ("cycles", "cycles"),
            ("cycles:u", "cycles:u"),
            ("cpu-clock/freq=499/", "cpu-clock"),
            ("cycles/freq=499,call-graph=dwarf/u", "cycles:u"),
            ("cpu/event=0x3c,umask=0x1,period=9/", "cpu/event=0x3c,umask=0x1/"),
        ] {
            assert_eq!(counter(event), name, "{event}");
        }
    }
}
