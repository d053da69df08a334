//! Predicts a description in formulas.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cll_machine::Machine;
use cll_model::formula::{Built, Description, Fits, parse};
use cll_model::{Draws, Evaluator, Pricing, Rule, Target, interval};
use cll_report::{ObspHead, obsp_table, obsp_text};
use cll_result::obsp::{Predictions, Subject};

use super::{draws, fewer_draws, predict, target};
use crate::cli::ObspArgs;
use crate::commands::curves::{self, Found, Timed};
use crate::commands::fit::asked;
use crate::failure::{Failure, Status, unreadable};
use crate::files;
use crate::terminal::Terminal;
use cll_analysis::{Messages, read_model};

/// A description, with the fits that it names.
#[derive(Debug)]
pub struct Described {
    path: String,
    text: Vec<u8>,
    description: Description,
    fits: Fits,
}

impl Described {
    /// Reads the file, and the models that it names, relative to its folder.
    pub fn read(path: &Path, messages: &dyn Messages) -> Result<Described, Failure> {
        let text = fs::read(path).map_err(|error| unreadable(path, &error))?;
        let name = path.display().to_string();
        let utf8 = std::str::from_utf8(&text)
            .map_err(|error| Failure::input(format!("{name} is not UTF-8: {error}")))?;
        let (description, diagnostics) = parse(utf8);
        messages.diagnose(&name, &text, &diagnostics);
        let Some(description) = description else { return Err(Failure::Reported(Status::Input)) };
        let mut fits = Fits::new();
        for file in description.files() {
            let model = read_model(&files::folder(path).join(file))?;
            if let Some(reservation) = model.reservation() {
                messages.warn(&format!("{file}: {reservation}"));
            }
            let of: BTreeMap<_, _> = (model.experiments.into_iter())
                .filter_map(|one| Some((one.name, one.fit?)))
                .collect();
            fits.insert(file.to_owned(), of);
        }
        Ok(Described { path: name, text, description, fits })
    }

    /// The program at values of its variables.
    pub fn build(&self, at: &[(String, f64)], messages: &dyn Messages) -> Result<Built, Failure> {
        self.description.build(&self.fits, at).map_err(|diagnostic| {
            messages.diagnose(&self.path, &self.text, std::slice::from_ref(&*diagnostic));
            Failure::Reported(Status::Input)
        })
    }

    /// The file's text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// What it is called.
    pub fn name(&self) -> String {
        match self.description.name.as_str() {
            "" => self.path.clone(),
            name => name.to_owned(),
        }
    }
}

/// Predicts at all requested points, or along a variable.
pub fn run(
    file: &Path,
    args: &ObspArgs,
    machine: &Machine,
    terminal: &mut Terminal,
) -> Result<u8, Failure> {
    let described = Described::read(file, terminal)?;
    let asked = asked(&args.predict)?;
    let target = target(args, machine, true);
    if args.curves.curves.is_some() {
        let base = curves::base(&asked, &args.curves)?;
        let mut all = vec![described];
        for path in &args.curves.against {
            all.push(Described::read(path, terminal)?);
        }
        let curve = |described| Box::new(Curve { described, target, args }) as Box<dyn Timed + '_>;
        let mut subjects: Vec<Box<dyn Timed + '_>> = all.iter().map(curve).collect();
        return curves::run(&mut subjects, &base, &args.curves, args.json, terminal);
    }
    if asked.is_empty() {
        return Err(Failure::usage("a description in formulas needs values for the prediction")
            .help("--predict N=2097152,P=32, where P is the number of processors"));
    }
    let title = described.name();
    let about = described.description.about.as_str();
    let head = ObspHead { subject: &title, about, machine, target: &target };
    let mut predictions = Vec::new();
    let reservation = machine.reservation();
    if let Some(reservation) = &reservation {
        terminal.warn(reservation);
    }
    let deep = asked.len() == 1 || args.json;
    for at in &asked {
        let built = described.build(at.values(), terminal)?;
        let mut notes: Vec<String> = built.notes.iter().map(ToString::to_string).collect();
        notes.extend(fewer_draws(args.draws, built.program.size()));
        for note in &notes {
            terminal.warn(&format!("{at}: {note}"));
        }
        notes.extend(reservation.clone());
        let subject = Subject {
            program: &built.program,
            quantities: built.quantities,
            at: at.values(),
            measured: None,
            of_virtual_processors: false,
            notes,
        };
        let draws = draws(args, built.program.size());
        predictions.push(predict(subject, &target, &draws, deep)?);
    }
    if args.json {
        terminal.json(&Predictions::of(&title, &target, &predictions))?;
    } else if let [one] = &predictions[..] {
        terminal.print(obsp_text(&head, one, args.top, &terminal.style()))?;
    } else {
        terminal.print(obsp_table(&head, &predictions, &terminal.style()))?;
    }
    Ok(0)
}

/// The time of a description along a variable.
struct Curve<'a> {
    described: &'a Described,
    target: Target<'a>,
    args: &'a ObspArgs,
}

impl Curve<'_> {
    fn at(
        &self,
        at: &[(String, f64)],
        terminal: &Terminal,
        rules: &[Rule],
        count: usize,
    ) -> Result<Found, Failure> {
        let built = self.described.build(at, terminal)?;
        let mut quantities = built.quantities;
        let mut taken = Vec::new();
        let mut found = Found::default();
        for &rule in rules {
            let pricing =
                Pricing::new(&built.program, rule, &self.target, &mut quantities, &mut taken);
            let pricing = match pricing {
                Ok(pricing) => pricing,
                Err(_) if rule != Rule::ObspStar => continue,
                Err(missing) => return Err(Failure::input(missing.to_string())),
            };
            if rule == Rule::ObspStar {
                let afford = draws(self.args, built.program.size());
                let draws = Draws { count: count.min(afford.count), ..afford };
                let interval = interval(&built.program, &pricing, &quantities, &draws);
                found.value = interval.value.get();
                found.band = (count > 0).then_some((interval.low.get(), interval.high.get()));
            } else {
                let values = quantities.values();
                let time = Evaluator::default().time(&built.program, &pricing, &values);
                found.beside.push((rule.name().to_owned(), time.get()));
            }
        }
        found.notes = self.target.machine.reservation().into_iter().collect();
        found.notes.extend(built.notes.iter().map(ToString::to_string));
        found.notes.extend(
            taken
                .iter()
                .map(|one| format!("{} ({}): {}", one.rule.name(), one.asked, one.substitution)),
        );
        Ok(found)
    }
}

impl Timed for Curve<'_> {
    fn name(&self) -> String {
        self.described.name()
    }

    fn kind(&self) -> &'static str {
        Rule::ObspStar.name()
    }

    fn time(&mut self, at: &[(String, f64)], terminal: &Terminal) -> Result<Found, Failure> {
        self.at(at, terminal, &Rule::ALL, self.args.draws)
    }

    fn value(&mut self, at: &[(String, f64)], terminal: &Terminal) -> Result<f64, Failure> {
        Ok(self.at(at, terminal, &[Rule::ObspStar], 0)?.value)
    }
}
