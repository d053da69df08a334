//! Tables fitted, compared and predicted.

use cll_analysis::Error;
use cll_analysis::{
    DataSource, FitRequest, HoldOut, Location, ReadData, SearchChoice, check_fitted,
    compare_models, fit_model, formulas, locations, mixture, predict_all, predicted_held_out,
    select,
};
use cll_fit::CompareOptions;
use cll_formula::Complexity;
use cll_import::ImportOptions;
use cll_result::ModelFile;
use tempfile::tempdir;

use crate::support::{Told, constant, line, line_of, message, model, parts, read, request, write};

/// A model of the line.
fn of_line(texts: &[&str]) -> ModelFile {
    fit(texts, |_| {}).unwrap()
}

/// The same with other choices.
fn fit(
    texts: &[&str],
    choose: impl FnOnce(&mut FitRequest),
) -> Result<ModelFile, cll_analysis::Error> {
    let source = DataSource::of_csv("line", line().as_bytes(), &ImportOptions::default()).unwrap();
    let mut request = request(texts);
    choose(&mut request);
    fit_model(ReadData::of(source), &request)
}

/// One report advises one formula.
#[test]
fn a_search_for_a_better_formula_replaces_the_advice_of_the_fit() {
    let mut text = "N,time\n".to_owned();
    for step in 1..=12u32 {
        for repetition in 0..3u32 {
            let n = f64::from(step) * 50.0;
            let off = 1.0 + 2e-3 * f64::from((step * 7 + repetition * 3) % 5) - 4e-3;
            text += &format!("{n},{}\n", (1e-6 + 2e-9 * n * n) * off);
        }
    }
    let source =
        || DataSource::of_csv("square", text.as_bytes(), &ImportOptions::default()).unwrap();
    let advice = |is_asked: bool| {
        let mut request = request(&["f[0] + f[1]*N"]);
        request.choices.suggest = is_asked.then(cll_search::Options::default);
        let model = fit_model(ReadData::of(source()), &request).unwrap();
        let experiment = &model.experiments[0];
        let warnings = &experiment.fit.as_ref().unwrap().warnings;
        let is_other = |code: &str| code == "other-formula";
        assert_eq!(
            warnings.iter().any(|warning| is_other(warning.code())),
            experiment.warnings.iter().any(|notice| is_other(&notice.code))
        );
        (
            experiment.warnings.iter().any(|notice| is_other(&notice.code)),
            experiment.suggestion.is_some(),
        )
    };
    assert_eq!(advice(false), (true, false));
    assert_eq!(advice(true), (false, true));
}

fn codes(model: &ModelFile) -> Vec<&str> {
    model.warnings.iter().map(|notice| notice.code.as_str()).collect()
}

#[test]
fn a_table_is_fitted_with_what_it_is_of() {
    let folder = tempdir().unwrap();
    let table = write(folder.path(), "line.csv", line());
    let model = model(std::slice::from_ref(&table), &["f[0] + f[1]*N"]);
    assert!((constant(&model, "f", 0) / 2e-6 - 1.0).abs() < 0.02);
    assert!((constant(&model, "f", 1) / 3e-9 - 1.0).abs() < 0.01);
    let experiment = &model.experiments[0];
    assert_eq!(
        (experiment.unit.as_str(), experiment.observable.as_str(), experiment.samples),
        ("s", "time", 24)
    );
    assert_eq!(experiment.column.as_ref().unwrap().file, table.display().to_string());
    assert!(model.program.is_none() && model.machine.is_none() && model.runs.is_empty());
    assert_eq!(model.created.len(), "2026-01-31T12:00:00Z".len());
}

#[test]
fn several_formulas_are_several_experiments_of_which_some_are_chosen() {
    let texts = ["a[0]*N", "b[0] + b[1]*N"];
    let names = |model: &ModelFile| {
        model.experiments.iter().map(|experiment| experiment.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&of_line(&texts)), ["a", "b"]);
    let chosen = fit(&texts, |request| request.choices.experiments = vec!["b".to_owned()]);
    assert_eq!(names(&chosen.unwrap()), ["b"]);
    let unknown = fit(&texts, |request| request.choices.experiments = vec!["bb".to_owned()]);
    let (error, text, _) = parts(unknown);
    assert!(matches!(error, Error::Content(_)), "{error:?}");
    assert!(text.starts_with("there is no experiment bb: "), "{text}");
    assert_eq!(select(vec!["x", "y"], &[], |one| one).unwrap(), ["x", "y"], "all");
}

