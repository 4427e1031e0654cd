//! The labels of a trace: `.pcf`.

use super::variables;
use crate::trace::Builder;

/// Reads a `.pcf` line by line. What it does not understand it skips, as Paraver does.
#[derive(Default)]
pub struct PcfReader {
    section: Section,
    types: Vec<(u32, String)>,
    values: Vec<(u64, String)>,
}

#[derive(Default, PartialEq)]
enum Section {
    /// Colours, states, options: nothing that folding needs.
    #[default]
    Other,
    EventTypes,
    Values,
}

impl PcfReader {
    /// Reads one line into the labels of `trace`.
    pub fn line(&mut self, line: &[u8], trace: &mut Builder) {
        let line = decoded(line);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let first = line.split_ascii_whitespace().next().unwrap_or_default();
        match first {
            "EVENT_TYPE" => {
                self.close(trace);
                self.section = Section::EventTypes;
            }
            "VALUES" if self.section == Section::EventTypes => self.section = Section::Values,
            _ if is_section(line) => {
                self.close(trace);
                self.section = Section::Other;
            }
            _ => match self.section {
                Section::Other => {}
                // Example: `7  42000050 PAPI_TOT_INS [Instr completed]`
                Section::EventTypes => {
                    let (gradient, rest) = split_word(line);
                    let (code, label) = split_word(rest);
                    if let (Ok(code), Ok(_)) = (code.parse(), gradient.parse::<u32>()) {
                        self.types.push((code, label.to_owned()));
                    }
                }
                // Example: `3   smooth_grid`
                Section::Values => {
                    let (value, label) = split_word(line);
                    let value = value.parse::<i64>().map(|v| v as u64).or_else(|_| value.parse());
                    if let Ok(value) = value {
                        self.values.push((value, label.to_owned()));
                    }
                }
            },
        }
    }

    /// Ends the file.
    pub fn finish(mut self, trace: &mut Builder) {
        self.close(trace);
    }

    fn close(&mut self, trace: &mut Builder) {
        let values = std::mem::take(&mut self.values);
        let types = std::mem::take(&mut self.types);
        for (code, label) in &types {
            // A later definition replaces the earlier.
            if let Some((application, task)) = variables::task_of(*code, label) {
                trace.variables.retain(|v| (v.application, v.task) != (application, task));
                trace.variables.extend(variables::read(application, task, &values));
            }
        }
        trace.labels.add_types(&types, values);
    }
}

/// The encoding is not declared: UTF-8, or else Latin-1, in which every byte is a letter.
pub(super) fn decoded(line: &[u8]) -> String {
    match std::str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => line.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A section word stands alone, in capitals: `STATES_COLOR`.
fn is_section(line: &str) -> bool {
    line.len() > 3 && line.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn split_word(line: &str) -> (&str, &str) {
    match line.split_once(|letter: char| letter.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (line, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Builder {
        let mut builder = Builder::new("made up", crate::paraver::meaning);
        let mut reader = PcfReader::default();
        text.lines().for_each(|line| reader.line(line.as_bytes(), &mut builder));
        reader.finish(&mut builder);
        builder
    }

    #[test]
    fn types_of_a_block_share_its_values() {
        let labels = read(
            "DEFAULT_OPTIONS\n\nLEVEL  THREAD\n\nSTATES\n0 Idle\n\nEVENT_TYPE\n9 30000000 Depth 0\n\
             9\t30000001\tDepth 1\nVALUES\n0 End\n-1 minus\n5 a::b [a::b()]\n\n\
             EVENT_TYPE\n7 42000050   PAPI_TOT_INS [Instr]\n6 40000011\n",
        )
        .labels;
        assert_eq!(labels.of_value(30_000_000, 5), Some("a::b [a::b()]"));
        assert_eq!(labels.of_value(30_000_001, 0), Some("End"));
        assert_eq!(labels.of_value(30_000_001, -1i64 as u64), Some("minus"));
        assert_eq!(labels.of_type(42_000_050), Some("PAPI_TOT_INS [Instr]"));
        assert_eq!(labels.of_type(40_000_011), Some(""));
        assert_eq!(labels.of_value(42_000_050, 5), None);
    }

    #[test]
    fn unknown_sections_and_odd_lines_are_passed_over() {
        let labels = read(
            "NEW_SECTION\n1 2 3\nEVENT_TYPE\nx y z\n6 12 t\nPRECISION 2\nVALUES\nnone here\n1 one\nOTHER\n1 no\n",
        );
        assert_eq!(labels.labels.of_value(12, 1), Some("one"));
        assert_eq!(labels.labels.of_type(12), Some("t"));
        assert_eq!([1, 2, 3].map(|code| labels.labels.of_type(code)), [None; 3]);
    }
}
