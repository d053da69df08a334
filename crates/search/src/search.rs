//! The search itself, from data to weighed candidates.

use cll_fit::Data;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use crate::exhaustive::exhaustive;
use crate::factor::Factor;
use crate::left_out::left_out;
use crate::local::{Bounds, improve};
use crate::observed::Observed;
use crate::options::{Dictionary, Options};
use crate::relevant::{relevant, slope};
use crate::result::{Candidate, Factors, Member, Note, Search, SearchError};
use crate::solution::{Solution, prior, term_values};
use crate::term::Model;
use crate::tie::distinctions;
use crate::weighted::{Columns, Weighted};

/// So many models are solved exactly...
const MAX_MEMBERS: usize = 4000;
/// ...of these the most probable are kept, until they have this weight together...
const KEPT: f64 = 0.9999;
/// ...at most so many...
const MAX_KEPT: usize = 400;
/// ...and so many are listed.
const MAX_CANDIDATES: usize = 40;
/// The value at each point is averaged over so many models.
const LEVEL: usize = 32;
/// For so many of them sizes are left out.
const LEFT_OUT: usize = 12;
/// So many values of a number of processors hold simple factors only.
pub const FEW: usize = 4;
/// Level of the test whether repetitions explain the residuals.
const LACK: f64 = 1e-3;
/// By so much in ln of the evidence models of either sign must be better before they are taken.
const NEGATIVE: f64 = 12.0;

/// Whether no formula explains the points as well as repetitions do.
pub(crate) fn is_lacking(notes: &[Note]) -> bool {
    notes.iter().any(|note| matches!(note, Note::LackOfFit { .. }))
}

/// Searches the formula of data in which constants do not change; it has other constants in `others`, which weigh
/// formulas, too.
pub(crate) fn search_part(
    data: &Data,
    options: &Options,
    others: &[Data],
) -> Result<Search, SearchError> {
    let (data, given) = with_given_terms(data, options);
    let observed = Observed::new(&data, options);
    if observed.len() == 0 {
        return Err(SearchError::NothingUsable);
    }
    if observed.len() < 3 {
        return Err(SearchError::FewPoints { points: observed.len() });
    }
    let (variables, mut notes) = match &given {
        Some(_) => ((0..data.variables.len()).collect(), Vec::new()),
        None => relevant(&observed, &data.variables),
    };
    if variables.is_empty() {
        return Err(SearchError::NothingVaries);
    }
    if observed.left_out > 0 {
        notes.push(Note::LeftOut { points: observed.left_out });
    }
    let dictionary = match &given {
        Some(_) => {
            let linear = Factor::growing().into_iter().filter(|f| f.order() == (1.0, 0));
            vec![linear.collect(); data.variables.len()]
        }
        None => dictionary(&observed, &data.variables, &variables, options),
    };
    let columns = Columns::new(&observed, &dictionary, given.is_none());
    let variables: Vec<usize> =
        variables.into_iter().filter(|&v| !columns.factors[v].is_empty()).collect();
    if variables.is_empty() {
        return Err(SearchError::NoTerms);
    }

    let others: Vec<Other> =
        others.iter().filter_map(|other| Other::new(other, &columns, options)).collect();
    let task = Task {
        others: &others,
        observed: &observed,
        columns: &columns,
        variables: &variables,
        options,
        given: given.is_some(),
    };
    let (problem, models, solutions, negative) = task.weighed(&mut notes);
    if negative {
        notes.push(Note::Negative);
    }
    let factors =
        Factors { factors: columns.factors.clone(), names: data.variables.clone(), given };
    if solutions.is_empty() {
        return Err(SearchError::Unsolvable);
    }
    let top = solutions.first().map_or(0.0, |s| s.1);
    let all: f64 = solutions.iter().map(|s| (s.1 - top).exp()).sum();
    let members = solutions.into_iter().map(|(solution, evidence, index)| Member {
        weight: (evidence - top).exp() / all,
        model: models[index].1.clone(),
        solution,
    });
    let members = kept(members.collect());
    let mut candidates: Vec<Candidate> = members
        .iter()
        .take(MAX_CANDIDATES)
        .map(|member| {
            let terms = factors.texts(&member.model);
            Candidate {
                formula: formula(&terms),
                terms,
                constants: member.solution.constants.clone(),
                errors: member.solution.errors(),
                weight: member.weight,
                evidence: (member.weight / members[0].weight).ln(),
                aicc: aicc(&member.solution, observed.len()),
                akaike: None,
                left_out: None,
                member: member.clone(),
            }
        })
        .collect();
    akaike(&mut candidates);
    for candidate in candidates.iter_mut().take(LEFT_OUT) {
        candidate.left_out = left_out(
            &observed,
            &problem,
            &columns,
            &variables,
            &candidate.member.model,
            options.weights,
        );
    }
    // The typical number of repetitions of a point.
    let counts = cll_statistics::median(observed.count.iter().copied()).unwrap_or(1.0);
    let best = &members[0].solution;
    let lack = problem.noise.dof == 0.0 && observed.dof > 0.0;
    let new_variance = if lack { best.variance } else { best.variance / counts };
    let mut search = Search {
        variables: data_variables(&data, &factors),
        candidates,
        members,
        ties: Vec::new(),
        divisions: Vec::new(),
        notes,
        points: observed.len(),
        weights: options.weights,
        confidence: options.confidence,
        columns: factors,
        new_variance,
    };
    search.ties = distinctions(&search, &observed, &variables);
    Ok(search)
}

