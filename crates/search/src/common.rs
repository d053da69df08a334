//! Sums of two and three terms of common factors: of such sums of all terms there are too many.

use crate::block::{Block, Column, dot};
use crate::factor::Factor;
use crate::solution::prior;
use crate::term::{Model, Term, factor};
use crate::weigh::{WeighedModels, weigh_priced};
use crate::weighted::{Columns, Weighted};

/// Above so many terms not all sums of three are tried.
const MAX_TERMS: usize = 128;
/// Columns of length 1 whose rest beside the others is shorter depend on them.
const MIN_REST: f64 = 1e-6;

/// Weighs every sum of two and three terms, each a common factor or a product of two, with and without the constant `c`.
pub(crate) fn common_sums(
    candidates: &mut WeighedModels,
    problem: &Weighted,
    columns: &Columns,
    c: Column,
    variables: [usize; 2],
) {
    let terms = Terms::new(problem, columns, variables);
    let count = terms.terms.len();
    let all = &terms.block.columns;
    let inner: Vec<Vec<f64>> =
        (0..count).map(|a| (0..a).map(|b| terms.inner(a, b)).collect()).collect();
    let with_one: Vec<f64> = terms
        .block
        .values
        .iter()
        .zip(all)
        .map(|(values, column)| dot(values, &problem.weight) * column.scale * c.scale)
        .collect();
    for x in 1..count {
        for y in 0..x {
            let limits = [3, 4].map(|count| candidates.largest_rss(&problem.noise, count));
            let limit = limits[0].max(limits[1]);
            let columns_of_pair = [c, all[x], all[y]];
            let products = [with_one[x], with_one[y], inner[x][y]];
            let Some(pair) = Reduced::new(problem, columns_of_pair, products) else { continue };
            let xy = inner[x][y];
            let model = |constant: bool| {
                Model::new(constant, [x, y].map(|k| terms.terms[k].clone()).to_vec())
            };
            let price = |constant| prior(&model(constant), columns);
            let gram = [[1.0, 0.0], [xy, 1.0]];
            let own = [all[x], all[y]];
            weigh_priced(candidates, problem, || price(false), gram, own, || model(false));
            let gram = [[1.0, 0.0, 0.0], [with_one[x], 1.0, 0.0], [with_one[y], xy, 1.0]];
            let own = [c, all[x], all[y]];
            weigh_priced(candidates, problem, || price(true), gram, own, || model(true));
            for z in (0..y).filter(|_| count <= MAX_TERMS) {
                let (xz, yz) = (inner[x][z], inner[y][z]);
                if pair.rss_beside(all[z], [with_one[z], xz, yz]) > limit {
                    continue;
                }
                let model = |constant: bool| {
                    let terms = [x, y, z].map(|k| terms.terms[k].clone());
                    Model::new(constant, terms.to_vec())
                };
                let price = |constant| prior(&model(constant), columns);
                let gram = [[1.0, 0.0, 0.0], [xy, 1.0, 0.0], [xz, yz, 1.0]];
                let own = [all[x], all[y], all[z]];
                weigh_priced(candidates, problem, || price(false), gram, own, || model(false));
                let gram = [
                    [1.0, 0.0, 0.0, 0.0],
                    [with_one[x], 1.0, 0.0, 0.0],
                    [with_one[y], xy, 1.0, 0.0],
                    [with_one[z], xz, yz, 1.0],
                ];
                let own = [c, all[x], all[y], all[z]];
                weigh_priced(candidates, problem, || price(true), gram, own, || model(true));
            }
        }
    }
}

/// The constant and two columns of length 1, by the rows of their triangular factor, and what they leave.
struct Reduced {
    x: [f64; 2],
    y: [f64; 3],
    with_b: [f64; 3],
    rss: f64,
}

impl Reduced {
    /// `inner`: the inner products of both columns with the constant, and with each other. `None` if they depend on each
    /// other.
    fn new(problem: &Weighted, [c, x, y]: [Column; 3], inner: [f64; 3]) -> Option<Reduced> {
        let [x0, y0, xy] = inner;
        let x1 = (1.0 - x0 * x0).sqrt();
        let y1 = (xy - x0 * y0) / x1;
        let y2 = (1.0 - y0 * y0 - y1 * y1).sqrt();
        if !(x1 > MIN_REST && y2 > MIN_REST) {
            return None;
        }
        let b0 = c.with_b;
        let b1 = (x.with_b - x0 * b0) / x1;
        let b2 = (y.with_b - y0 * b0 - y1 * b1) / y2;
        let rss = problem.square - b0 * b0 - b1 * b1 - b2 * b2;
        Some(Reduced { x: [x0, x1], y: [y0, y1, y2], with_b: [b0, b1, b2], rss })
    }

    /// The residual sum of squares beside one more column, with its inner products; smaller than it is, never larger, if it
    /// depends on the others.
    #[inline]
    fn rss_beside(&self, z: Column, [z0, xz, yz]: [f64; 3]) -> f64 {
        let z1 = (xz - self.x[0] * z0) / self.x[1];
        let z2 = (yz - self.y[0] * z0 - self.y[1] * z1) / self.y[2];
        let [b0, b1, b2] = self.with_b;
        let left = (1.0 - z0 * z0 - z1 * z1 - z2 * z2).max(f64::MIN_POSITIVE);
        self.rss - (z.with_b - z0 * b0 - z1 * b1 - z2 * b2).powi(2) / left
    }
}

/// Common factors, and the square root: what each of p² processors in a square sends.
fn is_tried(factor: Factor) -> bool {
    factor.common(0.0) == 1.0 || matches!(factor, Factor::Growth(_)) && factor.order() == (0.5, 0)
}

/// Common terms with their columns.
struct Terms {
    terms: Vec<Term>,
    block: Block,
}

impl Terms {
    fn new(problem: &Weighted, columns: &Columns, [x, y]: [usize; 2]) -> Terms {
        let common = |v: usize| {
            let factors = columns.factors[v].iter().enumerate();
            factors.filter(|(_, f)| is_tried(**f)).map(|(k, _)| k).collect::<Vec<_>>()
        };
        let (f, g) = (common(x), common(y));
        let single = f.iter().map(|&k| vec![factor(x, k)]);
        let single = single.chain(g.iter().map(|&k| vec![factor(y, k)]));
        let pairs =
            f.iter().flat_map(|&a| g.iter().map(move |&b| vec![factor(x, a), factor(y, b)]));
        let terms: Vec<Term> = single.chain(pairs).collect();
        let values = terms.iter().map(|term| {
            let far = crate::solution::far_value(columns, term);
            (crate::solution::term_values(columns, term, problem.b.len()), far)
        });
        let values: Vec<(Vec<f64>, f64)> = values.collect();
        let block = Block::new(problem, values.iter().map(|(v, far)| (v.as_slice(), *far)));
        Terms { terms, block }
    }

    /// The inner product of two columns of length 1.
    fn inner(&self, a: usize, b: usize) -> f64 {
        let (values, columns) = (&self.block.values, &self.block.columns);
        dot(&values[a], &values[b]) * columns[a].scale * columns[b].scale
    }
}
