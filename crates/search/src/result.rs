//! Defines the result of a search.

use cll_fit::Weights;
use thiserror::Error;

use crate::factor::Factor;
use crate::solution::Solution;
use crate::term::{Model, Term};

/// Why nothing could be searched.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SearchError {
    /// No point has a usable observation.
    #[error("no point has an observation above 0: relative errors have no meaning there")]
    NothingUsable,
    /// No variable has two values.
    #[error("no variable has more than one value: there is nothing that a formula could depend on")]
    NothingVaries,
    /// Fewer points than the smallest formula needs.
    #[error("{} too few: a formula of two constants needs 3", points_are(*points))]
    FewPoints {
        /// Points with different values.
        points: usize,
    },
    /// None of the terms can be evaluated at all points, or none varies.
    #[error("no term of the dictionary can be evaluated at all points and varies over them")]
    NoTerms,
    /// No formula of few terms can be computed, or all of them are improbable beyond numbers.
    #[error(
        "no formula of the dictionary can be fitted to these points: the values differ by too many orders of magnitude, or the terms cannot be told apart"
    )]
    Unsolvable,
    /// The best formula misses many points by more than half.
    #[error("{0}")]
    NoFormula(Box<NoFormula>),
}

/// Data that no formula describes: the best one misses many points by more than half.
#[derive(Clone, Debug, PartialEq)]
pub struct NoFormula {
    /// The terms that were tried, in words.
    pub tried: String,
    /// The most probable formula.
    pub formula: String,
    /// Number of points.
    pub points: usize,
    /// The variables of the points.
    pub variables: Vec<String>,
    /// The points that it misses.
    pub miss: Miss,
}

impl std::fmt::Display for NoFormula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let NoFormula { tried, formula, points, variables, miss } = self;
        write!(
            f,
            "no formula found: tried were {tried}; the best, {formula}, misses {} of {points} points by more than half: {}",
            miss.points,
            miss.farthest(variables)
        )
    }
}

/// Points that a formula misses by more than half.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// How many.
    pub points: usize,
    /// The values of all variables at the point that is missed most.
    pub values: Vec<f64>,
    /// The observable there.
    pub observed: f64,
    /// The value of the formula there.
    pub value: f64,
}

impl Miss {
    /// The point that is missed most, in words.
    fn farthest(&self, variables: &[String]) -> String {
        let coordinates =
            variables.iter().zip(&self.values).map(|(name, value)| format!("{name} = {value}"));
        let at: Vec<String> = coordinates.collect();
        let ratio = self.value / self.observed;
        format!("at {} it says {ratio:.2} times what was measured", at.join(", "))
    }
}

/// A number of points, and its verb.
pub(crate) fn points_are(points: usize) -> String {
    if points == 1 { "1 point is".to_owned() } else { format!("{points} points are") }
}

/// A remark about the data.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A variable has one value.
    NeverVaries {
        /// The name.
        variable: String,
        /// The value.
        value: f64,
    },
    /// Two variables cannot be separated: each value of one goes with one value of the other.
    VariesWith {
        /// The variable that was left out.
        variable: String,
        /// The one that stands for both.
        with: String,
    },
    /// The influence of one of many variables was not seen.
    NotSeenToMatter {
        /// The name.
        variable: String,
    },
    /// Points without an observation above 0 were left out.
    LeftOut {
        /// How many.
        points: usize,
    },
    /// The best formula misses the points by more than their repetitions explain.
    LackOfFit {
        /// Typical miss, as a share of the value (relative weights) or in the unit.
        size: f64,
        /// Typical uncertainty of a point by its repetitions, in the same way.
        repetitions: f64,
    },
    /// No formula without negative constants fits, so constants have either sign.
    Negative,
    /// Constants change at a boundary.
    Divided(Division),
}

/// A boundary at which constants change: the formula has other constants below and above.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// The variable along which it lies.
    pub variable: String,
    /// The largest measured value below it.
    pub below: f64,
    /// The smallest measured value above it.
    pub above: f64,
}