/// The factors of each variable; none of those that are not among `variables`.
pub(crate) fn dictionary(
    observed: &Observed,
    names: &[String],
    variables: &[usize],
    options: &Options,
) -> Vec<Vec<Factor>> {
    let of = |v: usize| {
        let counts_processors = options.processors.contains(&names[v]);
        let divides = counts_processors || slope(observed, v) < 0.0;
        match (variables.contains(&v), divides) {
            (false, _) => Vec::new(),
            (true, _) if counts_processors && distinct(&observed.values[v]) <= FEW => Factor::few(),
            (true, true) => Factor::scaling(),
            (true, false) => Factor::growing(),
        }
    };
    (0..names.len()).map(of).collect()
}

fn distinct(values: &[f64]) -> usize {
    let mut all: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

/// If the residuals are larger than repetitions explain: their typical size, and that of the repetitions.
pub(crate) fn lack_of_fit(
    observed: &Observed,
    problem: &Weighted,
    best: &Solution,
) -> Option<(f64, f64)> {
    let dof = observed.len() as f64 - best.constants.len() as f64;
    if observed.dof < 1.0 || dof < 1.0 {
        return None;
    }
    let mean_square = best.rss / dof;
    let variance = problem.noise.variance;
    let p = if variance > 0.0 {
        FisherSnedecor::new(dof, observed.dof).ok()?.sf(mean_square / variance)
    } else {
        0.0
    };
    let counts = cll_statistics::median(observed.count.iter().copied()).unwrap_or(1.0);
    (p < LACK).then(|| ((mean_square / counts).sqrt(), (variance / counts).sqrt()))
}

/// The most probable of models, best first, with weights that sum to 1.
fn kept(mut members: Vec<Member>) -> Vec<Member> {
    let mut sum = 0.0;
    let is_needed = |member: &&Member| {
        let is_needed = sum < KEPT;
        sum += member.weight;
        is_needed
    };
    let count = members.iter().take_while(is_needed).count().min(MAX_KEPT);
    members.truncate(count.max(1));
    let all: f64 = members.iter().map(|member| member.weight).sum();
    members.iter_mut().for_each(|member| member.weight /= all);
    members
}

/// Other points for which the formula has other constants.
struct Other {
    columns: Columns,
    problem: Weighted,
    /// ln of the evidence of a formula that cannot be solved.
    unsolved: f64,
}

/// By so much less than a constant, in ln, is a formula that cannot be solved.
const UNSOLVED: f64 = 20.0;

impl Other {
    /// `None` if the factors cannot be evaluated there.
    fn new(data: &Data, columns: &Columns, options: &Options) -> Option<Other> {
        let (data, _) = with_given_terms(data, options);
        let observed = Observed::new(&data, options);
        let columns = Columns::same(&observed, &columns.factors, columns.are_expected)?;
        let problem = Weighted::new(&observed, observed.y.clone(), options.weights, false);
        let constant = Solution::new(&problem, &columns, &Model::new(true, Vec::new()), 0.0)?;
        let unsolved = constant.evidence.min(constant.signless) - UNSOLVED;
        Some(Other { columns, problem, unsolved })
    }

    /// ln of the evidence of a formula for these points, without its prior.
    fn evidence(&self, model: &Model, either_sign: bool) -> f64 {
        let solution = Solution::new(&self.problem, &self.columns, model, 0.0);
        let evidence = solution.map(|one| if either_sign { one.signless } else { one.evidence });
        evidence.filter(|one| one.is_finite()).unwrap_or(self.unsolved)
    }
}

/// What is searched.
struct Task<'a> {
    others: &'a [Other],
    observed: &'a Observed,
    columns: &'a Columns,
    variables: &'a [usize],
    options: &'a Options,
    given: bool,
}

