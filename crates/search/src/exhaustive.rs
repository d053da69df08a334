//! Every model of one or two variables with few terms, weighed.
//!
//! For variables x and y with factors f and g the models are, each with and without a constant: f, g, f + g, f g,
//! f + f g, g + f g, f + g + f g, f + f' of one variable, and f g + g', f' + f g, f g + f g' and f g + f' g: work
//! that is divided among processors, beside communication that grows with their number. All inner products are made
//! first, from the factors alone; each model is then a system of at most four equations.

use std::f64::consts::LN_2;

use crate::block::{Block, Column, Pair, dot};
use crate::common::common_sums;
use crate::evidence::Far;
use crate::solution::{DISTRIBUTED, NESTED, NO_CONSTANT, UNUSED};
use crate::term::{Model, factor};
use crate::weigh::{WeighedModels, weigh};
use crate::weighted::{Columns, Weighted};

/// All models of the variable `x` and, if there is one, `y`, best first.
pub(crate) fn exhaustive(
    problem: &Weighted,
    columns: &Columns,
    x: usize,
    y: Option<usize>,
) -> Vec<(f64, Model)> {
    let mut candidates = WeighedModels::new();
    let ones = vec![1.0; problem.b.len()];
    let constant = Block::new(problem, std::iter::once((ones.as_slice(), 1.0)));
    let variables: Vec<FactoredVariable> = std::iter::once(x)
        .chain(y)
        .map(|index| {
            let far = columns.far[index].iter().copied();
            let block =
                Block::new(problem, columns.values[index].iter().map(Vec::as_slice).zip(far));
            let with_one = (0..block.columns.len()).map(|k| {
                dot(&constant.values[0], &block.values[k])
                    * constant.columns[0].scale
                    * block.columns[k].scale
            });
            let prices = (0..block.columns.len()).map(|k| columns.price(index, k)).collect();
            FactoredVariable { index, with_one: with_one.collect(), prices, block }
        })
        .collect();

    let mut c = constant.columns[0];
    c.far.beyond *= columns.far_constant();
    let count = variables.len() as f64;
    let prior = -UNUSED * count;
    weigh(&mut candidates, problem, prior, [[1.0]], [c], || Model::new(true, Vec::new()));
    for variable in &variables {
        single(&mut candidates, problem, c, variable, -UNUSED * (count - 1.0));
    }
    if let [x, y] = variables.as_slice() {
        pairs(&mut candidates, problem, c, x, y);
        distributed(&mut candidates, problem, columns, c, [x, y]);
        distributed(&mut candidates, problem, columns, c, [y, x]);
        common_sums(&mut candidates, problem, columns, c, [x.index, y.index]);
    }
    candidates.finish()
}

/// A variable with its factors.
struct FactoredVariable {
    index: usize,
    block: Block,
    /// Inner product of each factor with the constant, both of length 1.
    with_one: Vec<f64>,
    /// -ln of the probability of each factor.
    prices: Vec<f64>,
}

impl FactoredVariable {
    fn factor(&self, k: usize) -> (u16, u16) {
        factor(self.index, k)
    }
}

/// Models of one and two terms of one variable.
fn single(
    candidates: &mut WeighedModels,
    problem: &Weighted,
    c: Column,
    x: &FactoredVariable,
    unused: f64,
) {
    let term = |k| vec![x.factor(k)];
    for (a, &f) in x.block.columns.iter().enumerate() {
        let prior = unused - x.prices[a];
        weigh(candidates, problem, prior - NO_CONSTANT, [[1.0]], [f], || {
            Model::new(false, vec![term(a)])
        });
        let gram = [[1.0, 0.0], [x.with_one[a], 1.0]];
        weigh(candidates, problem, prior, gram, [c, f], || Model::new(true, vec![term(a)]));
    }
    for a in 1..x.block.columns.len() {
        for b in 0..a {
            // Two terms have no order.
            let prior = unused - x.prices[a] - x.prices[b] + LN_2;
            let (f, g) = (x.block.columns[a], x.block.columns[b]);
            let fg = dot(&x.block.values[a], &x.block.values[b]) * f.scale * g.scale;
            let terms = || vec![term(b), term(a)];
            weigh(
                candidates,
                problem,
                prior - NO_CONSTANT,
                [[1.0, 0.0], [fg, 1.0]],
                [f, g],
                || Model::new(false, terms()),
            );
            let gram = [[1.0, 0.0, 0.0], [x.with_one[a], 1.0, 0.0], [x.with_one[b], fg, 1.0]];
            weigh(candidates, problem, prior, gram, [c, f, g], || Model::new(true, terms()));
        }
    }
}

