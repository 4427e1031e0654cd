use super::{SettingError, Settings, nearest};
use crate::trace::Only;

/// The settings that can be applied while a trace is read.
const KEYS: [&str; 4] = ["objects", "counters", "from", "to"];

/// What is to be read of a trace, from the texts of the settings `objects`, `counters`, `from` and
/// `to`: so chosen, it takes no memory for the rest.
///
/// `from` and `to` bound all moments here, where of a whole trace they bound the start of
/// instances: an instance that ends after `to` is not read.
///
/// An error if another setting is named, a value cannot be read, or `to` is before `from`.
pub fn only<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Only, SettingError> {
    let mut settings = Settings::default();
    for (key, value) in texts {
        if !KEYS.contains(&key) {
            let nearest = nearest(key, KEYS.into_iter());
            return Err(SettingError::UnknownKey { key: key.to_owned(), nearest });
        }
        settings.set(key, value)?;
    }
    let Settings { objects, counters, from, to, .. } = settings;
    let only = Only { objects, counters, ..Only::default() };
    let only =
        Only { from_ns: from.unwrap_or(only.from_ns), to_ns: to.unwrap_or(only.to_ns), ..only };
    if only.to_ns < only.from_ns {
        let (key, value) = ("to".to_owned(), only.to_ns.to_string());
        return Err(SettingError::Value { key, value, expected: "a time that is not before from" });
    }
    Ok(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_settings_say_what_is_read_and_no_other() {
        assert_eq!(only([]), Ok(Only::default()));
        assert_eq!(
            only(KEYS.map(|key| (key, if key == "objects" { "*.*.*" } else { "" }))),
            only([])
        );
        let read = only([("from", "5"), ("counters", "A, B"), ("objects", "1.*.*"), ("to", "5")]);
        let counters = Some(vec!["A".to_owned(), "B".to_owned()]);
        let objects = "1.*.*".parse().unwrap();
        assert_eq!(read, Ok(Only { objects, counters, from_ns: 5, to_ns: 5, share: None }));
        let refused = |texts: &[(&'static str, &'static str)]| {
            only(texts.iter().copied()).unwrap_err().to_string()
        };
        for (texts, message) in [
            (
                &[("region", "x")][..],
                "unknown setting \"region\"; the nearest are from, to, objects",
            ),
            (
                &[("from", "-1")],
                "setting from: found \"-1\", expected nanoseconds from the start of the trace",
            ),
            (
                &[("to", "18446744073709551616")],
                "setting to: found \"18446744073709551616\", expected nanoseconds from the start of \
                 the trace",
            ),
            (
                &[("from", "6"), ("to", "5")],
                "setting to: found \"5\", expected a time that is not before from",
            ),
        ] {
            assert_eq!(refused(texts), message);
        }
    }
}
