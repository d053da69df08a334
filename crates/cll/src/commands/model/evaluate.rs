//! From rounds to fits: which samples are used, what comes of them, how narrow it is.

use std::path::{Path, PathBuf};

use cll_fit::rounds::{Judgement, Mark, Signs, State, Table, judge, marks};
use cll_fit::{widest_constant, width};
use cll_trace::{Cell, Experiment, Stretch, Trace};

use crate::cli::Time;
use crate::failure::Failure;
use crate::model::{
    At, Choices, Discarded, ExperimentModel, ModelFile, Notice, Source, check_measured, fit_all,
    notices, now, predict_all, read_together,
};
use crate::regime::{Known, Seen};
use crate::sampling::{Round, Run};

/// What is fitted, and how.
pub struct Fitting<'a> {
    /// The choices of the fit.
    pub choices: Choices,
    /// Which time.
    pub time: Time,
    /// Predictions that are wanted.
    pub asked: &'a [At],
    /// Folder of the traces.
    pub folder: &'a Path,
    /// Whether what is fitted is the same each time, whatever the machine does.
    pub exact: bool,
    /// Whether its processes take turns on the cores: they are virtual processors, and what each waits for a
    /// core is no part of its time.
    pub in_turns: bool,
}

/// What the rounds come to.
pub struct Evaluation {
    /// The samples that were fitted.
    pub source: Source,
    /// The experiments with their fits.
    pub experiments: Vec<ExperimentModel>,
    /// What is to be said of the traces.
    pub notices: Vec<Notice>,
    /// What is wrong with each round.
    pub marks: Vec<Vec<Mark>>,
    /// Which are used.
    pub judgement: Judgement,
    /// What was left out.
    pub discarded: Discarded,
    /// What is known worst, and how well, as a share.
    pub widest: Option<(String, f64)>,
}

/// A cell keeps at least so many samples when those are left out that were switched out.
const FEWEST_SAMPLES: usize = 3;

impl Fitting<'_> {
    /// Reads, judges and fits.
    ///
    /// # Errors
    /// If traces cannot be read, or what was asked for by name is not there.
    pub fn evaluate(&self, rounds: &[Round], known: &Known) -> Result<Evaluation, Failure> {
        let traces: Vec<PathBuf> =
            rounds.iter().flat_map(|round| round.traces(self.folder)).collect();
        let mut trace = read_together(&traces)?;
        trace.keep_slowest();
        let notices = notices(&trace, &traces);
        let of_process = rounds_of_processes(&trace, rounds, self.folder);
        let observable = self.choices.observable.as_deref();
        let table = table(&trace, observable, &of_process, rounds.len());
        let mut signs: Vec<Signs> = rounds.iter().map(|round| signs(&round.seen, known)).collect();
        if observable == Some("cpu-time") {
            signs.iter_mut().for_each(forgive_waiting);
        }
        if self.in_turns {
            signs.iter_mut().for_each(forgive_turns);
        }
        let marks = match self.exact {
            true => vec![Vec::new(); rounds.len()],
            false => marks(&signs, &table.slowness()),
        };
        let judgement = judge(&marks, &table);
        let discarded = leave_out(&mut trace, &of_process, &judgement.used);
        let source = Source::Trace(Box::new(trace));
        let mut experiments = fit_all(&source, self.time, &self.choices)?;
        if let Some(share) = judgement.disagreement.filter(|share| *share > 0.0) {
            for one in &mut experiments {
                one.fit = one.fit.take().map(|fit| fit.widened(share));
            }
        }
        let widest = self.widest(&experiments)?;
        Ok(Evaluation { source, experiments, notices, marks, judgement, discarded, widest })
    }

    /// Looks whether the first round has measured what is to be held out. Where a run of it failed that is not known.
    ///
    /// # Errors
    /// If it has not, or traces cannot be read.
    pub fn check_held_out(&self, rounds: &[Round]) -> Result<(), Failure> {
        let Some(first) = rounds.first() else { return Ok(()) };
        let ended = |run: &Run| run.told.exit == Some(0) && !run.told.timed_out;
        if !first.runs.iter().all(ended) {
            return Ok(());
        }
        let traces = first.traces(self.folder);
        if traces.is_empty() {
            return Ok(());
        }
        let trace = read_together(&traces)?;
        let measured: Vec<(&[String], &[f64])> = trace
            .experiments
            .iter()
            .flat_map(|one| one.cells.iter().map(|cell| (&one.variables[..], &cell.values[..])))
            .collect();
        check_measured(&self.choices.held_out, &measured)
    }

    /// The widest band of a wanted prediction, else the widest interval of a constant.
    fn widest(&self, experiments: &[ExperimentModel]) -> Result<Option<(String, f64)>, Failure> {
        let mut found: Vec<(String, f64)> = Vec::new();
        if self.asked.is_empty() {
            let fits = experiments.iter().filter_map(|one| one.fit.as_ref());
            found.extend(fits.filter_map(widest_constant).map(|one| (one.constant, one.share)));
        } else {
            let mut model = ModelFile::new(now());
            model.experiments = experiments.to_vec();
            for predicted in predict_all(&model, self.asked)? {
                let Ok(prediction) = &predicted.view.result else { continue };
                let name = &model.experiments[predicted.experiment].name;
                let at: Vec<String> =
                    predicted.at.iter().map(|(name, value)| format!("{name}={value}")).collect();
                found.extend(
                    width(prediction).map(|share| (format!("{name} at {}", at.join(", ")), share)),
                );
            }
        }
        Ok(found.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)))
    }
}

