//! `cll plan`: what to measure next.

mod campaign;

use cll_fit::{Unit, width};
use cll_plan::{Chosen, Design, Forecast, NoiseKind, PlanError, Reason, Widths, plan};
use cll_report::{Notation, next_text};
use cll_result::{ModelFile, NextNoise, NextPoint, NextPoints, NextPrediction, Notice};
use cll_units::Seconds;

use super::fit::asked;
use crate::cli::PlanArgs;
use crate::failure::Failure;
use crate::files::Output;
use crate::sampling::{Budget, Varied, argument};
use crate::terminal::Terminal;
use cll_analysis::planning::{Planning, PlanningInput, candidates};
use cll_analysis::{Location, read_model, select};
use cll_units::text::{DurationForm, duration};

/// Chooses points, and reports them.
pub fn run(args: &PlanArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let asked = asked(&args.predict)?;
    if args.out.is_none() && !args.command.is_empty() {
        return Err(Failure::usage(
            "a program is given, but no --out FILE for the plan of its runs",
        ));
    }
    let inputs = [args.model.clone()];
    let output = args.out.as_deref().map(|path| Output::apart_from(path, &inputs)).transpose()?;
    let mut model = read_model(&args.model)?;
    model.experiments = select(model.experiments, &args.experiment, |experiment| &experiment.name)?;
    if let Some(reservation) = model.reservation() {
        terminal.warn(&reservation);
    }
    let next = next_points(&model, &asked, &args.vary, args.budget, args.runs)?;
    if next.points.is_empty() && output.is_some() {
        terminal.note("no plan is written: there is nothing to measure");
    } else if let Some(output) = output {
        let written = campaign::write(args, &model, &next)?;
        if let Some(note) = written.note {
            terminal.note(&note);
        }
        output.write(written.text.as_bytes())?;
    }
    if args.json {
        terminal.json(&next)?
    } else {
        terminal.print(next_text(&next, &terminal.style()))?
    }
    Ok(0)
}

/// The points to measure next for the experiments of a model.
pub fn next_points(
    model: &ModelFile,
    asked: &[Location],
    vary: &[Varied],
    budget: Budget,
    repetitions: Option<u32>,
) -> Result<NextPoints, Failure> {
    let vary = candidates(vary)?;
    let input = PlanningInput {
        experiments: &model.experiments,
        runs: &model.runs,
        asked,
        vary: &vary,
        budget,
        repetitions,
    };
    let planning = input.planning()?;
    let design =
        plan(&planning.problem, budget.seconds).map_err(|error| without_plan(&error, budget))?;
    let full = next(model, &planning, &design, budget);
    if gains_nothing(&full, &design) {
        return Ok(without_points(full));
    }
    // Half of the budget, and half of that, as long as it does as much.
    let mut enough: Option<NextPoints> = None;
    let mut seconds = design.cost;
    while let Ok(smaller) = plan(&planning.problem, 0.5 * seconds) {
        let reached = next(model, &planning, &smaller, budget);
        if !does_as_much(&reached, &full) || smaller.cost <= 0.0 {
            break;
        }
        seconds = smaller.cost;
        enough = Some(reached);
    }
    let Some(mut enough) = enough else { return Ok(full) };
    let text = format!(
        "the points stop at {}: the whole budget would make the intervals at most {} narrower",
        Notation::Unicode.quantity(enough.cost.get(), &Unit::Seconds),
        Notation::Unicode.percent(AS_NARROW - 1.0)
    );
    enough.notes.push(Notice::new("enough", text));
    Ok(enough)
}

/// A plan that makes no interval narrower than this share of what it is now gains nothing.
const GAIN: f64 = 0.95;
/// A smaller plan does as much as a larger one if its intervals are at most so much wider.
const AS_NARROW: f64 = 1.02;

/// Whether the points make no prediction narrower, and have no other purpose than that and checks.
fn gains_nothing(next: &NextPoints, design: &Design) -> bool {
    let hardly = |prediction: &NextPrediction| {
        prediction.now.is_some_and(|now| prediction.after > GAIN * now)
    };
    let has_purpose = |choice: &Chosen| match choice.reason {
        Reason::Distinguishes | Reason::Bisects { .. } => true,
        Reason::Narrows | Reason::Checks => false,
    };
    !next.predictions.is_empty()
        && next.predictions.iter().all(hardly)
        && !design.chosen.iter().any(has_purpose)
}