/// A solution with ln of its evidence and the index of its model.
type Weighed = (Solution, f64, usize);

impl Task<'_> {
    /// The models, best first, and their solutions, with weights of points that follow the models.
    fn weighed(&self, notes: &mut Vec<Note>) -> (Weighted, Vec<(f64, Model)>, Vec<Weighed>, bool) {
        let y: Vec<f64> = self.observed.y.clone();
        let first = self.problem(y.clone(), false);
        let models = self.start(&first, false);
        let models = if self.is_exhaustive(false) {
            models
        } else {
            self.improved(&first, models, false, false)
        };
        let solutions = self.solutions(&first, &models[..models.len().min(LEVEL)], false);
        let lack = solutions.first().and_then(|best| lack_of_fit(self.observed, &first, &best.0));
        let level = self.level(&first, &models, &solutions).unwrap_or_else(|| y.clone());
        let mut lack = lack;
        let mut problem = self.problem(level, lack.is_some());
        let mut models = self.models(&problem, false, lack.is_some());
        let mut solutions = self.solutions(&problem, &models, false);
        if let (Some(_), Some(best)) = (lack, solutions.first()) {
            // With more terms the data may be explained after all.
            let level = self.level(&problem, &models, &solutions).unwrap_or(y);
            let surer = self.problem(level, false);
            let model = &models[best.2].1;
            let solution = Solution::new(&surer, self.columns, model, best.1);
            lack = solution.and_then(|solution| lack_of_fit(self.observed, &surer, &solution));
            if lack.is_none() {
                models = self.models(&surer, false, true);
                solutions = self.solutions(&surer, &models, false);
                problem = surer;
            }
        }
        if let Some((size, repetitions)) = lack {
            notes.push(Note::LackOfFit { size, repetitions });
        }
        let is_wanting = !self.options.non_negative
            || lack.is_some()
            || self.observed.exact
            || solutions.first().is_none_or(|s| self.is_poor(&problem, s));
        if is_wanting && self.options.differences {
            let either = self.models(&problem, true, false);
            let other = self.solutions(&problem, &either, true);
            let best = solutions.first().map_or(f64::NEG_INFINITY, |s| s.1);
            let needed = if self.options.non_negative { NEGATIVE } else { 0.0 };
            if other
                .first()
                .is_some_and(|s| s.1 > best + needed && s.0.constants.iter().any(|c| *c < 0.0))
            {
                let surer = self.problem(self.observed.y.clone(), false);
                let first = &either[other[0].2].1;
                let first = Solution::new(&surer, self.columns, first, 0.0);
                let lack = first.and_then(|first| lack_of_fit(self.observed, &surer, &first));
                if lack.is_none() {
                    notes.retain(|note| !matches!(note, Note::LackOfFit { .. }));
                }
                return (problem, either, other, self.options.non_negative);
            }
        }
        (problem, models, solutions, false)
    }

    fn problem(&self, level: Vec<f64>, lack: bool) -> Weighted {
        Weighted::new(self.observed, level, self.options.weights, lack)
    }

    /// Whether all models of few terms are tried, or a local search begins with a constant.
    fn is_exhaustive(&self, either_sign: bool) -> bool {
        !self.given && !either_sign && self.variables.len() <= 2
    }

    /// The models that a local search begins with, best first.
    fn start(&self, problem: &Weighted, either_sign: bool) -> Vec<(f64, Model)> {
        let constant = vec![(f64::NEG_INFINITY, Model::new(true, Vec::new()))];
        let all = match self.variables {
            [x] if self.is_exhaustive(either_sign) => exhaustive(problem, self.columns, *x, None),
            [x, y] if self.is_exhaustive(either_sign) => {
                exhaustive(problem, self.columns, *x, Some(*y))
            }
            _ => Vec::new(),
        };
        if all.is_empty() { constant } else { all }
    }

    fn improved(
        &self,
        problem: &Weighted,
        start: Vec<(f64, Model)>,
        either_sign: bool,
        deep: bool,
    ) -> Vec<(f64, Model)> {
        // All models of few terms are among the first ones: more rounds are for data that none of these explains.
        let few = self.is_exhaustive(either_sign) && !deep;
        let bounds = Bounds {
            width: if few { 2 } else { 12 },
            rounds: if few { 1 } else { 20 },
            terms: self.options.max_terms,
            products: !self.given,
            either_sign,
        };
        improve(problem, self.columns, self.variables, start, bounds)
    }

    /// The models that are not negligible, best first.
    fn models(&self, problem: &Weighted, either_sign: bool, deep: bool) -> Vec<(f64, Model)> {
        self.improved(problem, self.start(problem, either_sign), either_sign, deep)
    }

    fn solutions(
        &self,
        problem: &Weighted,
        models: &[(f64, Model)],
        either_sign: bool,
    ) -> Vec<Weighed> {
        let solved =
            models.iter().take(MAX_MEMBERS).enumerate().filter_map(|(index, (_, model))| {
                let price = prior(model, self.columns);
                let solution = Solution::new(problem, self.columns, model, price)?;
                let evidence = if either_sign { solution.signless } else { solution.evidence };
                let elsewhere = |other: &Other| other.evidence(model, either_sign);
                let evidence = evidence + self.others.iter().map(elsewhere).sum::<f64>();
                evidence.is_finite().then_some((solution, evidence, index))
            });
        let mut solved: Vec<Weighed> = solved.collect();
        solved.sort_by(|a, b| b.1.total_cmp(&a.1));
        solved
    }

    /// Whether a model of non-negative constants leaves much unexplained: more than half of what a constant leaves.
    fn is_poor(&self, problem: &Weighted, best: &Weighed) -> bool {
        let level = &problem.b;
        let mean = level.iter().sum::<f64>() / level.len() as f64;
        let spread: f64 = level.iter().map(|b| (b - mean).powi(2)).sum();
        let dof = (self.observed.len() - best.0.constants.len()).max(1) as f64;
        let noise = problem.noise.variance * dof;
        best.0.rss > 0.5 * spread && best.0.rss > 4.0 * noise
    }

    /// The value at each point, averaged over the models; `None` if it is not positive everywhere.
    fn level(
        &self,
        problem: &Weighted,
        models: &[(f64, Model)],
        solutions: &[Weighed],
    ) -> Option<Vec<f64>> {
        let top = solutions.first()?.1;
        let mut level = vec![0.0; self.observed.len()];
        let mut all = 0.0;
        for (solution, evidence, index) in solutions.iter().take(LEVEL) {
            let weight = (evidence - top).exp();
            all += weight;
            let model = &models[*index].1;
            let mut constants = solution.constants.iter();
            if model.constant {
                let c = constants.next().copied().unwrap_or(0.0);
                level.iter_mut().for_each(|l| *l += weight * c);
            }
            for (term, c) in model.terms.iter().zip(constants) {
                let values = term_values(self.columns, term, problem.b.len());
                level.iter_mut().zip(values).for_each(|(l, v)| *l += weight * c * v);
            }
        }
        level.iter_mut().for_each(|l| *l /= all);
        let near = level.iter().zip(&self.observed.y).all(|(l, y)| *l > 0.2 * y && *l < 5.0 * y);
        near.then_some(level)
    }
}

