//! Numbers that follow from the structure: passages of loops, bytes. Their formulas are found exactly.

/// A number as a formula of variables, or as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Count {
    /// Constant, and products of powers with their factors.
    terms: Vec<(f64, Product)>,
    variables: Vec<String>,
    /// Whether it fits all runs; else it is nearly right.
    pub(super) is_exact: bool,
    /// The largest error, as a share.
    pub(super) error: f64,
}

/// Powers of the variables, and the power of the logarithm of the last one.
#[derive(Clone, Debug, PartialEq)]
struct Product {
    powers: Vec<f64>,
    logarithms: i32,
}

/// Powers that are tried of sizes, and of numbers of processors.
const POWERS: [f64; 5] = [0.0, 1.0, 2.0, 0.5, 3.0];
const OF_PROCESSORS: [f64; 6] = [0.0, 1.0, -1.0, -0.5, 2.0, -2.0];
/// The share by which a number may differ from an exact formula.
const EXACT: f64 = 1e-9;
/// Rounded divisions differ by up to one unit; formulas that differ by more are not used.
const NEAR: f64 = 0.02;

impl Product {
    fn value(&self, values: &[f64]) -> f64 {
        let powers = self.powers.iter().zip(values).map(|(&power, &x)| match power {
            0.0 => 1.0,
            power => x.powf(power),
        });
        let last = values.last().copied().unwrap_or(1.0);
        powers.product::<f64>() * last.log2().powi(self.logarithms)
    }

    fn is_constant(&self) -> bool {
        self.logarithms == 0 && self.powers.iter().all(|power| *power == 0.0)
    }

    fn size(&self) -> f64 {
        self.powers
            .iter()
            .map(|power| power.abs() + f64::from(u8::from(power.fract() != 0.0)))
            .sum::<f64>()
            + 2.0 * f64::from(self.logarithms)
    }
}

impl Count {
    /// The simplest formula of points: values of the variables, and the number. The last variable is the number of
    /// processors.
    ///
    /// `None` if no formula is near all of them.
    pub(super) fn new(variables: &[String], points: &[(Vec<f64>, f64)]) -> Option<Count> {
        let (first, rest) = points.split_first()?;
        let constant = Product { powers: vec![0.0; variables.len()], logarithms: 0 };
        if rest.iter().all(|point| point.1 == first.1) {
            let terms = vec![(first.1, constant)];
            return Some(Count {
                terms,
                variables: variables.to_vec(),
                is_exact: true,
                error: 0.0,
            });
        }
        let all = products(variables, points);
        let mut near: Option<Count> = None;
        let singles = all.iter().map(|product| vec![product.clone()]);
        let shifted = all.iter().map(|product| vec![product.clone(), constant.clone()]);
        let pairs = all.iter().enumerate().flat_map(|(index, product)| {
            all[index + 1..].iter().map(|other| vec![product.clone(), other.clone()])
        });
        let triples = all.iter().enumerate().flat_map(|(index, product)| {
            let constant = &constant;
            all[index + 1..]
                .iter()
                .map(move |other| vec![product.clone(), other.clone(), constant.clone()])
        });
        for products in singles.chain(shifted).chain(pairs).chain(triples) {
            // With as many terms as points anything fits.
            if products.len() >= points.len() && products.len() > 1 {
                continue;
            }
            let Some(count) = solved(variables, products, points) else { continue };
            if count.error <= EXACT {
                return Some(Count { is_exact: true, ..count });
            }
            if count.error < near.as_ref().map_or(NEAR, |near| 0.5 * near.error) {
                near = Some(count);
            }
        }
        near
    }

    /// Returns the value of the count.
    pub(super) fn value_at(&self, values: &[f64]) -> f64 {
        self.terms.iter().map(|(factor, product)| factor * product.value(values)).sum()
    }

    /// `8*n^2/P`.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for (factor, product) in &self.terms {
            if *factor == 0.0 && self.terms.len() > 1 {
                continue;
            }
            let sign = match (out.is_empty(), *factor < 0.0) {
                (true, false) => "",
                (true, true) => "-",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out += sign;
            out += &term(factor.abs(), product, &self.variables);
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }
}