#[test]
fn formulas_of_a_command_line_are_diagnosed() {
    let messages = Told::default();
    let read = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        formulas(&texts, &messages)
    };
    assert!(matches!(read(&["f[0]*N", "f[0]*"]), Err(cll_analysis::Error::Diagnosed)));
    assert!(
        messages.codes.borrow().iter().any(|code| code.starts_with("--formula F0")),
        "{:?}",
        messages.codes
    );
    let formulas = read(&["f[0] + f[1]*N^f[2]", "g[0]*N"]).unwrap();
    assert!(matches!(&formulas[..], [Complexity::Power(_), Complexity::Linear(_)]), "{formulas:?}");
}

#[test]
fn a_power_is_fitted_with_its_exponent() {
    let mut text = "N,time\n".to_owned();
    for step in 0..10 {
        let n = 1000.0 * 1.5f64.powi(step);
        for off in [0.999, 1.0, 1.001] {
            text += &format!("{n},{}\n", (1e-5 + 3e-9 * n.powf(1.7)) * off);
        }
    }
    let source = DataSource::of_csv("power", text.as_bytes(), &ImportOptions::default()).unwrap();
    let model = fit_model(ReadData::of(source), &request(&["f[0] + f[1]*N^f[2]"])).unwrap();
    let fit = model.experiments[0].fit.as_ref().unwrap();
    assert_eq!(fit.exponents[0].constant, "f[2]");
    assert!((fit.exponents[0].value - 1.7).abs() < 0.01, "{}", fit.exponents[0].value);
    // It is kept in the model, and predicts.
    let kept = ModelFile::parse(&model.to_json().unwrap()).unwrap();
    assert_eq!(kept, model);
    let value = predict_all(&kept, &locations("N=80000").unwrap()).unwrap()[0]
        .view
        .result
        .clone()
        .unwrap()
        .value;
    let truth = 1e-5 + 3e-9 * 80_000f64.powf(1.7);
    assert!((value / truth - 1.0).abs() < 0.03, "{value} {truth}");
}

#[test]
fn what_is_not_there_is_refused_with_what_there_is() {
    let text = message(fit(&[], |_| {}));
    assert!(text.contains("formula"), "{text}");
    let (error, text, _) =
        parts(fit(&["f[0]*N"], |request| request.shared = vec!["f[0],g[0]".to_owned()]));
    assert!(matches!(error, Error::Request(_)), "{error:?}");
    assert!(text.starts_with("--share: there is no constant g[0]"), "{text}");
}

#[test]
fn points_are_held_out_and_compared_with_the_prediction() {
    let hold = |text: &str| HoldOut::all(&[text.to_owned()]).unwrap();
    let model =
        fit(&["f[0] + f[1]*N"], |request| request.choices.held_out = hold("N=8000")).unwrap();
    let experiment = &model.experiments[0];
    assert_eq!(
        (experiment.held_out.len(), experiment.held_out[0].values.as_slice()),
        (1, &[8000.0][..])
    );
    assert_eq!(experiment.fit.as_ref().unwrap().residuals.len(), 7);
    let predicted = predicted_held_out(&model);
    assert!(predicted[0].view.error().unwrap().abs() < 0.01, "{predicted:?}");
    let text = message(fit(&["f[0]*N"], |request| request.choices.held_out = hold("N=9000")));
    assert!(text.contains("--hold-out N=9000"), "{text}");
    assert!(HoldOut::all(&["N".to_owned()]).is_err());
}

#[test]
fn a_search_finds_the_formula_of_a_table() {
    let model = fit(&[], |request| request.choices.search = Some(SearchChoice::default())).unwrap();
    let experiment = &model.experiments[0];
    let search = experiment.search.as_ref().expect("a search");
    assert_eq!(search.candidates[0].terms, ["1", "N"]);
    assert!(
        experiment.fit.is_some()
            && (constant(&model, &experiment.name, 1) / 3e-9 - 1.0).abs() < 0.01
    );
}

#[test]
fn values_at_which_to_predict() {
    let shown =
        |text: &str| locations(text).unwrap().iter().map(Location::to_string).collect::<Vec<_>>();
    assert_eq!(shown("N=1e3,P=8"), ["N=1000, P=8"]);
    assert_eq!(shown("N=1000:4000:*2,P=1,2").len(), 6);
    assert_eq!(shown("N=1,2"), ["N=1", "N=2"]);
    for (text, part) in [
        ("N", "`N`: "),
        ("N=1,N=2", "`N=1,N=2`: N is given twice"),
        ("N=x", "`x` is not a number"),
        ("=3", "`=3`: "),
    ] {
        let (error, told, help) = parts(locations(text));
        assert!(matches!(error, Error::Request(_)), "{error:?}");
        assert!(told.contains(part), "{told}");
        assert_eq!(help, ["values are given as N=3000, N=1e6,P=8 or N=1000:8000:*2"]);
    }
    let point = locations("N=1,P=2").unwrap().remove(0);
    assert_eq!(point.only(&["P".to_owned()]).unwrap().values(), [("P".to_owned(), 2.0)]);
    assert_eq!(point.only(&["M".to_owned()]), None);
}

