//! A prediction with everything that is told of it: `docs/formats/obsp.md` describes its JSON.

use cll_model::log::Measured;
use cll_model::{
    Breakdown, Draws, Influence, Interval, Parts, Pricing, Program, Quantities, Quantity, Rule,
    Taken, Target, breakdown, critical_path, influences, interval,
};
use serde::Serialize;

use crate::failure::Failure;

/// What a model says.
#[derive(Debug, Serialize)]
pub struct Said {
    pub model: Rule,
    #[serde(flatten)]
    pub time: Option<Interval>,
    /// (measured - model)/measured.
    pub error: Option<f64>,
    /// Why there is no time.
    pub missing: Option<String>,
}

/// A superstep and its account.
#[derive(Debug, Serialize)]
pub struct Row {
    pub object: usize,
    pub superstep: usize,
    pub place: String,
    pub pattern: &'static str,
    pub h_bytes: f64,
    pub times: u64,
    #[serde(flatten)]
    pub mean: Parts,
    pub measured: Option<Measured>,
}

/// A machine object, over all that are alike.
#[derive(Debug, Serialize)]
pub struct ObjectRow {
    pub name: String,
    pub processors: u32,
    pub supersteps: usize,
    #[serde(flatten)]
    pub mean: Parts,
    pub measured: Option<Measured>,
}

/// A stretch of the critical path.
#[derive(Debug, Serialize)]
pub struct Stretch {
    pub object: usize,
    pub superstep: usize,
    pub processor: u32,
    pub decides: bool,
    #[serde(flatten)]
    pub parts: Parts,
}

/// Where the time of OBSP* goes.
#[derive(Debug, Serialize)]
pub struct Account {
    pub objects: Vec<ObjectRow>,
    pub supersteps: Vec<Row>,
    pub processors: Vec<Parts>,
    pub outside_s: f64,
    pub critical_path: Vec<Stretch>,
    pub last: u32,
    pub influences: Vec<Hangs>,
}

/// What a quantity means for the total.
#[derive(Debug, Serialize)]
pub struct Hangs {
    #[serde(flatten)]
    pub quantity: Quantity,
    #[serde(flatten)]
    pub influence: Influence,
}

/// All that is told of one prediction.
#[derive(Debug, Serialize)]
pub struct Prediction {
    /// Values of variables; empty for a log.
    pub at: serde_json::Map<String, serde_json::Value>,
    pub processors: u32,
    pub measured_s: Option<f64>,
    pub models: Vec<Said>,
    pub account: Option<Account>,
    pub substitutions: Vec<Taken>,
    pub notes: Vec<String>,
}

/// A program to be predicted.
pub struct Subject<'a> {
    pub program: &'a Program,
    pub quantities: Quantities,
    pub at: &'a [(String, f64)],
    /// Measured total, and each superstep's.
    pub measured: Option<(f64, &'a [Vec<Measured>])>,
    pub notes: Vec<String>,
}

/// Prices a program by all three models, and takes the time of the last apart.
///
/// # Errors
/// If the machine has nothing for OBSP*.
pub fn predict(
    mut subject: Subject<'_>,
    target: &Target<'_>,
    draws: &Draws,
    deep: bool,
) -> Result<Prediction, Failure> {
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
            Err(missing) => {
                return Err(Failure::input(missing.to_string())
                    .help("cll machine show MACHINE tells what a machine's file has"));
            }
        };
        let time = interval(program, &pricing, quantities, draws);
        let error = subject.measured.map(|(measured, _)| (measured - time.value_s) / measured);
        models.push(Said { model: rule, time: Some(time), error, missing: None });
        if rule == Rule::ObspStar && deep {
            account = Some(taken_apart(program, &pricing, quantities, subject.measured));
        }
    }
    Ok(Prediction {
        at: subject.at.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
        processors: program.processors(),
        measured_s: subject.measured.map(|(measured, _)| measured),
        models,
        account,
        substitutions,
        notes: subject.notes,
    })
}

fn taken_apart(
    program: &Program,
    pricing: &Pricing,
    quantities: &Quantities,
    measured: Option<(f64, &[Vec<Measured>])>,
) -> Account {
    let values = quantities.values();
    let Breakdown { processors, supersteps, outside_s, .. } = breakdown(program, pricing, &values);
    let path = critical_path(program, pricing, &values);
    let mut rows = Vec::new();
    let mut objects = Vec::new();
    for (index, (object, accounts)) in program.objects().iter().zip(&supersteps).enumerate() {
        let mut all = Parts::default();
        let mut seen = measured.map(|_| Measured::default());
        for (number, (one, account)) in object.supersteps.iter().zip(accounts).enumerate() {
            let measured = measured.and_then(|(_, of)| of.get(index)?.get(number)).copied();
            all.add(&account.mean);
            if let (Some(seen), Some(measured)) = (&mut seen, measured) {
                seen.computation_s += measured.computation_s;
                seen.communication_s += measured.communication_s;
                seen.waiting_s += measured.waiting_s;
            }
            rows.push(Row {
                object: index,
                superstep: number + 1,
                place: one.name.clone(),
                pattern: one.shape.name(),
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
    let hangs = influences(program, pricing, quantities);
    let influences = (hangs.into_iter())
        .map(|influence| Hangs {
            quantity: quantities.all()[influence.quantity].clone(),
            influence,
        })
        .collect();
    Account {
        objects,
        supersteps: rows,
        processors,
        outside_s,
        critical_path,
        last: path.last,
        influences,
    }
}
