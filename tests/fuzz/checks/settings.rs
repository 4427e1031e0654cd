//! Settings: what is accepted prints as a text that means the same, alone and as JSON.

use tracefold::settings::Settings;

/// Lines of `KEY=VALUE`, or JSON.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(settings) = serde_json::from_str::<Settings>(text) {
        assert_reads_back(&settings);
    }
    let mut settings = Settings::default();
    for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
        let before = settings.clone();
        match settings.set(key, value) {
            Ok(()) => assert_reads_back(&settings),
            Err(error) => assert_eq!(settings, before, "{error}"),
        }
    }
}

fn assert_reads_back(settings: &Settings) {
    let mut again = Settings::default();
    for (key, value) in settings.texts() {
        let set = again.set(key, &value);
        assert!(set.is_ok(), "{key}={value}: {set:?}");
    }
    assert_same(&again, settings);
    let json = serde_json::to_string(settings).expect("settings are texts");
    assert_same(&serde_json::from_str(&json).expect("what was written is read"), settings);
}

/// Fails unless both say the same, but for the last bits of numbers of many digits.
fn assert_same(a: &Settings, b: &Settings) {
    for ((key, a), (_, b)) in a.texts().into_iter().zip(b.texts()) {
        let near = |(a, b): (&str, &str)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(x), Ok(y)) => (x - y).abs() <= 4.0 * f64::EPSILON * y.abs() + f64::MIN_POSITIVE,
            _ => a == b,
        };
        let choice = key != "region" && key != "counters";
        assert!(a == b || (choice && a.split(':').zip(b.split(':')).all(near)), "{key}: {a} {b}");
    }
}