impl Evaluation {
    /// Whether the numbers can be believed.
    pub fn is_measurable(&self) -> bool {
        self.judgement.state != State::NotMeasurable
    }

    /// Number of rounds that were fitted.
    pub fn used(&self) -> usize {
        self.judgement.used.iter().filter(|is| **is).count()
    }
}

/// For each process of the traces the index of its round.
fn rounds_of_processes(trace: &Trace, rounds: &[Round], folder: &Path) -> Vec<usize> {
    let of_run: Vec<usize> = rounds
        .iter()
        .enumerate()
        .flat_map(|(index, round)| round.traces(folder).into_iter().map(move |_| index))
        .collect();
    let last = rounds.len().saturating_sub(1);
    let round = |run: u32| of_run.get(run as usize).copied().unwrap_or(last);
    trace.processes.iter().map(|process| round(process.run)).collect()
}

/// What every point took in every round.
fn table(trace: &Trace, observable: Option<&str>, of_process: &[usize], rounds: usize) -> Table {
    let mut table = Table::new(rounds);
    for experiment in &trace.experiments {
        let mut known = experiment.observables.iter();
        let index = observable.and_then(|name| known.position(|one| one.name == name));
        for cell in &experiment.cells {
            let mut observed = vec![Vec::new(); rounds];
            let values = match index {
                Some(index) => &cell.observed[index].inclusive,
                None => &cell.inclusive,
            };
            for (value, origin) in values.iter().zip(cell.origins(experiment)) {
                let round = of_process.get(origin.process as usize);
                if let Some(&round) = round.filter(|_| !value.is_nan()) {
                    observed[round].push(*value);
                }
            }
            table.add(observed);
        }
    }
    table
}

/// Leaves out the samples of rounds that are not used, and those of [`leave_out_switched`].
fn leave_out(trace: &mut Trace, of_process: &[usize], used: &[bool]) -> Discarded {
    let mut discarded = Discarded::default();
    let is_used = |process: u32| {
        of_process.get(process as usize).and_then(|&round| used.get(round)).copied().unwrap_or(true)
    };
    for experiment in &mut trace.experiments {
        discarded.samples += experiment.retain(|_, origin| is_used(origin.process));
        discarded.switched += leave_out_switched(experiment);
    }
    discarded
}

/// Leaves out single samples during which the program was switched out, where a cell has enough
/// others: regions that take longer than a time slice are switched out in any case. How many were
/// left out.
pub fn leave_out_switched(experiment: &mut Experiment) -> u64 {
    let origins = experiment.origins.clone();
    let switched = |cell: &Cell| -> usize {
        let away = |stretch: &&Stretch| {
            origins.get(stretch.origin as usize).is_some_and(|origin| origin.switched)
        };
        cell.stretches.iter().filter(away).map(|stretch| stretch.count as usize).sum()
    };
    experiment.retain(|cell, origin| {
        // Asked seldom: stretches of switched samples are few.
        !origin.switched || {
            let switched = switched(cell);
            cell.inclusive.len() - switched < FEWEST_SAMPLES.max(switched)
        }
    })
}

/// Processor time does not grow while others have the processor: what is left are the caches and
/// the other half of the core.
fn forgive_waiting(signs: &mut Signs) {
    *signs = Signs { waiting: None, interruptions: 0.0, others: 0.0, ..signs.clone() };
}

/// Virtual processors wait for each other's turns; whether others were at work is seen by itself.
fn forgive_turns(signs: &mut Signs) {
    *signs = Signs { waiting: None, interruptions: 0.0, ..signs.clone() };
}

/// What was seen during a round, as what the statistics know of it.
pub fn signs(seen: &Seen, known: &Known) -> Signs {
    /// Fewer are the kernel's own.
    const FEW: f64 = 5.0;
    let per_second = |count: f64| if count > FEW { count / seen.wall.max(1e-3) } else { 0.0 };
    Signs {
        waiting: seen.waiting.map(|seconds| seconds / seen.wall.max(1e-6)),
        interruptions: per_second(seen.involuntary),
        steal: seen.steal(),
        others: seen.others().unwrap_or(0.0),
        elsewhere: seen.others_elsewhere().unwrap_or(0.0),
        chain: known.chain_ratio(&seen.looks),
        narrow: known.narrow(&seen.looks),
        partner: known.partner_ratio(seen.partner),
    }
}
