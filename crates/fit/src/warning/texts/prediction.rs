//! Sentences of warnings about predictions.

use crate::Unit;
use crate::warning::kind::Warning;
use crate::warning::text::{list, nearest as places, number, quantity};

/// The sentence of a warning about predictions; `None` for any other.
pub(crate) fn prediction(warning: &Warning, unit: &Unit) -> Option<String> {
    let amount = |value: f64| quantity(value, unit);
    Some(match warning {
        Warning::Beyond { variable, value, nearest } => format!(
            "{variable} = {} is beyond the data (nearest measured value: {}): such \
             predictions fail across a cache size or another limit; measure closer",
            number(*value),
            number(*nearest)
        ),
        Warning::ShapeBeyond { formula, value, ratio } => format!(
            "the formula's shape may be wrong, and this is beyond the data: '{formula}', which \
             explains the data better, gives {} there, {} times as much",
            amount(*value),
            number(*ratio)
        ),
        Warning::NextLevel { measured, level, ratio } => format!(
            "the data were in {measured}, and here they are in {level}, where an access takes \
             up to {} times as long: the upper end of the interval allows for that; measure \
             sizes that outgrow {measured}",
            number(*ratio)
        ),
        Warning::Apart { variables, values, nearest } => format!(
            "{} not measured together: {}; the prediction depends on how the formula \
             combines {}, so its range covers both their sum and their product; measure \
             closer",
            was(variables, values),
            places(variables, nearest),
            list(variables)
        ),
        Warning::Between { axis, last_left, first_right } => format!(
            "{axis} lies in the gap between two intervals ({} to {}), where either side's \
             constants may hold",
            number(*last_left),
            number(*first_right)
        ),
        _ => return None,
    })
}

/// `N = 4096 with P = 32 was`
fn was(variables: &[String], values: &[f64]) -> String {
    let pairs: Vec<String> =
        variables.iter().zip(values).map(|(n, v)| format!("{n} = {}", number(*v))).collect();
    match pairs.as_slice() {
        [first, rest @ ..] if !rest.is_empty() => format!("{first} with {} was", list(rest)),
        _ => format!("{} was", list(&pairs)),
    }
}
