//! How a count grows that is no sum of the formula's terms.

/// Exponents of a variable, and of its logarithm, that are tried.
const POWERS: [f64; 9] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0];
const LOGS: [i32; 3] = [0, 1, 2];
/// The largest ratio of counts to growth, relative, over the upper half of the values.
pub(super) const MAX_SPREAD: f64 = 0.12;

/// The point with the largest values.
fn top(values: &[Vec<f64>]) -> Option<&Vec<f64>> {
    let size = |values: &[f64]| values.iter().map(|value| value.max(1.0).ln()).sum::<f64>();
    values.iter().max_by(|a, b| size(a).total_cmp(&size(b)))
}

/// The points where only one variable differs from the largest ones, in the order of its values: their upper half.
fn upper(values: &[Vec<f64>], top: &[f64], variable: usize) -> Vec<usize> {
    let same = |point: &usize| {
        (0..top.len()).all(|other| other == variable || values[*point][other] == top[other])
    };
    let mut line: Vec<usize> = (0..values.len()).filter(same).collect();
    line.sort_by(|a, b| values[*a][variable].total_cmp(&values[*b][variable]));
    line.split_off(line.len() / 2)
}

/// How much a ratio differs among points, relative.
fn spread(ratios: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = ratios
        .fold((f64::INFINITY, 0.0f64), |(low, high), ratio| (low.min(ratio), high.max(ratio)));
    let spread = high / low - 1.0;
    if spread.is_nan() { f64::INFINITY } else { spread }
}

/// The largest difference of a ratio along any variable; infinite if it is not known along some.
pub(super) fn spread_along_all(values: &[Vec<f64>], ratio: impl Fn(usize) -> f64) -> f64 {
    let Some(top) = top(values) else { return f64::INFINITY };
    let each = (0..top.len()).map(|variable| {
        let line = upper(values, top, variable);
        let is_fixed = values.iter().all(|values| values[variable] == top[variable]);
        match line.len() < 2 {
            true if is_fixed => 0.0,
            true => f64::INFINITY,
            false => spread(line.into_iter().map(&ratio)),
        }
    });
    each.fold(0.0, f64::max)
}

/// The growth of counts as text: `N^2*log(N)`, `1`; `None` if it is none of those that are tried. Values are points
/// by variables.
pub(crate) fn growth(names: &[String], values: &[Vec<f64>], counts: &[f64]) -> Option<String> {
    let top = top(values)?;
    let mut factors: Vec<String> = Vec::new();
    for (variable, name) in names.iter().enumerate() {
        let line = upper(values, top, variable);
        if line.len() < 2 {
            continue;
        }
        let mut best: Option<(f64, f64, i32)> = None;
        for power in POWERS {
            for logs in LOGS {
                let ratio = |&point: &usize| {
                    let x = values[point][variable];
                    counts[point] / (x.powf(power) * x.log2().powi(logs))
                };
                let value = spread(line.iter().map(ratio));
                if best.is_none_or(|(before, ..)| value < before - 1e-9) {
                    best = Some((value, power, logs));
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
        let growth_of = |count: &dyn Fn(f64, f64) -> f64| {
            let counts: Vec<f64> = values.iter().map(|v| count(v[0], v[1])).collect();
            growth(&names, &values, &counts)
        };
        assert_eq!(growth_of(&|n, m| n * n * m).as_deref(), Some("N^2*M"));
        assert_eq!(growth_of(&|n, _| 3.0 * n * n.log2()).as_deref(), Some("N*log(N)"));
        assert_eq!(growth_of(&|_, _| 4.0).as_deref(), Some("1"));
        assert_eq!(growth_of(&|n, _| n.exp2()), None);
    }
}
