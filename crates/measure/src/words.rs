//! Values as text.

use cll_sampling::{Variation, argument};

/// Values of variables, as in `N=1024 K=3`.
pub fn in_words(variations: &[Variation], values: &[f64]) -> String {
    let pairs = variations.iter().zip(values);
    let words: Vec<String> = pairs
        .map(|(variation, value)| format!("{}={}", variation.name, argument(*value)))
        .collect();
    words.join(" ")
}
