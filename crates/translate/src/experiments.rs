//! Groups places into experiments by name.

use std::collections::{HashMap, HashSet};

use cll_diagnostic::Diagnostic;

use crate::language::{Begin, Directive};
use crate::marks::{MarkId, Marked};
use crate::numbers::Numbers;
use crate::translation::{Experiment, Model};

/// The experiments in order of first appearance; contradictions between places are reported.
pub(crate) fn experiments(
    marked: &Marked<'_>,
    numbers: &Numbers,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Experiment> {
    let mut found: Vec<(Experiment, &Begin)> = Vec::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (&mark, &place) in &numbers.places {
        let Directive::Begin(begin) = &marked.marks[mark].directive else { continue };
        if begin.formula.is_none() && !begin.is_searched {
            continue;
        }
        let variables: Vec<String> = begin.values.iter().map(|value| value.name.clone()).collect();
        let known = by_name.get(&begin.name[..]).map(|&index| &mut found[index]);
        let Some((experiment, first)) = known else {
            let named = begin.values.iter().filter(|value| value.is_named);
            by_name.insert(&begin.name, found.len());
            let experiment = Experiment {
                name: begin.name.clone(),
                formula: begin.formula.clone(),
                variables,
                named: named.map(|value| value.name.clone()).collect(),
                places: vec![place],
            };
            found.push((experiment, begin));
            continue;
        };
        experiment.places.push(place);
        let is_same = match (&experiment.formula, &begin.formula) {
            (Some(first), Some(own)) => first.is_same(own),
            (first, own) => first.is_none() && own.is_none(),
        };
        if !is_same {
            diagnostics.push(
                Diagnostic::error(
                    "T012",
                    marked.marks[mark].span.clone(),
                    format!("experiment `{}` has two formulas", begin.name),
                )
                .label(format!("here it is {}", begin.formula_text()))
                .also(
                    first.name_span.clone(),
                    format!("first it was {}", experiment.formula_text()),
                )
                .help("an experiment has the same formula at all its places")
                .help(
                    "if a value has different names at these places, name it with `uses(N = \
                     sim->atoms->n)` and write `N` in the formula",
                ),
            );
        } else if experiment.variables != variables && begin.extent.is_none() {
            diagnostics.push(
                Diagnostic::error(
                    "T012",
                    marked.marks[mark].span.clone(),
                    format!("experiment `{}` saves different variables", begin.name),
                )
                .label(format!("here {}", listed(&variables)))
                .also(first.name_span.clone(), format!("first {}", listed(&experiment.variables)))
                .help("write the same `uses(…)` at every place of an experiment")
                .help(
                    "if a value has another name at some place, name it there: `uses(N = \
                     sim->atoms->n)`",
                ),
            );
        }
    }
    found.into_iter().map(|(experiment, _)| experiment).collect()
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// The content of the `parallel` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parallel {
    pub model: Model,
    /// The machine object or communicator, as C text.
    pub handle: Option<String>,
    /// Numbers of processors.
    pub procs: Option<Vec<u32>>,
    /// Whether a `parallel` line says it.
    pub is_said: bool,
}

/// The program's parallel model.
pub(crate) fn model(
    marked: &Marked<'_>,
    seen: &[bool],
    is_automatic: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Parallel {
    let mut said: Option<(MarkId, Parallel)> = None;
    for (id, mark) in marked.marks.iter().enumerate().filter(|&(id, _)| seen[id]) {
        let Directive::Parallel { model, handle, procs } = &mark.directive else { continue };
        let (handle, procs) = (handle.clone(), procs.clone());
        let own = Parallel { model: *model, is_said: true, handle, procs };
        match &said {
            None => said = Some((id, own)),
            Some((first, before)) if *before != own => {
                diagnostics.push(
                    Diagnostic::error("T021", mark.span.clone(), "a second `parallel` line")
                        .label("says otherwise")
                        .also(marked.marks[*first].span.clone(), "the first"),
                );
            }
            Some(_) => {}
        }
    }
    match said {
        Some((_, parallel)) => parallel,
        None if is_automatic => {
            Parallel { model: crate::automatic::model(marked), ..Parallel::default() }
        }
        None => Parallel::default(),
    }
}

/// Warnings about probable mistakes: `P` in a program with OpenMP directives but without a
/// `parallel` line; reports of experiments that do not exist.
pub(crate) fn advise(
    marked: &Marked<'_>,
    numbers: &Numbers,
    model: Model,
    experiments: &[Experiment],
    diagnostics: &mut Vec<Diagnostic>,
) {
    if marked.openmp && model == Model::Sequential {
        let uses_p = numbers.places.keys().find_map(|&mark| match &marked.marks[mark].directive {
            Directive::Begin(begin)
                if begin
                    .values
                    .iter()
                    .any(|value| value.name == "P" && value.may_be_of_model()) =>
            {
                Some(begin)
            }
            _ => None,
        });
        if let Some(begin) = uses_p {
            diagnostics.push(
                Diagnostic::warning(
                    "T022",
                    begin.name_span.clone(),
                    "the file has OpenMP directives but no `parallel` line",
                )
                .label("`P` is 1 here, unless the program declares its own")
                .help("write `#pragma cll parallel OpenMP` at the head of the file"),
            );
        }
    }
    let known: HashSet<&str> =
        experiments.iter().map(|experiment| experiment.name.as_str()).collect();
    for &mark in numbers.reports.keys() {
        let Directive::Report { names } = &marked.marks[mark].directive else { continue };
        for (name, span) in names {
            if !known.contains(&name[..]) {
                diagnostics.push(
                    Diagnostic::note(
                        "T023",
                        span.clone(),
                        format!("experiment `{name}` is not in this file"),
                    )
                    .label("it must be in another file of the program"),
                );
            }
        }
    }
}