/// Models f g + f g' with f of the first variable: work that is divided among processors, and communication of as much
/// data.
fn distributed(
    candidates: &mut WeighedModels,
    problem: &Weighted,
    columns: &Columns,
    c: Column,
    [x, y]: [&FactoredVariable; 2],
) {
    let ones = &problem.weight;
    for a in 0..x.block.columns.len() {
        let (f, far_f) = (&columns.values[x.index][a], columns.far[x.index][a]);
        let product = |g: &Vec<f64>| f.iter().zip(g).map(|(f, g)| f * g).collect::<Vec<f64>>();
        let products: Vec<Vec<f64>> = columns.values[y.index].iter().map(product).collect();
        let far = columns.far[y.index].iter().map(|far| far * far_f);
        let block = Block::new(problem, products.iter().map(Vec::as_slice).zip(far));
        let with_one: Vec<f64> = block
            .columns
            .iter()
            .zip(&block.values)
            .map(|(column, values)| dot(ones, values) * c.scale * column.scale)
            .collect();
        let limits = [2, 3].map(|count| candidates.largest_rss(&problem.noise, count));
        for b in 1..block.columns.len() {
            for k in 0..b {
                let (p, q) = (block.columns[b], block.columns[k]);
                let inner = dot(&block.values[b], &block.values[k]) * p.scale * q.scale;
                let pair = Pair { a: p, b: q, inner };
                if pair.rss(problem) > limits[0]
                    && pair.rss_beside(problem, c, with_one[b], with_one[k]) > limits[1]
                {
                    continue;
                }
                let prior = LN_2 - DISTRIBUTED - x.prices[a] - y.prices[b] - y.prices[k];
                let terms = || {
                    let term = |g: usize| {
                        let mut term = vec![x.factor(a), y.factor(g)];
                        term.sort_unstable();
                        term
                    };
                    vec![term(b), term(k)]
                };
                let gram = [[1.0, 0.0], [inner, 1.0]];
                weigh(candidates, problem, prior - NO_CONSTANT, gram, [p, q], || {
                    Model::new(false, terms())
                });
                let gram = [[1.0, 0.0, 0.0], [with_one[b], 1.0, 0.0], [with_one[k], inner, 1.0]];
                weigh(candidates, problem, prior, gram, [c, p, q], || Model::new(true, terms()));
            }
        }
    }
}

/// Models with terms of two variables.
fn pairs(
    candidates: &mut WeighedModels,
    problem: &Weighted,
    c: Column,
    x: &FactoredVariable,
    y: &FactoredVariable,
) {
    // A product has its own weighted column: w f g = (w f) g, with g = (w g)/w.
    let unweighted = |block: &Block, k: usize| -> Vec<f64> {
        block.values[k].iter().zip(&problem.weight).map(|(v, w)| v / w).collect()
    };
    let plain_y: Vec<Vec<f64>> =
        (0..y.block.columns.len()).map(|k| unweighted(&y.block, k)).collect();
    let n = problem.b.len();
    let values = &problem.weight;
    let mut product = vec![0.0; n];
    for a in 0..x.block.columns.len() {
        let (f, wf) = (x.block.columns[a], x.block.values[a].as_slice());
        for (b, plain) in plain_y.iter().enumerate() {
            let (g, wg) = (y.block.columns[b], y.block.values[b].as_slice());
            wf.iter().zip(plain).zip(&mut product).for_each(|((f, g), p)| *p = f * g);
            let p = product_column(problem, &product, (f, g));
            let scale = p.scale;
            let inner = InnerProducts {
                c_f: x.with_one[a],
                c_g: y.with_one[b],
                c_p: dot(values, &product) * c.scale * scale,
                f_g: dot(wf, wg) * f.scale * g.scale,
                f_p: dot(wf, &product) * f.scale * scale,
                g_p: dot(wg, &product) * g.scale * scale,
            };
            let prior = -x.prices[a] - y.prices[b];
            terms_of_pair(candidates, problem, prior, [c, f, g, p], &inner, (x, a), (y, b));

            let term = [x.factor(a), y.factor(b)];
            let product = Product {
                values: &product,
                column: p,
                with_one: inner.c_p,
                term,
                prior: prior - NESTED,
            };
            with_other_factor(candidates, problem, c, (x, a), &product);
            with_other_factor(candidates, problem, c, (y, b), &product);
        }
    }
}

/// The inner products of the columns of a constant c, two factors f and g, and their product p.
struct InnerProducts {
    c_f: f64,
    c_g: f64,
    c_p: f64,
    f_g: f64,
    f_p: f64,
    g_p: f64,
}

