//! Computes the time of a program and its parts.

use cll_machine::Missing;
use cll_model::log::Measured;
use cll_model::{
    Breakdown, Draws, Parts, Pricing, Program, Quantities, Rule, Target, breakdown, critical_path,
    influences, interval,
};

use cll_units::Seconds;

use super::{Account, ObjectRow, Prediction, QuantityInfluence, Said, Stretch, SuperstepRow};

/// A program to be predicted.
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The quantities that make up the times.
    pub quantities: Quantities,
    /// Values of variables; empty for a log.
    pub values: &'a [(String, f64)],
    /// Measured total, and each superstep's.
    pub measured: Option<(Seconds, &'a [Vec<Measured>])>,
    /// Notes that the reader should know.
    pub notes: Vec<String>,
    /// Whether the measured time is the time on virtual processors.
    pub of_virtual_processors: bool,
}

/// Computes the time of a program by all three models, and the parts of the time of the last model.
///
/// # Errors
/// If the machine has nothing for OBSP*.
pub fn predict(
    mut subject: Subject<'_>,
    target: &Target<'_>,
    draws: &Draws,
    deep: bool,
) -> Result<Prediction, Missing> {
    let program = subject.program;
    let mut substitutions = Vec::new();
    let mut models = Vec::new();
    let mut account = None;
    let mut priced = Vec::new();
    for rule in Rule::ALL {
        let pricing =
            Pricing::new(program, rule, target, &mut subject.quantities, &mut substitutions);
        priced.push((rule, pricing));
    }
    let quantities = &subject.quantities;
    for (rule, pricing) in priced {
        let pricing = match pricing {
            Ok(pricing) => pricing,
            Err(missing) if rule != Rule::ObspStar => {
                let missing = Some(missing.to_string());
                models.push(Said { model: rule, time: None, error: None, missing });
                continue;
            }
            Err(missing) => return Err(missing),
        };
        let time = interval(program, &pricing, quantities, draws);
        let error = subject.measured.map(|(measured, _)| (measured - time.value) / measured);
        models.push(Said { model: rule, time: Some(time), error, missing: None });
        if rule == Rule::ObspStar && deep {
            account = Some(taken_apart(program, &pricing, quantities, subject.measured));
        }
    }
    Ok(Prediction {
        at: subject.values.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
        processors: program.processors(),
        measured: subject.measured.map(|(measured, _)| measured),
        of_virtual_processors: subject.of_virtual_processors,
        models,
        account,
        substitutions,
        notes: subject.notes,
        refusals: Vec::new(),
    })
}

fn taken_apart(
    program: &Program,
    pricing: &Pricing,
    quantities: &Quantities,
    measured: Option<(Seconds, &[Vec<Measured>])>,
) -> Account {
    let values = quantities.values();
    let Breakdown { processors, supersteps, outside, .. } = breakdown(program, pricing, &values);
    let path = critical_path(program, pricing, &values);
    let mut rows = Vec::new();
    let mut objects = Vec::new();
    for (index, (object, accounts)) in program.objects().iter().zip(&supersteps).enumerate() {
        let mut all = Parts::default();
        let mut seen = measured.map(|_| Measured::default());
        for (number, (superstep, account)) in object.supersteps.iter().zip(accounts).enumerate() {
            let measured =
                measured.and_then(|(_, by_object)| by_object.get(index)?.get(number)).copied();
            all.add(&account.mean);
            if let (Some(seen), Some(measured)) = (&mut seen, measured) {
                seen.computation += measured.computation;
                seen.communication += measured.communication;
                seen.waiting += measured.waiting;
            }
            rows.push(SuperstepRow {
                object: index,
                superstep: number + 1,
                place: superstep.name.clone(),
                pattern: superstep.pattern.name(),
                h_bytes: account.h_bytes,
                times: account.times,
                mean: account.mean,
                measured,
            });
        }
        objects.push(ObjectRow {
            name: object.name.clone(),
            processors: object.processors,
            supersteps: object.supersteps.len(),
            mean: all,
            measured: seen,
        });
    }
    let critical_path = (path.steps.iter())
        .map(|step| Stretch {
            object: step.object,
            superstep: step.superstep + 1,
            processor: step.processor,
            decides: step.decides,
            parts: step.parts,
        })
        .collect();
    let all = influences(program, pricing, quantities);
    let influences = (all.into_iter())
        .map(|influence| QuantityInfluence {
            quantity: quantities.all()[influence.quantity].clone(),
            influence,
        })
        .collect();
    Account {
        objects,
        supersteps: rows,
        processors,
        outside,
        critical_path,
        last: path.last,
        influences,
    }
}