/// A formula that was found.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The formula, as text that `cll_formula::parse` reads: `f[0] + f[1]*N*log2(N)`.
    pub formula: String,
    /// The terms as text, without constants; `1` is the constant term.
    pub terms: Vec<String>,
    /// The constants, in the order of the terms.
    pub constants: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
    /// The share of all candidates' evidence: how probable it is, if one of them is right.
    pub weight: f64,
    /// ln of the evidence, less that of the best one: at most 0.
    pub evidence: f64,
    /// Akaike's criterion with the correction for few points; `None` with too few.
    pub aicc: Option<f64>,
    /// The Akaike weight among all candidates; `None` as `aicc`.
    pub akaike: Option<f64>,
    /// Root mean square relative error at points of a size that was left out, each size of each variable in turn;
    /// `None` if too few are left to fit. In the observable's unit with absolute weights.
    pub left_out: Option<f64>,
    pub(crate) member: AveragedModel,
}

/// A model that predictions are averaged over.
#[derive(Clone, Debug)]
pub(crate) struct AveragedModel {
    pub(crate) weight: f64,
    pub(crate) model: Model,
    pub(crate) solution: Solution,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Search {
    /// Variables of the data.
    pub variables: Vec<String>,
    /// Best first; at least one. Only the most probable are listed; predictions are averaged over more.
    pub candidates: Vec<Candidate>,
    /// Candidates that the data can hardly distinguish from the best one, and where they differ.
    pub ties: Vec<Distinction>,
    /// Boundaries at which constants change. Constants and predictions are those of the last part, that of the
    /// largest values; the formula is that of all parts.
    pub divisions: Vec<Division>,
    /// The remarks about the data.
    pub notes: Vec<Note>,
    /// Number of points.
    pub points: usize,
    /// All models that are not negligible, best first.
    pub(crate) members: Vec<AveragedModel>,
    pub(crate) weights: Weights,
    pub(crate) confidence: f64,
    pub(crate) columns: Factors,
    /// Variance of a measurement that is made and aggregated like those of the data.
    pub(crate) new_variance: f64,
    /// The points that every formula misses, if the first one misses many by more than half.
    pub(crate) miss: Option<Miss>,
}

/// The factors of the terms, and how values of the data's variables become values of theirs.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    pub(crate) factors: Vec<Vec<Factor>>,
    pub(crate) names: Vec<String>,
    pub(crate) given: Option<Vec<(cll_formula::Quantity, Vec<usize>)>>,
}

/// A candidate that is nearly as probable as the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct Distinction {
    /// The index among the candidates; the other one is the best, 0.
    pub candidate: usize,
    /// Values of all variables where a measurement would tell which of both is right; `None` if none up to 1024
    /// times beyond the data would.
    pub point: Option<Vec<f64>>,
    /// The variable whose value is new there.
    pub variable: Option<String>,
    /// The values of both there, in the observable's unit: the best one's value first.
    pub values: Option<(f64, f64)>,
}

impl Factors {
    /// The terms of a model as text.
    pub(crate) fn texts(&self, model: &Model) -> Vec<String> {
        let constant = model.constant.then(|| "1".to_owned());
        let terms = model.terms.iter().map(|term| self.text(term));
        constant.into_iter().chain(terms).collect()
    }

    fn text(&self, term: &Term) -> String {
        let factors = term.iter().map(|&(variable, factor)| {
            let variable = variable as usize;
            (self.factors[variable][factor as usize], self.names[variable].as_str())
        });
        Factor::product_text(factors)
    }

    /// The terms of a model where the data's variables have these values.
    pub(crate) fn values(&self, model: &Model, point: &[f64]) -> Vec<f64> {
        let own: Vec<f64> = match &self.given {
            None => point.to_vec(),
            Some(terms) => terms
                .iter()
                .map(|(term, variables)| {
                    let values: Vec<f64> = variables.iter().map(|&v| point[v]).collect();
                    term.value(&values)
                })
                .collect(),
        };
        let term = |term: &Term| {
            term.iter()
                .map(|&(v, k)| self.factors[v as usize][k as usize].value(own[v as usize]))
                .product()
        };
        model.constant.then_some(1.0).into_iter().chain(model.terms.iter().map(term)).collect()
    }
}
