//! Points that are excluded from the fit, and its predictions there.

use cll_fit::Fit;
use cll_result::{HeldOutModel, ModelFile, Predicted, PredictionView};

use super::predictions::locations;
use crate::Error;
use cll_campaign::{Location, is_same};
use cll_diagnostic::suggestion;

/// An option `--hold-out`: the points that it names.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldOut {
    /// The text of the option.
    text: String,
    points: Vec<Location>,
}

/// The measurements that are planned, as far as they are known before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planned {
    /// For each experiment the variables whose values it saves.
    pub variables: Vec<Vec<String>>,
    /// Variables with all the values that they will have.
    pub values: Vec<(String, Vec<f64>)>,
}

impl HoldOut {
    /// Reads the options.
    ///
    /// # Errors
    /// If one has no values.
    pub fn all(texts: &[String]) -> Result<Vec<HoldOut>, Error> {
        let parse = |text: &String| Ok(HoldOut { text: text.clone(), points: locations(text)? });
        texts.iter().map(parse).collect()
    }

    /// The points that the option names.
    pub fn points(&self) -> &[Location] {
        &self.points
    }

    fn wrong(&self, why: &str) -> Error {
        Error::request(format!("--hold-out {}: {why}", self.text)).advise(
            "it excludes measured points from the fit and compares them with the prediction",
        )
    }
}

/// Whether a point is held out. Points of an experiment without the variables are not.
pub fn is_held_out(variables: &[String], values: &[f64], asked: &[HoldOut]) -> bool {
    asked.iter().any(|option| option.points.iter().any(|point| point.is_of(variables, values)))
}

/// Checks before the measurement that the points to hold out will be measured. Returns warnings for options of
/// which only some values will be.
///
/// # Errors
/// If there is no such variable, or none of an option's values will be measured.
pub fn check_planned(asked: &[HoldOut], planned: &Planned) -> Result<Vec<String>, Error> {
    let mut warnings = Vec::new();
    for option in asked {
        let names: Vec<&String> =
            option.points.iter().flat_map(Location::values).map(|(name, _)| name).collect();
        let mut known: Vec<&str> = planned.variables.iter().flatten().map(String::as_str).collect();
        known.sort_unstable();
        known.dedup();
        if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
            let why = format!("no experiment has a variable {name}: {}", suggestion(name, &known));
            return Err(option.wrong(&why));
        }
        if !planned.variables.iter().any(|own| names.iter().all(|name| own.contains(name))) {
            return Err(option.wrong("no experiment has all of these variables"));
        }
        let missing: Vec<&(String, f64)> =
            option.points.iter().filter_map(|point| planned.missing(point)).collect();
        let Some((name, value)) = missing.first() else { continue };
        let is_all = missing.len() == option.points.len();
        let values = planned.values.iter().find(|(known, _)| known == name);
        let values = values.map_or(String::new(), |(_, values)| in_words(values));
        if is_all {
            return Err(option
                .wrong(&format!("nothing will be measured at {name} = {value}: it has {values}"))
                .advise(format!(
                    "if the program computes its {name} from an argument, give that argument \
                     another name than {name} in --vary"
                )));
        }
        let all: Vec<String> =
            missing.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        warnings.push(format!(
            "--hold-out {}: nothing will be measured at {}",
            option.text,
            all.join(" and ")
        ));
    }
    Ok(warnings)
}

impl Planned {
    /// The values of a point that will not be measured.
    fn missing<'a>(&self, point: &'a Location) -> Option<&'a (String, f64)> {
        point.values().iter().find(|(name, wanted)| {
            let known = self.values.iter().find(|(known, _)| known == name);
            known.is_some_and(|(_, values)| !values.iter().any(|value| is_same(*value, *wanted)))
        })
    }
}

/// Checks that the points to hold out were measured. `measured` are the values of the experiments' points with the
/// names of their variables.
///
/// # Errors
/// If none of an option's values was measured.
pub fn check_measured(asked: &[HoldOut], measured: &[(&[String], &[f64])]) -> Result<(), Error> {
    for option in asked {
        let is_there =
            |point: &Location| measured.iter().any(|(names, values)| point.is_of(names, values));
        if option.points.iter().any(is_there) {
            continue;
        }
        let mut there = String::new();
        for (name, _) in option.points.first().map_or(&[][..], Location::values) {
            let value_of = |(names, values): &(&[String], &[f64])| {
                names.iter().position(|known| known == name).map(|k| values[k])
            };
            let mut values: Vec<f64> = measured.iter().filter_map(value_of).collect();
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            there += &if values.is_empty() {
                format!("; no experiment has a variable {name}")
            } else {
                format!("; {name} has {}", in_words(&values))
            };
        }
        return Err(option.wrong(&format!("nothing was measured there{there}")));
    }
    Ok(())
}

