//! `cll fit`: fits traces or a table.

use std::path::PathBuf;

use cll_import::{CsvOptions, Remark};
use cll_report::{ReportOptions, model_report};
use cll_result::{ModelFile, ModelJson, Notice};

use crate::cli::FitArgs;
use crate::empty_files;
use crate::failure::{Failure, Status};
use crate::files::Output;
use crate::model::{
    At, Choices, HoldOut, SearchChoice, Source, about_observable, check_held_out, describe,
    fit_all, formulas, notices, now, predict_all, predicted_held_out, traces_in, write_model,
};
use crate::terminal::{Terminal, Text};
use cll_campaign_db::CampaignDb;

/// Fits, reports, and writes the model if requested.
pub fn run(args: &FitArgs, terminal: &mut Terminal) -> Result<u8, Failure> {
    let choices = Choices {
        options: args.fit.options().map_err(Failure::usage)?,
        formulas: formulas(&args.formula, terminal)?,
        experiments: args.experiment.clone(),
        working_sets: args.fit.working_sets.clone(),
        observable: args.fit.fitted().map(str::to_owned),
        held_out: HoldOut::all(&args.fit.hold_out)?,
        search: None,
        auto: SearchChoice::default(),
    };
    let asked = asked(&args.predict)?;
    let auto = search(args, &choices, &asked, terminal)?;
    let all = args.search.then(|| search(args, &choices, &asked, terminal)).transpose()?;
    let choices = Choices { search: all, auto, ..choices };
    let output = args.output.as_deref().map(|path| Output::apart_from(path, &args.files));
    let output = output.transpose()?;
    let mixture = mixture(args)?;
    let (files, source, beyond) = read(args, &choices, terminal)?;
    let mut model = ModelFile::new(now());
    if let Source::Trace(trace) = &source {
        if args.unit.is_some() || args.column.is_some() {
            return Err(Failure::usage(
                "--unit and --column are for tables only; a trace is in seconds",
            ));
        }
        describe(&mut model, trace);
        model.warnings = notices(trace, &files);
        model.warnings.extend(about_observable(trace, args.fit.fitted()));
    }
    if beyond > 0 {
        let text = format!(
            "{beyond} runs of the campaign had more processors than cores: they are left out"
        );
        model.warnings.push(Notice::new("oversubscribed", text));
    }
    model.warnings.extend(mixture.map(|text| Notice::new("mixed-programs", text)));
    model.warnings.extend(remarks(&source));
    model.experiments = fit_all(&source, args.fit.time, &choices)?;
    if model.experiments.is_empty() {
        return Err(Failure::fit("there is no experiment in these files"));
    }
    check_held_out(&model, &choices.held_out)?;
    let mut predicted = predict_all(&model, &asked)?;
    predicted.extend(predicted_held_out(&model));
    if let Some(output) = output {
        write_model(&model, output)?;
    }
    match args.json {
        true => terminal.json(&ModelJson::of(&model, &predicted))?,
        false => {
            let shown = ReportOptions { points: args.points, accept: true };
            terminal.print(model_report(&model, &predicted, shown, &terminal.style()))?;
        }
    }
    match model.has_fit() {
        true => Ok(0),
        false => Err(Failure::Reported(Status::Fit)),
    }
}

/// How formulas are searched.
fn search(
    args: &FitArgs,
    choices: &Choices,
    asked: &[At],
    terminal: &Terminal,
) -> Result<SearchChoice, Failure> {
    let mut options = cll_search::Options {
        weights: choices.options.weights,
        confidence: choices.options.confidence,
        ..cll_search::Options::default()
    };
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

/// The data to fit: traces, a table, or the runs of a campaign; and how many of these are left out.
fn read(
    args: &FitArgs,
    choices: &Choices,
    terminal: &Terminal,
) -> Result<(Vec<PathBuf>, Source, u64), Failure> {
    let used = choices.formulas.iter().flat_map(|formula| formula.variables());
    let options = CsvOptions {
        result: args.column.clone(),
        unit: args.unit.clone(),
        used: used.map(|variable| variable.name.clone()).collect(),
        delimiter: None,
    };
    match args.files.as_slice() {
        [database] if cll_campaign_db::is_campaign_db(database) => {
            let (traces, table, beyond) = crate::model::campaign::readable(database)?;
            let source = match table {
                Some(source) => source,
                None => Source::read(&traces, &options)?,
            };
            Ok((traces, source, beyond))
        }
        files => {
            let files = empty_files::leave_out(traces_in(files)?, terminal)?;
            let source = Source::read(&files, &options)?;
            Ok((files, source, 0))
        }
    }
}

/// The values of all `--predict` or `--at`.
pub fn asked(texts: &[String]) -> Result<Vec<At>, Failure> {
    let mut asked = Vec::new();
    for text in texts {
        asked.extend(At::parse(text)?);
    }
    Ok(asked)
}

/// What the reader of a table has left out or interpreted.
fn remarks(source: &Source) -> Vec<Notice> {
    let Source::Tables(tables) = source else { return Vec::new() };
    let mut notices: Vec<Notice> = Vec::new();
    for one in tables {
        let renamed = one.table.renamed.iter().map(|renamed| {
            let text = format!("column `{}` is {} in formulas", renamed.header, renamed.name);
            Notice::new("renamed", text)
        });
        let region = match one.region.is_empty() {
            true => String::new(),
            false => format!("{}: ", one.region),
        };
        let remarks = one.table.remarks.iter().map(|remark| match remark {
            Remark::LeftOut(rows) => {
                let count = match rows.count {
                    1 => "1 row is".to_owned(),
                    count => format!("{count} rows are"),
                };
                Notice::new("left-out", format!("{region}{count} left out: {}", examples(rows)))
            }
            Remark::NotPositive(rows) => {
                Notice::new("odd-number", format!("{region}{}", examples(rows)))
            }
            Remark::DecimalComma(number) => {
                let text = format!("numbers have decimal commas: `{number}`");
                Notice::new("decimal-comma", text)
            }
            Remark::TextColumn(header) => {
                Notice::new("text-column", format!("column `{header}` has text: it is ignored"))
            }
        });
        notices.extend(renamed.chain(remarks));
    }
    notices.dedup();
    notices
}

fn examples(rows: &cll_import::Examples) -> String {
    let more = match rows.more() {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    format!("{}{more}", rows.first.join("; "))
}
