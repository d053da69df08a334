//! Tables and traces with known content.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use cll_analysis::{Choices, FitRequest, Messages, ReadData, fit_model, formulas, read_data};
use cll_diagnostic::Diagnostic;
use cll_files::Advice;
use cll_files::Notices;
use cll_import::ImportOptions;
use cll_result::ModelFile;
use cll_trace::layout::{BlockHeader, NO_PARENT, SampleHeader, meta_block};
use cll_trace::meta::{Clock, End, Meta, Place, Process, Run, Unit};
use cll_trace::write::SampleBlock;

/// The notice that the user would read.
#[derive(Default)]
pub struct Told {
    pub notices: RefCell<Vec<String>>,
    pub codes: RefCell<Vec<String>>,
}

impl Notices for Told {
    fn note(&self, text: &str) {
        self.notices.borrow_mut().push(text.to_owned());
    }

    fn warn(&self, text: &str) {
        self.note(text);
    }
}

impl Messages for Told {
    fn diagnose(&self, name: &str, _: &[u8], diagnostics: &[Diagnostic]) {
        let all = diagnostics.iter().map(|diagnostic| format!("{name} {}", diagnostic.code));
        self.codes.borrow_mut().extend(all);
    }
}

/// The error, with its message and its help.
#[track_caller]
pub fn parts<T, E: Advice>(result: Result<T, E>) -> (E, String, Vec<String>) {
    match result {
        Err(error) => {
            let (message, help) = (error.to_string(), error.help());
            (error, message, help)
        }
        Ok(_) => panic!("no failure"),
    }
}

/// The message of a failure.
#[track_caller]
pub fn message<T>(result: Result<T, cll_analysis::Error>) -> String {
    parts(result).1
}

/// t = 2e-6 + 3e-9 N with small deviations, for N = 1000 to 8000, three times.
pub fn line() -> String {
    line_of(3e-9)
}

/// The same with another slope.
pub fn line_of(slope: f64) -> String {
    let mut text = "N,time\n".to_owned();
    for step in 1..=8 {
        for repetition in 0..3 {
            let n = f64::from(step) * 1000.0;
            let off = 1.0 + 1e-3 * f64::from((step * 7 + repetition * 3) % 5 - 2);
            text += &format!("{n},{}\n", (2e-6 + slope * n) * off);
        }
    }
    text
}

pub fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

/// Reads files as `cll fit` does.
pub fn read(files: &[PathBuf], options: ImportOptions) -> Result<ReadData, cll_analysis::Error> {
    read_data(files, options, &[], &Told::default())
}

/// A request with these formulas.
pub fn request(texts: &[&str]) -> FitRequest {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let formulas = formulas(&texts, &Told::default()).unwrap();
    FitRequest { choices: Choices { formulas, ..Choices::default() }, ..FitRequest::default() }
}

/// A model of files by these formulas; none: those of the traces.
#[track_caller]
pub fn model(files: &[PathBuf], texts: &[&str]) -> ModelFile {
    let request = request(texts);
    let read =
        read_data(files, ImportOptions::default(), &request.choices.formulas, &Told::default());
    fit_model(read.unwrap(), &request).unwrap()
}

/// The constant `index` of an experiment with one interval.
#[track_caller]
pub fn constant(model: &ModelFile, experiment: &str, index: usize) -> f64 {
    let option =
        model.experiments.iter().find(|experiment_model| experiment_model.name == experiment);
    let experiment = option.unwrap_or_else(|| panic!("{experiment}"));
    let fit = experiment.fit.as_ref().unwrap_or_else(|| panic!("{:?}", experiment.failure));
    fit.intervals[0].constants[index].value.expect("determined")
}

/// A trace of one run of a program with the experiment `walk`, of `least` ns + N·`each` ns.
pub struct Walk {
    pub pid: u32,
    pub least: u64,
    pub each: u64,
    pub sizes: Vec<u64>,
    pub host: &'static str,
}

impl Default for Walk {
    fn default() -> Walk {
        Walk { pid: 4711, least: 1000, each: 3, sizes: vec![1000, 2000, 4000, 8000], host: "there" }
    }
}

/// A tick is half a nanosecond.
const TICKS: u64 = 2;

fn opened(pid: u32, ns: u64) -> BlockHeader {
    BlockHeader {
        process: pid,
        ticks_open: 5_000 + ns * TICKS,
        mono_open: 1_000_000_000 + ns,
        ..BlockHeader::default()
    }
}

impl Walk {
    pub fn bytes(&self) -> Vec<u8> {
        let place = Place {
            id: 0,
            experiment: "walk".to_owned(),
            formula: "walk[0] + walk[1]*N".to_owned(),
            file: "walk.c".to_owned(),
            line: 9,
            end_line: 12,
            function: "walk".to_owned(),
            variables: vec!["N".to_owned()],
            every: 1,
            observables: 0,
        };
        let process = Process {
            format: 2,
            runtime: "0.1.0".to_owned(),
            program: "bin/walk".to_owned(),
            host: self.host.to_owned(),
            cpu: "a processor".to_owned(),
            pid: self.pid,
            parent_pid: 1,
            start_unix_ns: 1_700_000_000_000_000_000,
            clock: Clock::Tsc,
            processors: 1,
            ..Process::default()
        };
        let unit = Unit {
            base: 0,
            file: "walk.c".to_owned(),
            compiler: "gcc".to_owned(),
            model: "sequential".to_owned(),
            places: vec![place],
        };
        let mut trace =
            meta_block(&[Meta::Process(process), Meta::Unit(unit)], opened(self.pid, 0));
        let mut block = SampleBlock::new(opened(self.pid, 0), 65536);
        let mut start = 1000;
        for (count, size) in self.sizes.iter().flat_map(|size| [size; 5]).enumerate() {
            let ns = self.least + size * self.each + count as u64 % 3;
            let sample = SampleHeader {
                start: 5_000 + start * TICKS,
                end: 5_000 + (start + ns) * TICKS,
                place: 0,
                parent: NO_PARENT,
                depth: 0,
                flags: 0,
            };
            assert!(block.push(&sample, &[*size as f64]));
            start += ns + 100;
        }
        trace.extend(block.seal_compact(5_000 + 1_000_000_000 * TICKS, 2_000_000_000));
        let samples = Some(self.sizes.len() as u64 * 5);
        let end = Meta::End(End { samples, ..End::default() });
        trace.extend(meta_block(&[end], opened(self.pid, 1_500_000_000)));
        let command = ["./walk", "8000"].map(str::to_owned).to_vec();
        let run =
            Run { command, number: 3, exit: Some(7), wall_ns: 1_600_000_000, ..Run::default() };
        trace.extend(meta_block(&[Meta::Run(run)], BlockHeader::default()));
        trace
    }
}