#[test]
fn every_experiment_is_predicted_at_all_values() {
    let model = of_line(&["a[0]*N", "b[0] + b[1]*N"]);
    let predicted = predict_all(&model, &locations("N=3000,4000").unwrap()).unwrap();
    let all: Vec<(usize, f64)> =
        predicted.iter().map(|prediction| (prediction.experiment, prediction.view.at[0])).collect();
    assert_eq!(all, [(0, 3000.0), (0, 4000.0), (1, 3000.0), (1, 4000.0)]);
    let value = predicted[2].view.result.as_ref().unwrap().value;
    assert!((value / 1.1e-5 - 1.0).abs() < 0.01, "{value}");
    let (error, text, _) = parts(predict_all(&model, &locations("M=1").unwrap()));
    assert!(matches!(error, Error::Request(_)), "{error:?}");
    assert!(text.starts_with("no experiment has a variable M: "), "{text}");
    assert!(
        predict_all(&ModelFile::new(String::new()), &locations("M=1").unwrap()).unwrap().is_empty()
    );
}

#[test]
fn models_without_a_common_fit_are_not_compared() {
    let (a, b) = (of_line(&["a[0]*N"]), of_line(&["b[0]*N"]));
    let options = CompareOptions::default();
    assert!(!compare_models(&a, &a, &options).unwrap().slower);
    let (error, text, help) = parts(compare_models(&a, &b, &options));
    assert!(matches!(error, Error::Data(_)), "{error:?}");
    assert_eq!(text, "the models have no fitted experiment in common");
    assert_eq!(help, ["the old one has a"]);
    check_fitted(&a, "m".as_ref()).unwrap();
    let text = message(check_fitted(&ModelFile::new(String::new()), "m".as_ref()));
    assert_eq!(text, "m has no fitted experiment to compare with");
}

/// Rows that are left out, decimal commas, columns with other names: a notice each.
#[test]
fn what_was_read_as_what_is_in_the_model() {
    let folder = tempdir().unwrap();
    let text = line().replace("N,time", "problem size;t_us").replace(',', ";").replace('.', ",")
        + "9000;NaN\n";
    let table = write(folder.path(), "t.csv", text);
    let model = model(&[table], &["f[0] + f[1]*problem_size"]);
    let codes = codes(&model);
    for code in ["renamed", "left-out", "decimal-comma"] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    assert!(
        (constant(&model, "f", 1) / 3e-15 - 1.0).abs() < 0.01,
        "microseconds: {}",
        constant(&model, "f", 1)
    );
}

/// Experiments of one table by a column; and each of several files.
#[test]
fn data_are_fitted_apart() {
    let folder = tempdir().unwrap();
    let mut text = "kernel,N,time\n".to_owned();
    for (name, slope) in [("scan", 3e-9), ("sort", 9e-9)] {
        for step in 1..=6 {
            text += &format!(
                "{name},{},{}\n",
                1000 * step,
                slope * 1000.0 * f64::from(step) * (1.0 + 1e-4 * f64::from(step % 3))
            );
        }
    }
    let table = write(folder.path(), "k.csv", text);
    let options = ImportOptions { by: Some("kernel".to_owned()), ..ImportOptions::default() };
    let mut wanted = request(&["f[0]*N"]);
    let model_file = fit_model(read(&[table], options).unwrap(), &wanted).unwrap();
    let names: Vec<&str> =
        model_file.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    // A constant that is the same is shared, one that is not is rejected.
    let both =
        [write(folder.path(), "one.csv", line()), write(folder.path(), "two.csv", line_of(6e-9))];
    wanted = request(&["f[0] + f[1]*N"]);
    wanted.shared = vec!["f[1]".to_owned()];
    let model = fit_model(read(&both, ImportOptions::default()).unwrap(), &wanted).unwrap();
    let names: Vec<&str> =
        model.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
    assert_eq!(names, ["f:one", "f:two"]);
    assert_eq!(model.shared[0].experiments, ["f:one", "f:two"]);
    assert!(model.shared[0].rejected, "{:?}", model.shared);
    assert_eq!(mixture(&both, false).unwrap(), None, "no campaign");
}
