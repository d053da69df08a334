//! The contents of files, as names and values of a session.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cll_analysis::logs::Source as LogSource;
use cll_analysis::{Imported, begins_as_trace, profile, read_data, read_model};
use cll_calls::holds_calls;
use cll_import::ImportOptions;
use cll_llac::value::Value;
use cll_llac::{Model, Opened, Refusal, TableOptions, trace_samples};
use cll_trace::Trace;

use super::heard::Heard;
use super::tables::{self, heard_notice, name_of};
use super::things::{Logs, MachineThing, Program};
use crate::failure::{Failure, unreadable};

/// The kind of a file.
enum Kind {
    /// Samples: a trace, a campaign, a table of another program.
    Data,
    /// `model.json`, or a folder with one.
    Model,
    /// A machine's file.
    Machine,
    /// Logs of supersteps or of MPI calls.
    Log,
    /// A program in formulas.
    Program,
}

/// The bytes that identify a file.
const START: u64 = 1 << 16;

/// Reads files. Traces are read together, as those of one program; so are logs.
pub fn open(files: &[String], options: &TableOptions) -> Result<Opened, Refusal> {
    let heard = Heard::default();
    let opened =
        values(files, options, &heard).map_err(|failure| in_llac(heard.refusal(failure)))?;
    let notices = heard.notices().iter().map(|notice| spelt(notice)).collect();
    Ok(Opened { values: opened, notices })
}

/// Options of commands as they are written in the language.
fn spelt(text: &str) -> String {
    let pairs = [("--column ", "with column = "), ("--unit ", "with unit = "), ("--by ", "by ")];
    pairs.iter().fold(text.to_owned(), |text, (option, clause)| text.replace(option, clause))
}

fn in_llac(refusal: Refusal) -> Refusal {
    let help = refusal.help.iter().map(|help| spelt(help)).collect();
    Refusal { message: spelt(&refusal.message), help }
}

fn values(
    files: &[String],
    options: &TableOptions,
    heard: &Heard,
) -> Result<Vec<(String, Value)>, Failure> {
    let (mut data, mut logs, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let path = PathBuf::from(file);
        match kind(&path)? {
            Kind::Data => data.push(path),
            Kind::Log => logs.push(path),
            Kind::Model => {
                let model = read_model(&path)?;
                let name = name_of(&path, "model");
                values.push((name, Value::Model(Arc::new(Model::new(model, None)))));
            }
            Kind::Machine => {
                let machine = MachineThing::read(&path, heard)?;
                values.push((name_of(&path, "machine"), Value::Thing(Arc::new(machine))));
            }
            Kind::Program => {
                let program = Program::read(&path, heard)?;
                values.push((name_of(&path, "program"), Value::Thing(Arc::new(program))));
            }
        }
    }
    let mut all = Vec::new();
    if *options != TableOptions::default() && data.is_empty() {
        return Err(Failure::usage("`by`, `as table` and `with` are for tables"));
    }
    if !data.is_empty() {
        all = samples(&data, options, heard)?;
    }
    for run in profile::runs(&logs)? {
        let name = name_of(&run[0], "run");
        all.push((name, Value::Thing(Arc::new(Logs::read(&run, heard)?))));
    }
    all.extend(values);
    Ok(distinct(all))
}

/// The samples of each experiment.
fn samples(
    files: &[PathBuf],
    options: &TableOptions,
    heard: &Heard,
) -> Result<Vec<(String, Value)>, Failure> {
    if options.table {
        return files.iter().map(|file| tables::table(file)).collect();
    }
    let (traces, tables): (Vec<PathBuf>, Vec<PathBuf>) =
        files.iter().cloned().partition(|path| path.is_dir() || begins_as_trace(path));
    let mut all = Vec::new();
    for group in [traces, tables].iter().filter(|group| !group.is_empty()) {
        let read = raw(group, options, heard)?;
        match read {
            Raw::Trace(trace, files) => {
                for notice in cll_analysis::notices(&trace, &files) {
                    heard_notice(heard, &notice.text);
                }
                let files = files.iter().map(|path| path.display().to_string()).collect();
                for experiment in trace_samples(trace, files) {
                    all.push((experiment.name.clone(), Value::samples(experiment)));
                }
            }
            Raw::Tables(tables) => {
                all.extend(tables::values(tables, group, options, heard)?);
            }
        }
    }
    Ok(all)
}

/// Samples before they are prepared for a fit.
enum Raw {
    Trace(Trace, Vec<PathBuf>),
    Tables(Vec<Imported>),
}

