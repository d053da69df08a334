//! From rounds to fits: which samples are used, the fits, and their precision.

use std::path::{Path, PathBuf};

use cll_fit::rounds::{Mark, RoundSelection, State};
use cll_fit::{Widening, remaining, widest_constant, width};
use cll_result::{Discarded, ExperimentModel, ModelFile, Notice};
use cll_samples::{LeftOut, Policy, prepare};

use cll_sampling::{CPU_TIME, MarkedRounds, SelectionInput, rounds_of_processes};

use crate::Error;
use cll_analysis::Time;
use cll_analysis::{
    Choices, DataSource, Location, check_measured, fit_all_of, notices, now, predict_all,
    read_together,
};
use cll_launch::machine_state::BestSeen;
use cll_sampling::{Round, Run};

/// The request for a fit: the values to fit, and how.
pub struct Fitting<'a> {
    /// The choices of the fit.
    pub choices: Choices,
    /// Inclusive or exclusive time.
    pub time: Time,
    /// Requested predictions.
    pub asked: &'a [Location],
    /// Folder of the traces.
    pub folder: &'a Path,
    /// Whether the fitted value is equal in each run, independent of the machine's state.
    pub exact: bool,
    /// Whether its processors take turns on the cores (virtual processors): waiting for a core is not part of
    /// their time.
    pub in_turns: bool,
}

/// The result of the rounds.
pub struct Evaluation {
    /// The samples that were fitted.
    pub source: DataSource,
    /// The experiments with their fits.
    pub experiments: Vec<ExperimentModel>,
    /// Notices on the traces.
    pub notices: Vec<Notice>,
    /// The marks of each round.
    pub marks: Vec<Vec<Mark>>,
    /// The rounds that are used.
    pub judgement: RoundSelection,
    /// The samples that were left out.
    pub discarded: Discarded,
    /// Whether processor time was fitted in place of wall time.
    pub by_processor_time: bool,
    /// The quantity with the widest interval.
    pub widest: Option<Widest>,
}

/// The widest interval of all experiments.
#[derive(Clone, Debug, PartialEq)]
pub struct Widest {
    /// The constant or the prediction, `f[2]` or `f at N=3000`.
    pub quantity: String,
    /// Half its width as a share of the value.
    pub share: f64,
    /// The share of it that any number of rounds leaves.
    pub remaining: f64,
}

