//! `cll fit`: fits traces or a table.

use cll_import::ImportOptions;
use cll_report::{ReportOptions, model_report};
use cll_result::{ModelFile, ModelJson, Notice};

use crate::cli::FitArgs;
use crate::failure::{Failure, Status};
use crate::files::Output;
use crate::model::{
    At, Choices, HoldOut, Older, Part, SearchChoice, Source, about_observable, check_held_out,
    describe, fit_all, formulas, named, notices, now, parts, predict_all, predicted_held_out,
    remarks, searched_ranking, share_constants, write_model,
};
use crate::terminal::{Terminal, Text};
use cll_campaign_db::CampaignDb;

/// Fits, reports, and writes the model if requested.
pub fn run(args: &FitArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let (formulas, powers) = formulas(&args.formula, terminal)?;
    let choices = Choices {
        options: args.fit.options().map_err(Failure::usage)?,
        formulas,
        powers,
        experiments: args.experiment.clone(),
        working_sets: args.fit.working_sets.clone(),
        observable: args.fit.fitted().map(str::to_owned),
        held_out: HoldOut::all(&args.fit.hold_out)?,
        by: None,
        search: None,
        suggest: None,
        auto: SearchChoice::default(),
    };
    let suggest = args.suggest.then(|| search_options(&choices));
    let choices = Choices { suggest, ..choices };
    let asked = asked(&args.predict)?;
    let auto = search(args, &choices, &asked, terminal)?;
    let all = args.search.then(|| search(args, &choices, &asked, terminal)).transpose()?;
    let choices = Choices { search: all, auto, ..choices };
    let older = Older::read(&args.comparison, args.fit.confidence)?;
    let output = args.output.as_deref().map(|path| Output::apart_from(path, &args.files));
    let output = output.transpose()?;
    let mixture = mixture(args)?;
    let read = read(args, &choices, terminal)?;
    let mut model = ModelFile::new(now());
    model.warnings.extend(mixture.map(|text| Notice::new("mixed-programs", text)));
    for part in read {
        fit_part(part, args, &choices, &mut model)?;
    }
    if model.experiments.is_empty() {
        return Err(Failure::fit("there is no experiment in these files"));
    }
    share_constants(&mut model, &args.fit.share).map_err(Failure::usage)?;
    if args.search {
        model.ranking = searched_ranking(&model, &asked);
    }
    check_held_out(&model, &choices.held_out)?;
    let mut predicted = predict_all(&model, &asked)?;
    predicted.extend(predicted_held_out(&model));
    if let Some(output) = output {
        write_model(&model, output)?;
    }
    let comparison = older.as_ref().map(|older| older.compare(&model, !args.json, terminal));
    let comparison = comparison.transpose()?;
    match args.json {
        true => terminal.json(&ModelJson::of(&model, &predicted).compared(comparison.as_ref()))?,
        false => {
            let shown = ReportOptions { points: args.points, accept: true };
            terminal.print(model_report(&model, &predicted, shown, &terminal.style()))?;
        }
    }
    match model.has_fit() {
        true => Ok(match (&older, &comparison) {
            (Some(older), Some(comparison)) => older.status(comparison, 0),
            _ => 0,
        }),
        false => Err(Failure::Reported(Status::Fit)),
    }
}

fn search_options(choices: &Choices) -> cll_search::Options {
    cll_search::Options {
        weights: choices.options.weights,
        confidence: choices.options.confidence,
        ..cll_search::Options::default()
    }
}

/// Fits what was read together, and adds its experiments to the model.
fn fit_part(
    part: Part,
    args: &FitArgs,
    choices: &Choices,
    model: &mut ModelFile,
) -> Result<(), Failure> {
    let Part { label, files, source, beyond, by } = part;
    let mut warnings = Vec::new();
    if let Source::Trace(trace) = &source {
        args.import.refuse_for_traces()?;
        describe(model, trace);
        warnings = notices(trace, &files);
        warnings.extend(about_observable(trace, args.fit.fitted()));
    }
    if beyond > 0 {
        let text = format!(
            "{beyond} runs of the campaign had more processors than cores: they are left out"
        );
        warnings.push(Notice::new("oversubscribed", text));
    }
    warnings.extend(remarks(source.tables()));
    if !label.is_empty() {
        warnings.iter_mut().for_each(|one| one.text = format!("{label}: {}", one.text));
    }
    model.warnings.extend(warnings);
    let choices = Choices { by, ..choices.clone() };
    let fitted = fit_all(&source, args.fit.time, &choices)?;
    model.experiments.extend(fitted.into_iter().map(|mut one| {
        one.name = named(&one.name, &label);
        one
    }));
    Ok(())
}

/// How formulas are searched.
fn search(
    args: &FitArgs,
    choices: &Choices,
    asked: &[At],
    terminal: &Terminal,
) -> Result<SearchChoice, Failure> {
    let mut options = search_options(choices);
    if let Some(terms) = &args.terms {
        let mut given = Vec::new();
        for term in terms.split(',') {
            let parsed = cll_formula::parse_quantity(term.trim());
            let text = Text { name: "--terms", bytes: term.trim().as_bytes() };
            terminal.diagnose(text, &parsed.diagnostics);
            given.push(parsed.quantity.ok_or(Failure::Reported(Status::Input))?);
        }
        options.dictionary = cll_search::Dictionary::Given(given);
    }
    Ok(SearchChoice { options, at: asked.to_vec() })
}

/// In what the runs of a campaign differ, if --mixed allows that.
fn mixture(args: &FitArgs) -> Result<Option<String>, Failure> {
    let [database] = args.files.as_slice() else { return Ok(None) };
    if !cll_campaign_db::is_campaign_db(database) {
        return Ok(None);
    }
    let Some(text) = crate::model::campaign::mixture(&CampaignDb::open(database)?)? else {
        return Ok(None);
    };
    match args.mixed {
        true => Ok(Some(text)),
        false => Err(Failure::fit(format!(
            "the runs in {} are of different programs, or were run in different ways: {text}",
            database.display()
        ))
        .help("--mixed fits them anyway, and the model says so")),
    }
}

/// The data to fit: traces, tables, or the runs of a campaign.
fn read(args: &FitArgs, choices: &Choices, terminal: &Terminal) -> Result<Vec<Part>, Failure> {
    let used = choices.formulas.iter().flat_map(|formula| formula.variables());
    let options = ImportOptions {
        used: used.map(|variable| variable.name.clone()).collect(),
        ..args.import.options()
    };
    parts(&args.files, &options, terminal)
}

/// The values of all `--predict` or `--at`.
pub fn asked(texts: &[String]) -> Result<Vec<At>, Failure> {
    let mut asked = Vec::new();
    for text in texts {
        asked.extend(At::parse(text)?);
    }
    Ok(asked)
}