/// Nothing to measure, and what the points would have done.
fn without_points(mut next: NextPoints) -> NextPoints {
    let notation = Notation::Unicode;
    let widest =
        |width: fn(&NextPrediction) -> f64| next.predictions.iter().map(width).fold(0.0, f64::max);
    let (now, after) =
        (widest(|prediction| prediction.now.unwrap_or(0.0)), widest(|prediction| prediction.after));
    let (count, cost) = (next.points.len(), notation.quantity(next.cost.get(), &Unit::Seconds));
    let mut text = format!(
        "more points gain nothing: {count} for {cost} would narrow ±{} to ±{}; what remains is the noise of a new \
         measurement, or needs points nearer to it",
        notation.percent(now),
        notation.percent(after)
    );
    let checks = next.points.iter().filter(|point| point.reason == reason(&Reason::Checks));
    if let Some(check) = checks.max_by(|a, b| a.cost.get().total_cmp(&b.cost.get())) {
        let at: Vec<String> =
            check.at.iter().map(|(name, value)| format!("{name} = {}", argument(*value))).collect();
        let cost = notation.quantity(check.cost.get(), &Unit::Seconds);
        text.push_str(&format!("; {} ({cost}) would check the formula", at.join(", ")));
    }
    next.points.clear();
    next.cost = Seconds(0.0);
    for prediction in &mut next.predictions {
        prediction.after = prediction.now.unwrap_or(prediction.after);
    }
    next.notes.retain(|note| note.code != "points");
    next.notes.push(Notice::new("nothing-gained", text));
    next
}

/// Whether a smaller plan narrows all predictions as much as a larger one, and serves the same purposes.
fn does_as_much(smaller: &NextPoints, larger: &NextPoints) -> bool {
    let each = smaller.predictions.iter().zip(&larger.predictions);
    let is_narrow = |(a, b): (&NextPrediction, &NextPrediction)| a.after <= AS_NARROW * b.after;
    let purposes = |next: &NextPoints| {
        let kinds = ["distinguishes", "bisects"];
        next.points.iter().filter(|point| kinds.contains(&point.reason.as_str())).count()
    };
    !larger.predictions.is_empty()
        && each.clone().all(is_narrow)
        && purposes(smaller) >= purposes(larger)
}

fn without_plan(error: &PlanError, budget: Budget) -> Failure {
    match error {
        PlanError::TooSmall { needed } => {
            let text = match (*needed >= 10.0, budget.is_core_time) {
                (_, false) => duration(*needed, DurationForm::ArgumentUp),
                (true, true) => format!("{}core-s", needed.ceil()),
                (false, true) => format!("{:.3}core-s", (1e3 * needed).ceil() / 1e3),
            };
            Failure::usage(format!("--budget {budget} is too small for one point"))
                .help(format!("the smallest that helps is --budget {text}"))
                .help("--runs COUNT makes fewer runs of each point, --vary gives smaller values")
        }
        error => Failure::fit(error.to_string())
            .help("--vary gives other values to choose from, --predict other predictions"),
    }
}

