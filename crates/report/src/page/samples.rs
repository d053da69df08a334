//! Raw samples, and the part of the page that offers the data.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cll_fit::Data;
use serde::Serialize;

use super::html::Html;
use crate::notation::Notation;

/// The largest number of samples in a page, for all experiments together. If there are more, every n-th sample of each
/// point is kept.
pub(crate) const MAX_SAMPLES: usize = 500_000;

/// The samples of an experiment, as the viewer reads them.
#[derive(Serialize)]
pub(crate) struct Samples<'a> {
    /// Names of the values of a point.
    variables: &'a [String],
    /// The points.
    points: Vec<Samples1<'a>>,
    /// How a sample is written: little-endian floating point of 32 or 64 bits.
    encoding: &'static str,
    /// The samples, point after point, in order of recording; base64.
    data: String,
    /// How many there were.
    measured: usize,
}

/// One point: its values and how many samples are its own.
#[derive(Serialize)]
struct Samples1<'a> {
    values: &'a [f64],
    count: usize,
}

/// For each experiment its samples, thinned so that all together are no more than [`MAX_SAMPLES`].
pub(crate) fn samples(all: &[Option<Data>], most: usize) -> Vec<Option<Samples<'_>>> {
    let total: usize = all.iter().flatten().map(count).sum();
    // Every n-th sample of each point is kept.
    let every = total.div_ceil(most.max(1)).max(1);
    all.iter().map(|data| data.as_ref().map(|data| encode(data, every))).collect()
}

/// Number of samples.
pub(crate) fn count(data: &Data) -> usize {
    data.points.iter().map(|point| point.observations.len()).sum()
}

fn encode(data: &Data, every: usize) -> Samples<'_> {
    let kept = || data.points.iter().flat_map(|p| p.observations.iter().step_by(every));
    let single = kept().all(|&value| fits(value));
    let bytes: Vec<u8> = if single {
        kept().flat_map(|&value| (value as f32).to_le_bytes()).collect()
    } else {
        kept().flat_map(|value| value.to_le_bytes()).collect()
    };
    let points = data.points.iter().map(|point| Samples1 {
        values: &point.values,
        count: point.observations.len().div_ceil(every),
    });
    Samples {
        variables: &data.variables,
        points: points.collect(),
        encoding: if single { "f32" } else { "f64" },
        data: STANDARD.encode(bytes),
        measured: count(data),
    }
}

/// Whether 32 bits represent it to seven digits.
fn fits(value: f64) -> bool {
    let single = value as f32;
    !value.is_finite() || value == 0.0 || (single.is_normal() && single.is_finite())
}

/// The section of tables and downloads, which the viewer fills.
pub(crate) fn data(out: &mut Html, samples: &[Option<Data>]) {
    let notation = Notation::Unicode;
    out.open("section", &[("id", "data"), ("aria-labelledby", "data-title")]);
    out.element("h2", &[("id", "data-title")], "Data");
    let total: usize = samples.iter().flatten().map(count).sum();
    if total > MAX_SAMPLES {
        let text = format!(
            "{} were measured; every {}th of each point is kept in this page. All are in the \
             traces beside the model (cll export).",
            notation.count(total, "sample", "samples"),
            total.div_ceil(MAX_SAMPLES)
        );
        out.element("p", &[], &text);
    } else if total == 0 {
        out.element("p", &[], "The samples are not in this page: no trace was at hand.");
    }
    out.open("div", &[("data-island", "data")]);
    let text = "Tables of all samples, and downloads, are made by the viewer in this page, which \
                needs JavaScript. The model is also in model.json, and cll export writes the \
                samples of the traces beside it.";
    out.element("p", &[("class", "faint")], text);
    out.close();
    out.close();
}

#[cfg(test)]
mod tests {
    use super::*;
    use cll_fit::Point;

    fn data(points: &[&[f64]]) -> Option<Data> {
        let mut data = Data::new(vec!["N".into()]);
        let each = points.iter().enumerate();
        data.points = each.map(|(k, o)| Point::new(vec![k as f64], o.to_vec())).collect();
        Some(data)
    }

    #[test]
    fn small_samples_take_four_bytes_and_odd_ones_eight() {
        let all = [data(&[&[1.0, 2.0], &[0.0]]), None, data(&[&[1e300]])];
        let encoded = samples(&all, 100);
        let first = encoded[0].as_ref().unwrap();
        let bytes: Vec<u8> = [1f32, 2.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!((first.encoding, &first.data), ("f32", &STANDARD.encode(bytes)));
        assert!(encoded[1].is_none());
        let last = encoded[2].as_ref().unwrap();
        assert_eq!((last.encoding, &last.data), ("f64", &STANDARD.encode(1e300f64.to_le_bytes())));
        assert!(!fits(1e-40) && !fits(1e39) && fits(f64::NAN) && fits(-3.5));
    }

    #[test]
    fn too_many_samples_are_thinned_evenly() {
        let long: Vec<f64> = (0..95).map(f64::from).collect();
        let all = [data(&[&long, &[7.0]])];
        let encoded = samples(&all, 10);
        let samples = encoded[0].as_ref().unwrap();
        let counts: Vec<usize> = samples.points.iter().map(|point| point.count).collect();
        assert_eq!((counts, samples.measured), (vec![10, 1], 96));
        let bytes = STANDARD.decode(&samples.data).unwrap();
        let kept: Vec<f32> =
            bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
        assert_eq!(kept, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 7.0]);
    }
}
