//! How a count grows that is no sum of the formula's terms.

/// Exponents of a variable, and of its logarithm, that are tried.
const POWERS: [f64; 9] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0];
const LOGS: [i32; 3] = [0, 1, 2];
/// The largest ratio of counts to growth, relative, over the upper half of the values.
const MAX_SPREAD: f64 = 0.12;

/// The growth of counts as text: `N^2*log(N)`, `1`; `None` if it is none of those that are tried. Values are points
/// by variables.
pub(crate) fn growth(names: &[String], values: &[Vec<f64>], counts: &[f64]) -> Option<String> {
    let last = values.iter().enumerate().max_by(|(_, a), (_, b)| {
        let size = |values: &[f64]| values.iter().map(|value| value.ln()).sum::<f64>();
        size(a).total_cmp(&size(b))
    });
    let (_, top) = last?;
    let mut factors: Vec<String> = Vec::new();
    for (variable, name) in names.iter().enumerate() {
        // The points where only this variable has another value.
        let mut line: Vec<(f64, f64)> = values
            .iter()
            .zip(counts)
            .filter(|(values, count)| {
                let same = |other: usize| other == variable || values[other] == top[other];
                **count > 0.0 && (0..names.len()).all(same)
            })
            .map(|(values, count)| (values[variable], *count))
            .collect();
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        let upper = &line[line.len() / 2..];
        if upper.len() < 2 {
            continue;
        }
        let mut best: Option<(f64, f64, i32)> = None;
        for power in POWERS {
            for logs in LOGS {
                let ratios = upper.iter().map(|(x, count)| count / (x.powf(power) * x.log2().powi(logs)));
                let (low, high) = ratios.fold((f64::INFINITY, 0.0f64), |(low, high), ratio| {
                    (low.min(ratio), high.max(ratio))
                });
                let spread = high / low - 1.0;
                if best.is_none_or(|(before, ..)| spread < before - 1e-9) {
                    best = Some((spread, power, logs));
                }
            }
        }
        let (spread, power, logs) = best?;
        if spread > MAX_SPREAD {
            return None;
        }
        match power {
            0.0 => {}
            1.0 => factors.push(name.clone()),
            power => factors.push(format!("{name}^{power}")),
        }
        match logs {
            0 => {}
            1 => factors.push(format!("log({name})")),
            logs => factors.push(format!("log({name})^{logs}")),
        }
    }
    Some(if factors.is_empty() { "1".to_owned() } else { factors.join("*") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growths_are_named() {
        let names = ["N".to_owned(), "M".to_owned()];
        let values: Vec<Vec<f64>> = (3..8)
            .flat_map(|n| (3..8).map(move |m| vec![f64::from(1 << n), f64::from(1 << m)]))
            .collect();
        let of = |count: &dyn Fn(f64, f64) -> f64| {
            let counts: Vec<f64> = values.iter().map(|v| count(v[0], v[1])).collect();
            growth(&names, &values, &counts)
        };
        assert_eq!(of(&|n, m| n * n * m).as_deref(), Some("N^2*M"));
        assert_eq!(of(&|n, _| 3.0 * n * n.log2()).as_deref(), Some("N*log(N)"));
        assert_eq!(of(&|_, _| 4.0).as_deref(), Some("1"));
        assert_eq!(of(&|n, _| n.exp2()), None);
    }
}
