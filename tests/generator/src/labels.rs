//! Names of what a trace holds: the `.pcf` and `.row` files.

use std::fmt::Write;

use crate::codes::{COUNTER_SET, Counter, STATES};

/// Event types with the values that they share.
struct Block {
    types: Vec<(u32, String)>,
    values: Vec<(u64, String)>,
}

#[derive(Default)]
pub struct Labels {
    blocks: Vec<Block>,
}

impl Labels {
    /// Adds event types that share `values`.
    pub fn add<'a>(
        &mut self,
        types: impl IntoIterator<Item = (u32, &'a str)>,
        values: impl IntoIterator<Item = (u64, &'a str)>,
    ) {
        self.blocks.push(Block {
            types: types.into_iter().map(|(code, name)| (code, name.to_owned())).collect(),
            values: values.into_iter().map(|(value, name)| (value, name.to_owned())).collect(),
        });
    }

    pub fn pcf(&self, note: &str, counters: &[Counter]) -> String {
        let mut text = format!(
            "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n{note}\n\n\
             DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\nSTATES\n"
        );
        for (number, name, _) in STATES {
            line(&mut text, format_args!("{number}    {name}"));
        }
        text.push_str("\nSTATES_COLOR\n");
        for (number, _, colour) in STATES {
            line(&mut text, format_args!("{number}    {colour}"));
        }
        for block in &self.blocks {
            text.push_str("\nEVENT_TYPE\n");
            for (code, name) in &block.types {
                line(&mut text, format_args!("6    {code}    {name}"));
            }
            if !block.values.is_empty() {
                text.push_str("VALUES\n");
            }
            for (value, name) in &block.values {
                line(&mut text, format_args!("{value}   {name}"));
            }
        }
        text.push_str("\nEVENT_TYPE\n");
        for counter in counters {
            line(
                &mut text,
                format_args!("7  {} {} [{}]", counter.code, counter.name, counter.description),
            );
        }
        line(&mut text, format_args!("7  {COUNTER_SET} Active hardware counter set"));
        text
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("a String takes every line");
}

/// The `.row` file for tasks with so many threads each, all on one node.
pub fn row(note: &str, tasks: &[u32]) -> String {
    let threads: u32 = tasks.iter().sum();
    let mut text = format!("LEVEL CPU SIZE {threads}\n");
    for cpu in 1..=threads {
        line(&mut text, format_args!("{cpu}.generated"));
    }
    line(
        &mut text,
        format_args!("\nLEVEL NODE SIZE 1\ngenerated\n\n{note}\n\nLEVEL THREAD SIZE {threads}"),
    );
    for (task, threads) in (1..).zip(tasks) {
        for thread in 1..=*threads {
            line(&mut text, format_args!("THREAD 1.{task}.{thread}"));
        }
    }
    text
}