fn raw(files: &[PathBuf], options: &TableOptions, heard: &Heard) -> Result<Raw, Failure> {
    let is_campaign = |path: &PathBuf| cll_campaign_db::is_campaign_db(path);
    if files.iter().any(is_campaign) {
        let [database] = files else {
            return Err(Failure::usage("a campaign is opened alone"));
        };
        let rows = cll_analysis::campaign::completed(database)?;
        let (traces, table, beyond) = cll_analysis::campaign::readable(database, &rows)?;
        if beyond > 0 {
            heard_notice(
                heard,
                &match beyond {
                    1 => "1 run had more processors than cores: it is left out".to_owned(),
                    _ => format!("{beyond} runs had more processors than cores: they are left out"),
                },
            );
        }
        return match table {
            Some(table) => Ok(Raw::Tables(table.into_tables())),
            None => Ok(Raw::Trace(cll_analysis::read_together(&traces)?, traces)),
        };
    }
    let data_paths = cll_analysis::data_in(files)?;
    if data_paths.iter().all(|path| begins_as_trace(path)) {
        let paths = cll_analysis::empty_files::leave_out(data_paths, heard)?;
        // Each by itself: samples know their file and run then.
        let trace = cll_analysis::read_traces(&paths)?;
        return Ok(Raw::Trace(trace, paths));
    }
    let import = ImportOptions {
        by: options.by.clone(),
        result: options.column.clone(),
        unit: options.unit.clone(),
        ..ImportOptions::default()
    };
    let read = read_data(&data_paths, import, &[], heard)?;
    Ok(Raw::Tables(read.parts.into_iter().flat_map(|part| part.source.into_tables()).collect()))
}

/// The kind of a file, by its name and first bytes.
fn kind(path: &Path) -> Result<Kind, Failure> {
    let name = path.display().to_string();
    if path.is_dir() {
        let is_model = path.join(cll_analysis::FILE_NAME).exists();
        return Ok(if is_model { Kind::Model } else { Kind::Data });
    }
    if name.ends_with(".obsp.toml") {
        return Ok(Kind::Program);
    }
    if name.ends_with(".toml") || !path.exists() && cll_machine::Published::named(&name).is_some() {
        return Ok(Kind::Machine);
    }
    let failed = |error: std::io::Error| unreadable(path, error);
    let file = File::open(path).map_err(failed)?;
    let mut start = Vec::new();
    (&file).take(START).read_to_end(&mut start).map_err(failed)?;
    let text = String::from_utf8_lossy(&start);
    if text.trim_start().starts_with('{') && text.contains("\"cll-model\"") {
        return Ok(Kind::Model);
    }
    if begins_as_trace(path) {
        // A measured BSP program on virtual processors records both: then its samples are meant.
        let is_log = holds_supersteps(path)? || holds_calls(&file).map_err(failed)?;
        return Ok(if is_log && !holds_samples(path)? { Kind::Log } else { Kind::Data });
    }
    if cll_profile::oxford::is_profile(&start) { Ok(Kind::Log) } else { Ok(Kind::Data) }
}

/// Whether a trace has samples. What is damaged is said when it is read.
fn holds_samples(path: &Path) -> Result<bool, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    Ok(cll_trace::survey(file).is_ok_and(|trace| trace.samples > 0))
}

/// Whether a trace has supersteps.
fn holds_supersteps(path: &Path) -> Result<bool, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let source = LogSource::new(file).map_err(|error| unreadable(path, error))?;
    let Ok(log) = cll_supersteps::stored(&source) else { return Ok(false) };
    Ok(log.processors.iter().any(|processor| processor.max_supersteps() > 0))
}

/// Names that are given twice get a number.
fn distinct(values: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let mut taken: HashSet<String> = HashSet::with_capacity(values.len());
    // The first number that may be free; those below it are not.
    let mut numbers: HashMap<String, u64> = HashMap::new();
    let mut all = Vec::with_capacity(values.len());
    for (name, value) in values {
        let name = if name.is_empty() { "f".to_owned() } else { name };
        let name = if taken.contains(&name) { numbered(&name, &taken, &mut numbers) } else { name };
        taken.insert(name.clone());
        all.push((name, value));
    }
    all
}

/// The name with the first number that is free.
fn numbered(name: &str, taken: &HashSet<String>, numbers: &mut HashMap<String, u64>) -> String {
    let number = numbers.entry(name.to_owned()).or_insert(2);
    loop {
        let numbered = format!("{name}_{number}");
        *number += 1;
        if !taken.contains(&numbered) {
            return numbered;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[&str]) -> Vec<String> {
        let values = given.iter().map(|name| ((*name).to_owned(), Value::Bool(true)));
        distinct(values.collect()).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn names_that_are_given_twice_get_the_first_free_number() {
        let given = ["a", "a_2", "a", "b", "a", "", "", "a_3"];
        assert_eq!(names(&given), ["a", "a_2", "a_3", "b", "a_4", "f", "f_2", "a_3_2"]);
    }

    /// If each name were compared with each other one, this would take hours.
    #[test]
    fn many_equal_names_get_numbers() {
        let all = names(&vec!["walk"; 300_000]);
        assert_eq!(all.last().map(String::as_str), Some("walk_300000"));
    }
}