impl Fitting<'_> {
    /// Reads the samples, selects rounds and fits.
    ///
    /// # Errors
    /// If traces cannot be read, or a named experiment does not exist.
    pub fn evaluate(&self, rounds: &[Round], known: &BestSeen) -> Result<Evaluation, Error> {
        let traces: Vec<PathBuf> =
            rounds.iter().flat_map(|round| round.traces(self.folder)).collect();
        let (mut trace, _) = prepare(read_together(&traces)?, &Policy::default());
        let notices = notices(&trace, &traces);
        let of_process = rounds_of_processes(&trace, rounds, self.folder);
        let asked = self.choices.observable.as_deref();
        let judging = SelectionInput { trace: &trace, rounds, known, of_process: &of_process };
        let wall =
            if self.exact { judging.exact(asked) } else { judging.judged(asked, self.in_turns) };
        let processor = if asked.is_none() && !self.exact && !self.in_turns {
            judging.by_processor_time(&wall)
        } else {
            None
        };
        let serves = processor.is_some();
        let MarkedRounds { marks, judgement } = processor.unwrap_or(wall);
        let is_used = |&round: &usize| judgement.used.get(round).copied().unwrap_or(true);
        let used = Some(of_process.iter().map(is_used).collect());
        let LeftOut { samples, switched } =
            trace.leave_out(&Policy { used, without_switched: true });
        let discarded = Discarded { samples, switched };
        let source = DataSource::Trace(Box::new(trace));
        let observable = if serves { Some(CPU_TIME) } else { asked };
        // How much rounds differ is estimated from all experiments together, below.
        let mut choices = self.choices.clone();
        choices.options.runs = false;
        let mut experiments = fit_all_of(&source, self.time, &choices, observable)?;
        if !self.exact {
            let by = widening(&judgement);
            for experiment in &mut experiments {
                experiment.fit = experiment.fit.take().map(|fit| fit.widened(by));
                if let (Some(search), Some(fit)) = (&mut experiment.search, &experiment.fit) {
                    search.average_beside(fit);
                }
            }
        }
        let widest = self.widest(&experiments)?;
        let mut notices = notices;
        if serves {
            notices.push(processor_time_serves());
        }
        Ok(Evaluation {
            source,
            experiments,
            notices,
            marks,
            judgement,
            discarded,
            by_processor_time: serves,
            widest,
        })
    }

    /// Checks that the first round has measured the points to hold out. If a run of it failed, that is not known.
    ///
    /// # Errors
    /// If it has not, or traces cannot be read.
    pub fn check_held_out(&self, rounds: &[Round]) -> Result<(), Error> {
        let Some(first) = rounds.first() else { return Ok(()) };
        let ended = |run: &Run| run.description.exit == Some(0) && !run.description.timed_out;
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
            .flat_map(|experiment| {
                experiment.cells.iter().map(|cell| (&experiment.variables[..], &cell.values[..]))
            })
            .collect();
        Ok(check_measured(&self.choices.held_out, &measured)?)
    }

    /// The widest band of a requested prediction, else the widest interval of a constant.
    fn widest(&self, experiments: &[ExperimentModel]) -> Result<Option<Widest>, Error> {
        let mut all: Vec<Widest> = Vec::new();
        if self.asked.is_empty() {
            let fits = experiments.iter().filter_map(|experiment| experiment.fit.as_ref());
            all.extend(fits.filter_map(|fit| {
                let widest = widest_constant(fit)?;
                let remaining = remaining(fit);
                Some(Widest { quantity: widest.constant, share: widest.share, remaining })
            }));
        } else {
            let mut model = ModelFile::new(now());
            model.experiments = experiments.to_vec();
            for predicted in predict_all(&model, self.asked)? {
                let Ok(prediction) = &predicted.view.result else { continue };
                let experiment = &model.experiments[predicted.experiment];
                let at: Vec<String> =
                    predicted.at.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let quantity = format!("{} at {}", experiment.name, at.join(", "));
                let remaining = experiment.fit.as_ref().map_or(0.0, remaining);
                all.extend(width(prediction).map(|share| Widest { quantity, share, remaining }));
            }
        }
        Ok(all.into_iter().max_by(|a, b| a.share.total_cmp(&b.share)))
    }
}

impl Evaluation {
    /// Whether the numbers are reliable.
    pub fn is_measurable(&self) -> bool {
        self.judgement.state != State::NotMeasurable
    }

    /// Whether the program shared its processors, so that its processor time may be better than the wall time.
    pub fn wants_processor_time(&self) -> bool {
        let shared = |marks: &Vec<Mark>| {
            marks
                .iter()
                .any(|mark| matches!(mark, Mark::Throttled | Mark::Interrupted | Mark::Loaded))
        };
        self.judgement.is_wide() && self.marks.iter().any(shared)
    }

    /// Number of rounds that were fitted.
    pub fn used(&self) -> usize {
        self.judgement.used.iter().filter(|is| **is).count()
    }
}

/// By how much the intervals are widened.
fn widening(judgement: &RoundSelection) -> Widening {
    let off = judgement.off.unwrap_or_default();
    let common = judgement.shared;
    Widening {
        below: off.below,
        above: off.above,
        common: common.deviation,
        dof: common.dof,
        ..Widening::default()
    }
}

/// The notice that processor time was fitted instead of wall time.
fn processor_time_serves() -> Notice {
    Notice::new(
        "processor-time",
        "the program did not have its processor all the time, so the fitted value is its processor time, which does not \
         grow while others run or a quota stops it; the regions only compute: without others both times are the same",
    )
}
