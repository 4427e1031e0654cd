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
    assert_eq!(again, *settings);
    let json = serde_json::to_string(settings).expect("settings are texts");
    let again = serde_json::from_str::<Settings>(&json).expect("what was written is read");
    assert_eq!(again, *settings);
}