/// The first few values.
fn in_words(values: &[f64]) -> String {
    const MAX_VALUES: usize = 12;
    let mut words: Vec<String> = values.iter().take(MAX_VALUES).map(f64::to_string).collect();
    if values.len() > MAX_VALUES {
        words.push(format!("… ({} values)", values.len()));
    }
    let noun = if values.len() == 1 { "the value" } else { "the values" };
    format!("{noun} {}", words.join(", "))
}

/// Checks that the points to hold out exist.
///
/// # Errors
/// If there are none.
pub fn check_held_out(model: &ModelFile, asked: &[HoldOut]) -> Result<(), Error> {
    if asked.is_empty() || !model.has_fit() {
        return Ok(());
    }
    let mut measured: Vec<(&[String], &[f64])> = Vec::new();
    for experiment in &model.experiments {
        let held =
            experiment.held_out.iter().map(|held| (&experiment.variables[..], &held.values[..]));
        measured.extend(held);
        let fitted = experiment.fit.iter().flat_map(|fit| {
            fit.residuals.iter().map(|point| (&fit.recorded[..], &point.values[..]))
        });
        measured.extend(fitted);
    }
    check_measured(asked, &measured)
}

/// The predictions of the fits at the held-out points, beside the measured values.
pub fn predicted_held_out(model: &ModelFile) -> Vec<Predicted> {
    let mut all = Vec::new();
    for (experiment, experiment_model) in model.experiments.iter().enumerate() {
        let Some(fit) = &experiment_model.fit else { continue };
        all.extend(
            experiment_model.held_out.iter().filter_map(|held| predicted_by(experiment, fit, held)),
        );
    }
    all
}

fn predicted_by(experiment: usize, fit: &Fit, held: &HeldOutModel) -> Option<Predicted> {
    let value = |variable: &String| {
        let k = fit.recorded.iter().position(|known| known == variable)?;
        held.values.get(k).copied()
    };
    let values: Vec<f64> = fit.variables.iter().map(value).collect::<Option<_>>()?;
    let view = PredictionView::beside(fit, &values, held.measured);
    Some(Predicted::new(experiment, fit, view))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(texts: &[&str]) -> Vec<HoldOut> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        HoldOut::all(&texts).unwrap()
    }

    fn message(result: Result<impl std::fmt::Debug, Error>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn points_are_held_out_by_some_of_their_values() {
        let names = ["N".to_owned(), "P".to_owned()];
        let is = |text: &str, values: [f64; 2]| is_held_out(&names, &values, &options(&[text]));
        assert!(is("N=2", [2.0, 1.0]) && is("N=2,P=1", [2.0, 1.0]) && is("N=1,2", [2.0, 1.0]));
        assert!(!is("N=2,P=2", [2.0, 1.0]) && !is("M=2", [2.0, 1.0]) && !is("N=3", [2.0, 1.0]));
        assert!(is("N=0.1", [0.1, 0.0]) && is("N=0", [0.0, 0.0]));
    }

    #[test]
    fn what_will_not_be_measured_is_reported_before() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let planned = Planned {
            variables: vec![names(&["N", "P"]), names(&["s->n"])],
            values: vec![("N".to_owned(), vec![1.0, 2.0]), ("P".to_owned(), vec![4.0])],
        };
        let check = |texts: &[&str]| check_planned(&options(texts), &planned);
        assert_eq!(check(&["N=2", "N=1,P=4", "s->n=77"]).unwrap(), [""; 0]);
        assert!(message(check(&["N=2", "M=2"])).contains("variable M: did you mean N?"));
        assert!(message(check(&["N=2,s->n=3"])).contains("all of these variables"));
        let wrong = message(check(&["P=4", "N=3"]));
        assert!(wrong.starts_with("--hold-out N=3: nothing will be measured at N = 3"), "{wrong}");
        assert!(wrong.ends_with("the values 1, 2"), "{wrong}");
        assert!(message(check(&["N=1,P=2"])).contains("at P = 2: it has the value 4"));
        // Some of several values may be measured.
        let warnings = check(&["N=2,3"]).unwrap();
        assert_eq!(warnings, ["--hold-out N=2,3: nothing will be measured at N = 3"]);
    }

    #[test]
    fn what_was_not_measured_is_reported_with_what_was() {
        let names = ["N".to_owned()];
        let measured: Vec<(&[String], &[f64])> = vec![(&names, &[1.0]), (&names, &[2.0])];
        assert!(check_measured(&options(&["N=2", "N=1,7"]), &measured).is_ok());
        let wrong = message(check_measured(&options(&["N=2", "N=3"]), &measured));
        assert!(wrong.ends_with("nothing was measured there; N has the values 1, 2"), "{wrong}");
        let wrong = message(check_measured(&options(&["M=3"]), &measured));
        assert!(wrong.ends_with("no experiment has a variable M"), "{wrong}");
    }
}
