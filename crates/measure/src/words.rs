//! Values and times as text.

use cll_sampling::{Variation, argument};

/// Values of variables, as in `N=1024 K=3`.
pub fn in_words(variations: &[Variation], values: &[f64]) -> String {
    let pairs = variations.iter().zip(values);
    let words: Vec<String> = pairs
        .map(|(variation, value)| format!("{}={}", variation.name, argument(*value)))
        .collect();
    words.join(" ")
}

/// Seconds, as in `1.5s` or `20m`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{}ms", (1e4 * s).round() / 10.0),
        s if s < 10.0 => format!("{s:.1}s"),
        s if s < 600.0 => format!("{s:.0}s"),
        s => format!("{:.0}m", s / 60.0),
    }
}
