//! From a description to a program at a point.

use std::collections::HashMap;
use std::sync::Arc;

use cll_diagnostic::Diagnostic;

use super::block::Blocks;
use super::expression::Expression;
use super::read::{Action, Cuts, Description, End, Repeat, Step, SuperstepText};
use super::scope::{NoValue, Scope};
use super::send::traffic;
use super::{Built, Fits, codes};
use crate::program::{
    Ending, Object, Parameter, Part, Partners, Phase, Program, Superstep, Term, Work,
};

/// Objects within objects.
const DEEPEST: usize = 100;
/// Supersteps of all objects together.
const MOST_SUPERSTEPS: usize = 2_000_000;
/// Processors.
const MOST_PROCESSORS: f64 = 16_777_216.0;

pub(super) fn build(
    description: &Description,
    fits: &Fits,
    point: &[(String, f64)],
) -> Result<Built, Box<Diagnostic>> {
    let start = &description.start_span;
    let wrong = |code, message: String| Box::new(Diagnostic::error(code, start.clone(), message));
    let processors = point.iter().find(|(name, _)| name == "P").map(|(_, value)| *value);
    let Some(processors) = processors else {
        return Err(wrong(codes::NAME, "P, the number of processors, has no value".to_owned()));
    };
    if processors.fract() != 0.0 || !(1.0..=MOST_PROCESSORS).contains(&processors) {
        let message =
            format!("P = {processors}: a whole number from 1 to {MOST_PROCESSORS} is needed");
        return Err(wrong(codes::VALUE, message));
    }
    let mut builder = Builder {
        description,
        fits,
        blocks: Blocks::default(),
        objects: Vec::new(),
        known: HashMap::new(),
        supersteps: 0,
    };
    let scope = Scope::new(point, &description.define);
    builder.object(&description.start, processors as u32, scope, 0)?;
    let Builder { blocks, objects, .. } = builder;
    let program =
        Program::new(objects, Vec::new()).map_err(|flaw| wrong(codes::VALUE, flaw.to_string()))?;
    let Blocks { quantities, notes, refusals, .. } = blocks;
    Ok(Built { program, quantities, notes, refusals })
}

struct Builder<'a> {
    description: &'a Description,
    fits: &'a Fits,
    blocks: Blocks,
    objects: Vec<Object>,
    /// Objects by name and values. Equal ones are created only once.
    known: HashMap<(String, Vec<(String, u64)>), usize>,
    supersteps: usize,
}

