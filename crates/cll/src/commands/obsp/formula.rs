//! Predicts a description in formulas.

use std::path::Path;

use cll_analysis::Location;
use cll_analysis::obsp::{Described, ObspOptions, predict};
use cll_machine::Machine;
use cll_model::{Draws, Evaluator, Pricing, Rule, Target, interval};
use cll_report::{ObspHead, obsp_table, obsp_text};
use cll_result::Doubts;
use cll_result::obsp::{Prediction, Predictions, Subject};

use crate::cli::ObspArgs;
use crate::commands::curves::{self, CurveSource, CurveTime};
use crate::commands::fit::asked;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

/// Predicts at all requested points, or along a variable.
pub fn run(
    file: &Path,
    args: &ObspArgs,
    options: &ObspOptions,
    machine: &Machine,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let described = Described::read(file, terminal)?;
    let asked = asked(&args.predict)?;
    let target = options.target(machine, true);
    if args.curves.curves.is_some() {
        let base = curves::base(&asked, &args.curves)?;
        return along_a_variable(described, args, &base, target, options, terminal);
    }
    if asked.is_empty() {
        return Err(Failure::usage("a description in formulas needs values for the prediction")
            .help("--predict N=2097152,P=32, where P is the number of processors"));
    }
    let title = described.name();
    let about = described.about();
    let head = ObspHead { subject: &title, about, machine, target: &target };
    let mut predictions = Vec::new();
    let reservation = machine.reservation();
    if let Some(reservation) = &reservation {
        terminal.warn(reservation);
    }
    let deep = asked.len() == 1 || args.json;
    for point in &asked {
        let built = described.build(point.values(), terminal)?;
        let mut notes: Vec<String> = built.notes.iter().map(ToString::to_string).collect();
        notes.extend(options.fewer_draws(built.program.size()));
        for note in &notes {
            terminal.warn(&format!("{point}: {note}"));
        }
        notes.extend(reservation.clone());
        notes.extend(described.doubts().reservation());
        for refusal in &built.refusals {
            terminal.warn(&format!("{point}: {refusal}"));
        }
        if !built.refusals.is_empty() {
            let processors = built.program.processors();
            predictions.push(Prediction::refused(
                point.values(),
                processors,
                &built.refusals,
                notes,
            ));
            continue;
        }
        let subject = Subject {
            program: &built.program,
            quantities: built.quantities,
            values: point.values(),
            measured: None,
            of_virtual_processors: false,
            notes,
        };
        let draws = options.draws(built.program.size());
        predictions.push(predict(subject, &target, &draws, deep)?);
    }
    if args.json {
        terminal.json(&Predictions::new(&title, &target, &predictions))?;
    } else if let [prediction] = &predictions[..] {
        terminal.print(obsp_text(&head, prediction, args.shown(), &terminal.style()))?;
    } else {
        terminal.print(obsp_table(&head, &predictions, &terminal.style()))?;
    }
    // No prediction at all was possible.
    if predictions.iter().all(|prediction| !prediction.refusals.is_empty()) {
        Err(Failure::Reported(Status::Fit))
    } else {
        Ok(0)
    }
}

/// Compares the description with others along a variable.
fn along_a_variable(
    described: Described,
    args: &ObspArgs,
    base: &[(String, f64)],
    target: Target<'_>,
    options: &ObspOptions,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let mut all = vec![described];
    for path in &args.curves.against {
        all.push(Described::read(path, terminal)?);
    }
    let curve =
        |described| Box::new(Curve { described, target, options }) as Box<dyn CurveSource + '_>;
    let mut subjects: Vec<Box<dyn CurveSource + '_>> = all.iter().map(curve).collect();
    curves::run(&mut subjects, base, &args.curves, args.json, terminal)
}

/// The time of a description along a variable.
struct Curve<'a> {
    described: &'a Described,
    target: Target<'a>,
    options: &'a ObspOptions,
}

impl Curve<'_> {
    fn at(
        &self,
        point: &[(String, f64)],
        terminal: &Terminal,
        rules: &[Rule],
        count: usize,
    ) -> Result<CurveTime, Failure> {
        let built = self.described.build(point, terminal)?;
        if let Some(refusal) = built.refusals.first() {
            let point = Location::new(point.to_vec());
            return Err(Failure::fit(format!("{point}: {refusal}"))
                .help("a curve needs a value at each of its points: --curves over other values"));
        }
        let mut quantities = built.quantities;
        let mut taken = Vec::new();
        let mut prediction = CurveTime::default();
        for &rule in rules {
            let pricing =
                Pricing::new(&built.program, rule, &self.target, &mut quantities, &mut taken);
            let pricing = match pricing {
                Ok(pricing) => pricing,
                Err(_) if rule != Rule::ObspStar => continue,
                Err(missing) => return Err(Failure::input(missing.to_string())),
            };
            if rule == Rule::ObspStar {
                let afford = self.options.draws(built.program.size());
                let draws = Draws { count: count.min(afford.count), ..afford };
                let interval = interval(&built.program, &pricing, &quantities, &draws);
                prediction.value = interval.value.get();
                prediction.band = (count > 0).then_some((interval.low.get(), interval.high.get()));
            } else {
                let values = quantities.values();
                let time = Evaluator::default().time(&built.program, &pricing, &values);
                prediction.beside.push((rule.name().to_owned(), time.get()));
            }
        }
        prediction.notes = self.target.machine.reservation().into_iter().collect();
        prediction.notes.extend(built.notes.iter().map(ToString::to_string));
        prediction.notes.extend(taken.iter().map(|taken| {
            format!("{} ({}): {}", taken.rule.name(), taken.asked, taken.substitution)
        }));
        Ok(prediction)
    }
}

impl CurveSource for Curve<'_> {
    fn name(&self) -> String {
        self.described.name()
    }

    fn doubts(&self) -> Doubts {
        self.described.doubts().clone()
    }

    fn kind(&self) -> &'static str {
        Rule::ObspStar.name()
    }

    fn time(&mut self, point: &[(String, f64)], terminal: &Terminal) -> Result<CurveTime, Failure> {
        self.at(point, terminal, &Rule::ALL, self.options.draws.count)
    }

    fn value(&mut self, point: &[(String, f64)], terminal: &Terminal) -> Result<f64, Failure> {
        Ok(self.at(point, terminal, &[Rule::ObspStar], 0)?.value)
    }
}
