//! Reads the sizes of the caches, as the system gives them.

use std::collections::BTreeMap;
use std::fs;

/// `L1 48 KiB, L2 1 MiB, L3 32 MiB`, data caches of the first processor.
pub fn as_the_system_says() -> String {
    let mut levels = BTreeMap::new();
    for index in 0.. {
        let read = |file: &str| {
            fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{file}"))
                .map(|text| text.trim().to_owned())
        };
        let (Ok(level), Ok(kind), Ok(size)) = (read("level"), read("type"), read("size")) else {
            break;
        };
        if let Some(kib) = size.strip_suffix('K').and_then(|k| k.parse::<f64>().ok())
            && kind != "Instruction"
        {
            levels.insert(level, bytes(1024.0 * kib));
        }
    }
    if levels.is_empty() {
        return "nothing".to_owned();
    }
    levels.iter().map(|(level, size)| format!("L{level} {size}")).collect::<Vec<_>>().join(", ")
}

/// A number of bytes in binary units, three digits.
pub fn bytes(n: f64) -> String {
    let (value, unit) = match n {
        n if n < 1024.0 => (n, "B"),
        n if n < 1024.0 * 1024.0 => (n / 1024.0, "KiB"),
        n => (n / (1024.0 * 1024.0), "MiB"),
    };
    let digits = if value < 10.0 { 1 } else { 0 };
    format!("{value:.digits$} {unit}")
}