fn term(factor: f64, product: &Product, variables: &[String]) -> String {
    let number = |value: f64| {
        let text = format!("{value:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        text.to_owned()
    };
    let (mut over, mut under) = (Vec::new(), Vec::new());
    for (name, &power) in variables.iter().zip(&product.powers) {
        let text = match power.abs() {
            0.0 => continue,
            1.0 => name.clone(),
            0.5 => format!("sqrt({name})"),
            power => format!("{name}^{power}"),
        };
        if power > 0.0 { over.push(text) } else { under.push(text) }
    }
    if product.logarithms > 0 {
        over.push(format!("log2({})", variables.last().map_or("P", String::as_str)));
    }
    if over.is_empty() || (factor - 1.0).abs() > 1e-12 {
        over.insert(0, number(factor));
    }
    under.into_iter().fold(over.join("*"), |text, divisor| format!("{text}/{divisor}"))
}

/// The products that are tried, the simplest first.
fn products(variables: &[String], points: &[(Vec<f64>, f64)]) -> Vec<Product> {
    let last = variables.len().saturating_sub(1);
    let differs = |index: usize| points.iter().any(|point| point.0[index] != points[0].0[index]);
    let mut all = vec![Product { powers: Vec::new(), logarithms: 0 }];
    for index in 0..variables.len() {
        let powers: &[f64] = match (differs(index), index == last) {
            (false, _) => &[0.0],
            (true, true) => &OF_PROCESSORS,
            (true, false) => &POWERS,
        };
        all = all
            .into_iter()
            .flat_map(|prefix| {
                powers.iter().map(move |power| {
                    let mut product = prefix.clone();
                    product.powers.push(*power);
                    product
                })
            })
            .collect();
    }
    if differs(last) {
        let with: Vec<Product> =
            all.iter().map(|product| Product { logarithms: 1, ..product.clone() }).collect();
        all.extend(with);
    }
    all.retain(|product| !product.is_constant());
    all.sort_by(|product, other| product.size().total_cmp(&other.size()));
    all
}

/// The factors by least squares of relative errors.
fn solved(
    variables: &[String],
    products: Vec<Product>,
    points: &[(Vec<f64>, f64)],
) -> Option<Count> {
    let count = products.len();
    let scale = points.iter().map(|point| point.1.abs()).fold(0.0, f64::max);
    let weight = |value: f64| 1.0 / value.abs().max(1e-3 * scale).max(1e-12);
    let mut rows = vec![vec![0.0; count + 1]; count];
    // Columns of very different sizes are brought to one size.
    let sizes: Vec<f64> = products
        .iter()
        .map(|product| points.iter().map(|point| product.value(&point.0).abs()).fold(0.0, f64::max))
        .collect();
    if sizes.iter().any(|size| !size.is_finite() || *size == 0.0) {
        return None;
    }
    for (values, value) in points {
        let w = weight(*value);
        let row: Vec<f64> = products
            .iter()
            .zip(&sizes)
            .map(|(product, size)| w * product.value(values) / size)
            .collect();
        for (i, left) in row.iter().enumerate() {
            for (j, right) in row.iter().enumerate() {
                rows[i][j] += left * right;
            }
            rows[i][count] += left * w * value;
        }
    }
    let factors = eliminated(rows)?;
    let terms: Vec<(f64, Product)> = factors
        .into_iter()
        .zip(sizes)
        .zip(products)
        .map(|((factor, size), product)| (rounded(factor / size), product))
        .collect();
    let mut count = Count { terms, variables: variables.to_vec(), is_exact: false, error: 0.0 };
    let error =
        |(values, value): &(Vec<f64>, f64)| (count.value_at(values) - value).abs() * weight(*value);
    count.error = points.iter().map(error).fold(0.0, f64::max);
    Some(count)
}

/// A factor that is nearly a fraction of small numbers is that.
fn rounded(factor: f64) -> f64 {
    for under in 1..=16 {
        let over = factor * f64::from(under);
        if (over - over.round()).abs() < 1e-7 * over.abs().max(1e-2) {
            return over.round() / f64::from(under);
        }
    }
    factor
}

/// Gauss with pivots.
fn eliminated(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|&candidate, &other| {
            rows[candidate][column].abs().total_cmp(&rows[other][column].abs())
        })?;
        rows.swap(column, pivot);
        if rows[column][column].abs() < 1e-13 {
            return None;
        }
        let own = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let factor = row[column] / own[column];
            row.iter_mut()
                .zip(&own)
                .skip(column)
                .for_each(|(value, pivot_value)| *value -= factor * pivot_value);
        }
    }
    Some((0..count).map(|index| rows[index][count] / rows[index][index]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_of(variables: &[&str], points: &[(&[f64], f64)]) -> Option<Count> {
        let names: Vec<String> = variables.iter().map(|&name| name.to_owned()).collect();
        let points: Vec<(Vec<f64>, f64)> =
            points.iter().map(|(point, value)| (point.to_vec(), *value)).collect();
        Count::new(&names, &points)
    }

    #[test]
    fn formulas_are_exact() {
        let sizes = [100.0, 150.0, 200.0, 300.0];
        for (text, function) in [
            ("8*n^2", (|n: f64| 8.0 * n * n) as fn(f64) -> f64),
            ("n - 1", |n| n - 1.0),
            ("8*n", |n| 8.0 * n),
            ("24", |_| 24.0),
            ("0.5*n^2", |n| n * n / 2.0),
        ] {
            let points: Vec<(Vec<f64>, f64)> =
                sizes.iter().map(|&n| (vec![n, 2.0], function(n))).collect();
            let count = Count::new(&["n".to_owned(), "P".to_owned()], &points).expect("a formula");
            assert!(count.is_exact, "{text}");
            assert_eq!(count.text(), text);
            assert_eq!(count.value_at(&[1000.0, 2.0]), function(1000.0));
        }
    }

    #[test]
    fn formulas_of_two_variables() {
        let mut points = Vec::new();
        for n in [120.0, 240.0, 360.0] {
            for p in [2.0, 3.0, 4.0] {
                points.push((vec![n, p], 8.0 * n * n / p));
            }
        }
        let count = Count::new(&["n".to_owned(), "P".to_owned()], &points).expect("a formula");
        assert_eq!((count.text().as_str(), count.is_exact), ("8*n^2/P", true));
        let points: Vec<_> =
            points.into_iter().map(|(values, _)| (values.clone(), values[1] - 1.0)).collect();
        let count = Count::new(&["n".to_owned(), "P".to_owned()], &points).expect("a formula");
        assert_eq!(count.text(), "P - 1");
    }

    #[test]
    fn rounded_divisions_are_near_and_noise_is_not() {
        let near = [100.0f64, 155.0, 201.0, 305.0].map(|n| (vec![n, 2.0], (n / 3.0).floor()));
        let count = Count::new(&["n".to_owned(), "P".to_owned()], &near).expect("near");
        assert!(!count.is_exact && count.error < 0.02, "{count:?}");
        assert!(
            count_of(
                &["n", "P"],
                &[(&[1.0, 2.0], 5.0), (&[2.0, 2.0], 3.0), (&[3.0, 2.0], 9.0), (&[4.0, 2.0], 1.0)]
            )
            .is_none()
        );
    }
}
