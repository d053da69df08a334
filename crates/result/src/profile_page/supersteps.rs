//! Supersteps in columns.

use cll_profile::{Metric, Supersteps};
use serde::Serialize;

use super::columns::Columns;

/// The part of the head that describes the supersteps.
#[derive(Serialize)]
pub(super) struct Head {
    columns: usize,
    per_column: u64,
    group: usize,
    side: usize,
}

/// Writes the supersteps without their processors.
pub(super) fn write(supersteps: &Supersteps, columns: &mut Columns) -> Head {
    let all = || supersteps.columns.iter();
    columns.u32("s.count", all().map(|column| column.supersteps as usize));
    columns.index("s.node", all().map(|column| column.node));
    for metric in Metric::ALL {
        let index = metric.index();
        let values_of = |value: fn(&cll_profile::Summary) -> f64| {
            all().map(move |column| value(&column.metrics[index]) as f32)
        };
        columns.f32(format!("s.max{index}"), values_of(|summary| summary.maximum));
        columns.f32(format!("s.avg{index}"), values_of(|summary| summary.average));
        columns.f32(format!("s.min{index}"), values_of(|summary| summary.minimum));
    }
    columns.f64("traffic", supersteps.traffic.bytes.iter().copied());
    Head {
        columns: supersteps.columns.len(),
        per_column: supersteps.per_column,
        group: supersteps.traffic.group,
        side: supersteps.traffic.side,
    }
}

/// A metric of each processor in each column, column after column. Values are rounded to 13 binary digits (0.01 %), so
/// that they take less room when they are compressed.
pub fn superstep_values(supersteps: &Supersteps, metric: Metric) -> Vec<u8> {
    let mut columns = Columns::default();
    columns.f32("values", supersteps.values[metric.index()].iter().map(|&value| rounded(value)));
    columns.finish(&serde_json::json!({"metric": metric.name()}))
}

fn rounded(value: f32) -> f32 {
    const DROPPED: u32 = 11;
    if !value.is_finite() {
        return value;
    }
    let bits = value.to_bits().saturating_add(1 << (DROPPED - 1));
    f32::from_bits(bits >> DROPPED << DROPPED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_values_and_what_is_no_number() {
        for value in [1.0f32, -3.25, 1e-9, 123_456.79, 0.0] {
            assert!((rounded(value) - value).abs() <= 1.3e-4 * value.abs(), "{value}");
        }
        assert!(rounded(f32::NAN).is_nan());
    }
}
