//! Where the modules of a process lie.

use crate::order;

/// By their begins, rising.
#[derive(Debug, Default)]
pub struct Modules(Vec<Module>);

#[derive(Debug)]
struct Module {
    start: u64,
    end: u64,
    /// Of its first byte in its file.
    offset: u64,
    name: String,
}

impl Modules {
    /// Reads a line of a map: a module, and begin, end and offset in hexadecimal, in the order of TAU or in that of
    /// `/proc/PID/maps`. What is neither says nothing.
    pub fn line(&mut self, line: &str) {
        // A module is a path; permissions and devices are none.
        let name = line.split_whitespace().find(|word| word.contains('/') || word.starts_with('['));
        let (Some(name), false) = (name, line.starts_with('#')) else { return };
        let words = line.split_whitespace().filter(|word| *word != name);
        let mut numbers = words.flat_map(|word| word.split('-')).filter_map(address);
        if let (Some(start), Some(end), Some(offset)) =
            (numbers.next(), numbers.next(), numbers.next())
            && start < end
        {
            self.0.push(Module { start, end, offset, name: name.to_owned() });
        }
    }

    /// Puts them in order, once all are read.
    pub fn sort(&mut self) {
        order::by_number(&mut self.0, |module| module.start);
    }

    /// What is called at an address: `libm.so+0x1d0`, or the address where no module lies. O(log modules).
    pub fn name_of(&self, at: u64) -> String {
        let after = self.0.partition_point(|module| module.start <= at);
        let module = after.checked_sub(1).and_then(|before| self.0.get(before));
        match module.filter(|module| at < module.end) {
            Some(Module { start, offset, name, .. }) => {
                let file = name.rsplit('/').next().unwrap_or(name);
                format!("{file}+{:#x}", (at - start).saturating_add(*offset))
            }
            None => format!("{at:#x}"),
        }
    }
}

/// A number in hexadecimal, with `0x` or without.
pub fn address(word: &str) -> Option<u64> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let is_number = !digits.is_empty() && digits.len() <= 16;
    let digit = |byte: u8| (byte as char).to_digit(16).map(u64::from);
    let value = |value: u64, byte| Some(value << 4 | digit(byte)?);
    digits.bytes().try_fold(0, value).filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_that_in_the_file_of_its_module() {
        let mut modules = Modules::default();
        for line in [
            "# ebs map",
            "/usr/lib/libm.so 0x7f0000002000 0x7f0000003000 1000",
            "00400000-00410000 r-xp 00000000 08:01 131 /home/user/app",
            "7ffd0000-7ffe0000 rw-p 00000000 00:00 0 [stack]",
            "nonsense",
            "/backwards 0x20 0x10 0",
        ] {
            modules.line(line);
        }
        modules.sort();
        for (at, name) in [
            (0x40_05d0, "app+0x5d0"),
            (0x7f00_0000_21d0, "libm.so+0x11d0"),
            (0x7f00_0000_3000, "0x7f0000003000"),
            (0x10, "0x10"),
            (0x7ffd_0004, "[stack]+0x4"),
        ] {
            assert_eq!(modules.name_of(at), name);
        }
    }
}