/// The plan as a result.
fn next(model: &ModelFile, planning: &Planning, design: &Design, budget: Budget) -> NextPoints {
    let problem = &planning.problem;
    let mut next = NextPoints::new(budget.seconds, budget.is_core_time);
    next.cost = Seconds(design.cost);
    let named = |values: &[f64]| -> Vec<(String, f64)> {
        problem.variables.iter().cloned().zip(values.iter().copied()).collect()
    };
    let point = |choice: &Chosen| NextPoint {
        at: named(&problem.candidates[choice.candidate].values),
        runs: choice.runs,
        cost: Seconds(choice.cost),
        reason: reason(&choice.reason).to_owned(),
        why: why(&choice.reason, planning, model),
    };
    next.points = design.chosen.iter().map(point).collect();
    for forecast in &design.forecasts {
        let experiment = &model.experiments[planning.experiments[forecast.subject]];
        let target = &planning.targets[forecast.target];
        let Some(widths) = widths(model, planning, forecast) else { continue };
        next.predictions.push(NextPrediction {
            experiment: experiment.name.clone(),
            at: named(target),
            value: forecast.value,
            unit: experiment.fit.as_ref().map_or(Unit::Seconds, |fit| fit.unit.clone()).to_string(),
            confidence: widths.confidence,
            now: widths.now,
            after: widths.after,
            least: widths.least,
        });
    }
    for (subject, experiment) in problem.subjects.iter().zip(&planning.experiments) {
        let noise = &subject.noise;
        next.noise.push(NextNoise {
            experiment: model.experiments[*experiment].name.clone(),
            kind: match noise.kind() {
                NoiseKind::Absolute => "absolute",
                NoiseKind::Relative => "relative",
                NoiseKind::Both => "both",
            },
            absolute: noise.absolute,
            relative: noise.relative,
        });
    }
    next.notes = notes(planning, design, &next);
    next.doubts = model.doubts();
    next
}

fn notes(planning: &Planning, design: &Design, next: &NextPoints) -> Vec<Notice> {
    let mut notes = planning.notes.clone();
    let mut note = |code: &str, text: String| notes.push(Notice::new(code, text));
    if design.is_full {
        note(
            "points",
            format!(
                "{} points are planned at a time; the budget allows more: measure these, fit, and plan again",
                design.chosen.len()
            ),
        );
    }
    if next.noise.iter().any(|noise| noise.kind == "absolute") {
        note(
            "absolute-noise",
            "the runs vary by the same amount at all sizes: fit with --weights absolute".to_owned(),
        );
    }
    notes
}

/// Half widths of a prediction's interval now, after the plan and at best.
fn widths(model: &ModelFile, planning: &Planning, forecast: &Forecast) -> Option<Widths> {
    let experiment = &model.experiments[planning.experiments[forecast.subject]];
    let fit = experiment.fit.as_ref()?;
    let target = &planning.targets[forecast.target];
    let value = |name: &String| {
        Some(target[planning.problem.variables.iter().position(|other| other == name)?])
    };
    let values: Option<Vec<f64>> = fit.variables.iter().map(value).collect();
    let prediction = fit.estimate(&values?).ok();
    let band = prediction.as_ref().and_then(width);
    Some(Widths::new(&planning.problem, forecast, band, fit.options.confidence))
}

fn reason(reason: &Reason) -> &'static str {
    match reason {
        Reason::Narrows => "narrows",
        Reason::Distinguishes => "distinguishes",
        Reason::Checks => "checks",
        Reason::Bisects { .. } => "bisects",
    }
}

/// The reason in words.
fn why(reason: &Reason, planning: &Planning, model: &ModelFile) -> String {
    match reason {
        Reason::Narrows if planning.targets.is_empty() => "makes the constants certain".to_owned(),
        Reason::Narrows => "makes the prediction narrower".to_owned(),
        Reason::Distinguishes => "the formulas that may be right differ there".to_owned(),
        Reason::Checks => "checks the formula: no measurement is near".to_owned(),
        Reason::Bisects { subject, gap } => {
            let gap = &planning.problem.subjects[*subject].gaps[*gap];
            let experiment = &model.experiments[planning.experiments[*subject]];
            format!(
                "constants of {} change between {} = {} and {}",
                experiment.name,
                gap.axis,
                argument(gap.low),
                argument(gap.high)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_budget_is_one_that_can_be_typed() {
        let help = |needed: f64, is_core_time| {
            let budget = Budget { seconds: 1e-9, is_core_time };
            match without_plan(&PlanError::TooSmall { needed }, budget) {
                Failure::Message { help, .. } => help[0].clone(),
                _ => String::new(),
            }
        };
        assert!(help(12.34, false).ends_with("--budget 13s"), "{}", help(12.34, false));
        assert!(help(0.0123, false).ends_with("--budget 13ms"), "{}", help(0.0123, false));
        assert!(help(12.34, true).ends_with("--budget 13core-s"));
        assert!(help(0.0123, true).ends_with("--budget 0.013core-s"));
    }
}