/// With a given dictionary each of its terms is a variable of its own.
type Given = Option<Vec<(cll_formula::Quantity, Vec<usize>)>>;

fn with_given_terms<'a>(data: &'a Data, options: &Options) -> (std::borrow::Cow<'a, Data>, Given) {
    let Dictionary::Given(terms) = &options.dictionary else {
        return (std::borrow::Cow::Borrowed(data), None);
    };
    let terms: Vec<(cll_formula::Quantity, Vec<usize>)> = terms
        .iter()
        .filter_map(|term| {
            let at: Option<Vec<usize>> =
                term.variables().iter().map(|v| data.variable(&v.name)).collect();
            Some((term.clone(), at?))
        })
        .collect();
    let mut by_terms = Data::new(terms.iter().map(|(term, _)| term.text().to_owned()).collect());
    by_terms.unit = data.unit.clone();
    for point in &data.points {
        let values = terms.iter().map(|(term, at)| {
            let own: Vec<f64> = at.iter().map(|&v| point.values[v]).collect();
            term.value(&own)
        });
        by_terms.points.push(cll_fit::Point { values: values.collect(), ..point.clone() });
    }
    (std::borrow::Cow::Owned(by_terms), Some(terms))
}

fn data_variables(data: &Data, factors: &Factors) -> Vec<String> {
    match &factors.given {
        None => data.variables.clone(),
        Some(terms) => {
            let mut names: Vec<(usize, String)> = terms
                .iter()
                .flat_map(|(term, at)| {
                    at.iter().copied().zip(term.variables().iter().map(|v| v.name.clone()))
                })
                .collect();
            names.sort();
            names.dedup();
            names.into_iter().map(|(_, name)| name).collect()
        }
    }
}

/// `f[0] + f[1]*N*log2(N)`; no constant term: `f[0]*N`.
fn formula(terms: &[String]) -> String {
    let terms = terms.iter().enumerate().map(|(k, term)| match term.as_str() {
        "1" => format!("f[{k}]"),
        term => match term.strip_prefix("1/") {
            Some(below) => format!("f[{k}]/{below}"),
            None => format!("f[{k}]*{term}"),
        },
    });
    terms.collect::<Vec<_>>().join(" + ")
}

fn aicc(solution: &Solution, n: usize) -> Option<f64> {
    let (n, k) = (n as f64, solution.constants.len() as f64 + 1.0);
    let left = n - k - 1.0;
    (left > 0.0).then(|| {
        n * (solution.rss.max(f64::MIN_POSITIVE) / n).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / left
    })
}

fn akaike(candidates: &mut [Candidate]) {
    let best = candidates.iter().filter_map(|c| c.aicc).fold(f64::INFINITY, f64::min);
    let all: f64 =
        candidates.iter().filter_map(|c| c.aicc).map(|a| (-0.5 * (a - best)).exp()).sum();
    for candidate in candidates {
        candidate.akaike = candidate.aicc.map(|a| (-0.5 * (a - best)).exp() / all);
    }
}