/// Models of the terms f, g and f*g, with and without a constant.
fn terms_of_pair(
    candidates: &mut WeighedModels,
    problem: &Weighted,
    prior: f64,
    [c, f, g, p]: [Column; 4],
    inner: &InnerProducts,
    (x, a): (&FactoredVariable, usize),
    (y, b): (&FactoredVariable, usize),
) {
    let &InnerProducts { c_f, c_g, c_p, f_g, f_p, g_p } = inner;
    let (tx, ty) = (|| vec![x.factor(a)], || vec![y.factor(b)]);
    let txy = || vec![x.factor(a), y.factor(b)];
    // A factor that stands in two terms is chosen once.
    let (nested, twice) = (prior - NESTED, prior - 2.0 * NESTED);

    weigh(candidates, problem, prior - NO_CONSTANT, [[1.0]], [p], || {
        Model::new(false, vec![txy()])
    });
    weigh(candidates, problem, prior, [[1.0, 0.0], [c_p, 1.0]], [c, p], || {
        Model::new(true, vec![txy()])
    });
    weigh(candidates, problem, prior - NO_CONSTANT, [[1.0, 0.0], [f_g, 1.0]], [f, g], || {
        Model::new(false, vec![tx(), ty()])
    });
    let gram = [[1.0, 0.0, 0.0], [c_f, 1.0, 0.0], [c_g, f_g, 1.0]];
    weigh(candidates, problem, prior, gram, [c, f, g], || Model::new(true, vec![tx(), ty()]));
    weigh(candidates, problem, nested - NO_CONSTANT, [[1.0, 0.0], [f_p, 1.0]], [f, p], || {
        Model::new(false, vec![tx(), txy()])
    });
    let gram = [[1.0, 0.0, 0.0], [c_f, 1.0, 0.0], [c_p, f_p, 1.0]];
    weigh(candidates, problem, nested, gram, [c, f, p], || Model::new(true, vec![tx(), txy()]));
    weigh(candidates, problem, nested - NO_CONSTANT, [[1.0, 0.0], [g_p, 1.0]], [g, p], || {
        Model::new(false, vec![ty(), txy()])
    });
    let gram = [[1.0, 0.0, 0.0], [c_g, 1.0, 0.0], [c_p, g_p, 1.0]];
    weigh(candidates, problem, nested, gram, [c, g, p], || Model::new(true, vec![ty(), txy()]));
    let gram = [[1.0, 0.0, 0.0], [f_g, 1.0, 0.0], [f_p, g_p, 1.0]];
    weigh(candidates, problem, twice - NO_CONSTANT, gram, [f, g, p], || {
        Model::new(false, vec![tx(), ty(), txy()])
    });
    let gram =
        [[1.0, 0.0, 0.0, 0.0], [c_f, 1.0, 0.0, 0.0], [c_g, f_g, 1.0, 0.0], [c_p, f_p, g_p, 1.0]];
    weigh(candidates, problem, twice, gram, [c, f, g, p], || {
        Model::new(true, vec![tx(), ty(), txy()])
    });
}

/// The weighted column of a product of factors with these columns.
fn product_column(problem: &Weighted, product: &[f64], (f, g): (Column, Column)) -> Column {
    let least = problem.weight.iter().zip(&problem.level).map(|(weight, level)| weight * level);
    let share = product.iter().zip(least).fold(0.0f64, |share, (p, least)| share.max(p / least));
    let scale = 1.0 / dot(product, product).sqrt();
    Column {
        scale,
        with_b: scale * dot(product, &problem.b),
        visible: share * scale,
        far: Far::new(f.far.value / f.scale * g.far.value / g.scale * scale),
    }
}

/// A term f g of two variables.
struct Product<'a> {
    values: &'a [f64],
    column: Column,
    /// Inner product with the constant, both of length 1.
    with_one: f64,
    term: [(u16, u16); 2],
    /// ln of the probability of models with it and another term of one of its variables.
    prior: f64,
}

/// Models f g + h with another factor h of the variable of f.
fn with_other_factor(
    found: &mut WeighedModels,
    problem: &Weighted,
    c: Column,
    (variable, own): (&FactoredVariable, usize),
    product: &Product,
) {
    let (p, c_p) = (product.column, product.with_one);
    let limits = [2, 3].map(|count| found.largest_rss(&problem.noise, count));
    for k in (0..variable.block.columns.len()).filter(|&k| k != own) {
        let h = variable.block.columns[k];
        let h_p = dot(&variable.block.values[k], product.values) * h.scale * p.scale;
        let pair = Pair { a: h, b: p, inner: h_p };
        if pair.rss(problem) > limits[0]
            && pair.rss_beside(problem, c, variable.with_one[k], c_p) > limits[1]
        {
            continue;
        }
        let prior = product.prior - variable.prices[k];
        let terms = || vec![vec![variable.factor(k)], product.term.to_vec()];
        let gram = [[1.0, 0.0], [h_p, 1.0]];
        weigh(found, problem, prior - NO_CONSTANT, gram, [h, p], || Model::new(false, terms()));
        let gram = [[1.0, 0.0, 0.0], [variable.with_one[k], 1.0, 0.0], [c_p, h_p, 1.0]];
        weigh(found, problem, prior, gram, [c, h, p], || Model::new(true, terms()));
    }
}
