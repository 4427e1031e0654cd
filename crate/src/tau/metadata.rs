//! What a profile says of itself: pairs of a key and a value, as XML in its second line.

use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_xml_entity};
use quick_xml::events::{BytesRef, Event};

/// `<metadata><attribute><name>…</name><value>…</value></attribute>…</metadata>`: its pairs, and whether
/// it could be read to its end.
pub fn read(text: &str) -> (Vec<(String, String)>, bool) {
    let mut reader = Reader::from_str(text);
    let (mut pairs, mut words, mut key) = (vec![], String::new(), String::new());
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) => words.clear(),
            Ok(Event::Text(text)) => words += &text,
            Ok(Event::CData(text)) => words += &text,
            Ok(Event::GeneralRef(of)) => push_reference(&of, &mut words),
            Ok(Event::End(tag)) => match tag.name().as_ref() {
                "name" => key = std::mem::take(&mut words),
                "value" => pairs.push((std::mem::take(&mut key), std::mem::take(&mut words))),
                _ => {}
            },
            Ok(Event::Eof) => return (pairs, true),
            Ok(_) => {}
            Err(_) => return (pairs, false),
        }
    }
}

/// A character by its name or number. Other entities stay as they are: none is ever looked up.
pub fn push_reference(of: &BytesRef<'_>, words: &mut String) {
    match (of.resolve_char_ref(), resolve_xml_entity(of)) {
        (Ok(Some(character)), _) => words.push(character),
        (_, Some(text)) => *words += text,
        _ => *words += &format!("&{};", &**of),
    }
}

/// The same as text.
pub fn written(pairs: &[(&str, &str)]) -> String {
    let one = |(key, value): &(&str, &str)| {
        let [key, value] = [key, value].map(|text| text.replace(['\n', '\r'], " "));
        format!(
            "<attribute><name>{}</name><value>{}</value></attribute>",
            escape(&key),
            escape(&value)
        )
    };
    format!("<metadata>{}</metadata>", pairs.iter().map(one).collect::<String>())
}