impl Builder<'_> {
    fn object(
        &mut self,
        name: &str,
        processors: u32,
        mut scope: Scope,
        depth: usize,
    ) -> Result<usize, NoValue> {
        scope.set("P", f64::from(processors));
        let values = scope.values().iter().map(|(name, value)| (name.clone(), value.to_bits()));
        let key = (name.to_owned(), values.collect::<Vec<_>>());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let description = self.description;
        let steps = description.objects.get(name).map_or(&[][..], Vec::as_slice);
        if depth > DEEPEST {
            let message = format!(
                "objects lie in each other more than {DEEPEST} deep: does {name} divide itself without an end?"
            );
            let start = description.start_span.clone();
            return Err(NoValue::Reported(Box::new(
                Diagnostic::error(codes::SIZE, start, message)
                    .help("a condition ends the recursion: `when = \"P > 1\"`"),
            )));
        }
        let mut supersteps = Vec::new();
        self.steps(steps, processors, &scope, depth, &mut supersteps)?;
        self.objects.push(Object { name: name.to_owned(), processors, supersteps });
        self.known.insert(key, self.objects.len() - 1);
        Ok(self.objects.len() - 1)
    }

    fn steps(
        &mut self,
        steps: &[Step],
        processors: u32,
        scope: &Scope,
        depth: usize,
        out: &mut Vec<Superstep>,
    ) -> Result<(), NoValue> {
        for step in steps {
            let (when, repeat) = match step {
                Step::Loop { when, repeat, .. } => (when, Some(repeat)),
                Step::Superstep(superstep) => (&superstep.when, superstep.repeat.as_ref()),
            };
            if let Some(when) = when
                && !scope.holds(when)?
            {
                continue;
            }
            for scope in scopes(scope, repeat)? {
                match step {
                    Step::Loop { steps, .. } => {
                        self.steps(steps, processors, &scope, depth, out)?
                    }
                    Step::Superstep(superstep) => {
                        out.push(self.superstep(superstep, processors, &scope, depth)?);
                    }
                }
            }
        }
        Ok(())
    }

    fn superstep(
        &mut self,
        text: &SuperstepText,
        processors: u32,
        scope: &Scope,
        depth: usize,
    ) -> Result<Superstep, NoValue> {
        self.supersteps += 1;
        if self.supersteps > MOST_SUPERSTEPS {
            let message = format!("there are more than {MOST_SUPERSTEPS} supersteps");
            let reported = Diagnostic::error(codes::SIZE, text.span.clone(), message);
            return Err(NoValue::Reported(Box::new(reported)));
        }
        let mut phases = Vec::new();
        for action in &text.actions {
            match action {
                Action::Work { block, with, span } => {
                    let works = self.work(block, with, span, processors, scope)?;
                    phases.extend(works.into_iter().map(Phase::Work));
                }
                Action::Partition { at: cuts, into, with, span } => {
                    let ends = ends(cuts, processors, scope, span)?;
                    let mut parts = Vec::new();
                    let mut first = 0;
                    for (number, end) in ends.into_iter().enumerate() {
                        if end > first {
                            let mut inner = scope.with("part", number as f64);
                            let values: Result<Vec<f64>, NoValue> =
                                with.iter().map(|(_, value)| inner.value(value)).collect();
                            for ((name, _), value) in with.iter().zip(values?) {
                                inner.set(name, value);
                            }
                            // Parts that do the same share one object, unless their description uses the number of the
                            // part.
                            let plain = inner.with("part", 0.0);
                            let inner = if self.asks_part(into) { inner } else { plain };
                            let object = self.object(into, end - first, inner, depth + 1)?;
                            parts.push(Part { first, object });
                        }
                        first = end;
                    }
                    phases.push(Phase::Parts(parts));
                }
            }
        }
        let (traffic, pattern, partners) = match &text.send {
            Some(send) => traffic(send, scope, processors)?,
            None => (Default::default(), Default::default(), Partners::None),
        };
        let ending = match text.end {
            End::Barrier => Ending::Barrier,
            End::Oblivious => Ending::Oblivious(partners),
            End::Nothing => Ending::Nothing,
        };
        let name = match text.name.as_str() {
            "" => blocks(text),
            name => name.to_owned(),
        };
        Ok(Superstep { name, phases, traffic, pattern, ending })
    }

    /// Whether the description uses the number of the part.
    fn asks_part(&self, _into: &str) -> bool {
        let uses =
            |formula: &Expression| formula.quantity.variables().iter().any(|v| v.name == "part");
        self.description.define.iter().any(|(_, expression)| uses(expression))
            || self.description.blocks.values().any(|block| block.with.iter().any(|(_, e)| uses(e)))
            || self.description.objects.values().flatten().any(|step| step_uses(step, &uses))
    }

    /// One value for all processors; or if the expression uses pid, one for each.
    fn work(
        &mut self,
        name: &str,
        with: &[(String, Expression)],
        span: &std::ops::Range<usize>,
        processors: u32,
        scope: &Scope,
    ) -> Result<Vec<Work>, NoValue> {
        let description = self.description;
        let Some(block) = description.blocks.get(name) else { return Ok(Vec::new()) };
        let fits = self.fits;
        let mut terms = |scope: &Scope| {
            let values: Result<Vec<f64>, NoValue> =
                with.iter().map(|(_, value)| scope.value(value)).collect();
            let mut inner = scope.clone();
            for ((name, _), value) in with.iter().zip(values?) {
                inner.set(name, value);
            }
            self.blocks.terms(name, block, fits, &inner, span)
        };
        match terms(scope) {
            Ok(terms) => return Ok(vec![Work::Same(terms)]),
            Err(NoValue::Pid) => {}
            Err(reported) => return Err(reported),
        }
        let mut by_parameter: HashMap<Parameter, Vec<f64>> = HashMap::new();
        for pid in 0..processors {
            for Term { parameter, factor } in terms(&scope.with("pid", f64::from(pid)))? {
                let factors =
                    by_parameter.entry(parameter).or_insert_with(|| vec![0.0; processors as usize]);
                factors[pid as usize] += factor;
            }
        }
        let mut works: Vec<(Parameter, Vec<f64>)> = by_parameter.into_iter().collect();
        works.sort_by_key(|(parameter, _)| *parameter);
        let work = |(parameter, factors): (Parameter, Vec<f64>)| Work::Each {
            parameter,
            factors: Arc::from(factors),
        };
        Ok(works.into_iter().map(work).collect())
    }
}

