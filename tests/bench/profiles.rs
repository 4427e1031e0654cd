//! Hybrid profiles: of TAU's XML and text, and of a trace.

use std::fmt::Write;
use std::sync::Arc;

use tracefold::hybrid::{self, Choices};
use tracefold::input::NamedFile;
use tracefold::open;
use tracefold::profile::Profile;
use tracefold_generate::{Options, Shape, generate_with};

use crate::clock::best;
use crate::heap;
use crate::trace::opened;

/// Threads, events and metrics of the merged XML.
const XML: [usize; 3] = [700, 3000, 5];
const THREADS_OF_TEXT: usize = 10_000;
const EVENTS_OF_TEXT: usize = 200;

pub fn profiles(report: &mut String) {
    let xml = Arc::new(merged(XML).into_bytes());
    let file = || vec![NamedFile::new("tauprofile.xml", Bytes(Arc::clone(&xml)))];
    let of_xml = best(3, || read(file()));
    heap::peak();
    let before = heap::held();
    let profile = read(file());
    let peak_mb = (heap::peak() - before) as f64 / 1e6;
    let [threads, events, metrics] = XML;
    assert_eq!(profile.threads.len(), threads);
    drop(profile);
    let numbers_mb = (threads * events * (2 + 2 * metrics) * 8) as f64 / 1e6;
    let texts = (0..THREADS_OF_TEXT).map(|thread| Arc::new(text(thread).into_bytes()));
    let texts = texts.collect::<Vec<_>>();
    let files = || {
        let named = |(at, text): (usize, &Arc<Vec<u8>>)| {
            NamedFile::new(format!("t/profile.{at}.0.0"), Bytes(Arc::clone(text)))
        };
        texts.iter().enumerate().map(named).collect()
    };
    let of_text = best(3, || read(files()));
    let text_mb = texts.iter().map(|text| text.len()).sum::<usize>() as f64 / 1e6;
    let made = generate_with(Shape::Big, 1, &Options::default());
    let trace = opened("a.prv", &made.prv, &made.pcf);
    let of_trace = best(3, || hybrid::profile(&trace, Choices::default()).summarised());
    let moments = trace.threads.iter().map(|thread| thread.len()).sum::<usize>();
    let xml_mb = xml.len() as f64 / 1e6;
    let _ = writeln!(
        report,
        "\n## Hybrid profiles, native\n\n\
         | step | time |\n| --- | ---: |\n\
         | merged XML of TAU, {xml_mb:.0} MB, of {threads} threads, {events} events and {metrics} metrics | \
         {of_xml:.2} s ({:.0} MB/s) |\n\
         | text of TAU, {text_mb:.0} MB in {THREADS_OF_TEXT} files of {EVENTS_OF_TEXT} events | \
         {of_text:.2} s ({:.0} MB/s) |\n\
         | a trace of {:.0} MB, {moments} moments, once it is read | {:.0} ms |\n\n\
         All up to the tree. The XML takes {peak_mb:.0} MB at most beside its bytes; its numbers are \
         {numbers_mb:.0} MB. Goals: 100 MB/s, and three times the numbers.",
        xml_mb / of_xml,
        text_mb / of_text,
        made.prv.len() as f64 / 1e6,
        of_trace * 1e3,
    );
}

struct Bytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn read(files: Vec<NamedFile<'static>>) -> Profile {
    let contents = open::contents(files, &mut |_| {}).expect("profiles");
    contents.profile(&contents.trials()[0], &mut |_| {}).expect("a profile").0
}

fn name(event: usize) -> String {
    let (file, line) = (event % 37, event + 1);
    format!(
        "void solver<{event}>::apply_kernel(std::vector<double> const&, int) \
         [{{/home/user/src/solver_{file}.cpp}} {{{line},1}}-{{{},1}}]",
        line + 30
    )
}

/// Half of the events are flat, half paths to them; values differ from thread to thread.
fn merged([threads, events, metrics]: [usize; 3]) -> String {
    let mut text = "<profile_xml>\n<definitions thread=\"*\">\n".to_owned();
    for metric in 0..metrics {
        let name = if metric == 0 { "TIME".to_owned() } else { format!("PAPI_{metric}") };
        let _ = writeln!(text, "<metric id=\"{metric}\"><name>{name}</name></metric>");
    }
    let half = events / 2;
    for event in 0..events {
        let name = match event {
            0 => "main".to_owned(),
            _ if event < half => name(event),
            _ => format!("main => {}", name(event - half + 1)),
        };
        let _ = writeln!(
            text,
            "<event id=\"{event}\"><name><![CDATA[{name}]]></name><group>G</group></event>"
        );
    }
    text += "</definitions>\n</profile_xml>\n";
    let all = (0..metrics).map(|metric| format!("{metric} ")).collect::<String>();
    for thread in 0..threads {
        let id = format!("0.0.{thread}.1");
        let _ = writeln!(
            text,
            "<profile_xml><thread id=\"{id}\" node=\"0\" context=\"0\" thread=\"{thread}\"></thread>\
             <profile thread=\"{id}\"><interval_data metrics=\"{all}\">"
        );
        for event in 0..events {
            let value = 1 + (event * 7919 + thread * 104_729) % 999_983;
            let _ = write!(text, "{event} {} 0 ", 1 + value % 1000);
            for metric in 0..metrics {
                let value = value * (3 + 997 * metric);
                let _ = write!(text, "{value} {value} ");
            }
            text.push('\n');
        }
        text += "</interval_data></profile></profile_xml>\n";
    }
    text
}

fn text(thread: usize) -> String {
    let mut text = format!(
        "{EVENTS_OF_TEXT} templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls # \
         <metadata><attribute><name>Metric Name</name><value>TIME</value></attribute></metadata>\n\
         \"main\" 1 1 10 1000000 0 GROUP=\"G\"\n"
    );
    for event in 1..EVENTS_OF_TEXT {
        let value = 1 + (event * 7919 + thread * 104_729) % 999_983;
        let half = EVENTS_OF_TEXT / 2;
        let path = if event < half { "" } else { "main => " };
        let _ =
            writeln!(text, "\"{path}{}\" 3 0 {value} {value} 0 GROUP=\"G\"", name(event % half));
    }
    text + "0 aggregates\n"
}