fn step_uses(step: &Step, uses: &dyn Fn(&Expression) -> bool) -> bool {
    match step {
        Step::Loop { steps, repeat, .. } => {
            uses(&repeat.times) || steps.iter().any(|step| step_uses(step, uses))
        }
        Step::Superstep(superstep) => {
            let in_when = superstep.when.iter().flat_map(|when| &when.0);
            in_when.into_iter().any(|(a, _, b)| uses(a) || uses(b))
                || superstep.repeat.iter().any(|repeat| uses(&repeat.times))
                || superstep.send.iter().any(|send| uses(&send.bytes))
                || superstep.actions.iter().any(|action| match action {
                    Action::Work { with, .. } => with.iter().any(|(_, value)| uses(value)),
                    // Its values are already those of the parts.
                    Action::Partition { .. } => false,
                })
        }
    }
}

/// `E, F`.
fn blocks(text: &SuperstepText) -> String {
    let words: Vec<&str> = (text.actions.iter())
        .map(|action| match action {
            Action::Work { block, .. } => block.as_str(),
            Action::Partition { into, .. } => into.as_str(),
        })
        .collect();
    words.join(", ")
}

/// The scope of each passage of a loop.
fn scopes<'a>(
    scope: &'a Scope,
    repeat: Option<&'a Repeat>,
) -> Result<impl Iterator<Item = Scope> + 'a, NoValue> {
    let times = match repeat {
        None => 1,
        Some(repeat) => passages(scope, repeat)?,
    };
    let counter = repeat.and_then(|repeat| repeat.counter.as_deref());
    Ok((0..times).map(move |number| match counter {
        Some(counter) => scope.with(counter, f64::from(number)),
        None => scope.clone(),
    }))
}

fn passages(scope: &Scope, repeat: &Repeat) -> Result<u32, NoValue> {
    let times = scope.integer(&repeat.times, 0)?;
    if times as usize > MOST_SUPERSTEPS {
        let text = repeat.times.quantity.text();
        let message = format!("`{text}` is {times}: more supersteps than {MOST_SUPERSTEPS}");
        return Err(super::scope::reported(codes::SIZE, &repeat.times, message));
    }
    Ok(times)
}

/// The first processor behind each part.
fn ends(
    cuts: &Cuts,
    processors: u32,
    scope: &Scope,
    span: &std::ops::Range<usize>,
) -> Result<Vec<u32>, NoValue> {
    let wrong = |message: String| {
        NoValue::Reported(Box::new(Diagnostic::error(codes::VALUE, span.clone(), message)))
    };
    match cuts {
        Cuts::Equal(parts) => {
            let parts = scope.integer(parts, 1)?;
            if parts > processors {
                return Err(wrong(format!("{processors} processors have no {parts} parts")));
            }
            let end = |k: u32| (u64::from(k) * u64::from(processors) / u64::from(parts)) as u32;
            Ok((1..=parts).map(end).collect())
        }
        Cuts::Ends(ends) => {
            let mut numbers = Vec::with_capacity(ends.len());
            for end in ends {
                numbers.push(scope.integer(end, 0)?);
            }
            let ascending = numbers.windows(2).all(|pair| pair[0] <= pair[1]);
            if ascending && numbers.last() == Some(&processors) {
                Ok(numbers)
            } else {
                Err(wrong(format!(
                    "the ends {numbers:?} do not divide {processors} processors: they ascend, and the last is \
                     {processors}"
                )))
            }
        }
    }
}
