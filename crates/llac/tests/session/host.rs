//! A session with samples in memory, and its answers as text.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use cll_llac::syntax::parse;
use cll_llac::value::Value;
use cll_llac::{
    Host, Opened, Refusal, Regions, Session, TableOptions, columns_table, csv_columns,
    trace_samples,
};
use cll_report::Style;
use cll_result::ModelFile;
use cll_trace::{Cell, Experiment, Origin, Process, Start, Trace};

/// Files in memory.
pub type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

struct Memory {
    traces: BTreeMap<String, Trace>,
    files: Files,
}

impl Host for Memory {
    fn open(&self, files: &[String], _: &TableOptions) -> Result<Opened, Refusal> {
        let mut traces = Vec::new();
        if let Some(text) = self.files.lock().unwrap().get(&files[0]) {
            let table = columns_table(&csv_columns(text).expect("a table"));
            let name = files[0].split('.').next().unwrap_or_default().to_owned();
            let values = vec![(name, Value::Table(Arc::new(table)))];
            return Ok(Opened { values, notices: Vec::new() });
        }
        for file in files {
            let trace = self.traces.get(file).cloned();
            let message = format!("cannot read {file}: no such file or directory");
            traces.push(trace.ok_or(Refusal { message, help: Vec::new() })?);
        }
        let trace = Trace::merge(traces);
        let values = trace_samples(trace, files.to_vec()).into_iter();
        let values =
            values.map(|samples| (samples.name.clone(), Value::samples(samples))).collect();
        Ok(Opened { values, notices: Vec::new() })
    }

    fn read(&self, file: &Path) -> Result<String, Refusal> {
        let files = self.files.lock().unwrap();
        let text = files.get(&file.display().to_string()).cloned().unwrap_or_default();
        Ok(String::from_utf8(text).unwrap())
    }

    fn write(&self, file: &Path, content: &[u8]) -> Result<(), Refusal> {
        self.files.lock().unwrap().insert(file.display().to_string(), content.to_vec());
        Ok(())
    }

    fn command(&self, _: &[String]) -> Result<u8, Refusal> {
        Ok(0)
    }

    fn upsilon(&self, asked: &Regions) -> Result<Opened, Refusal> {
        let text = format!("{:?} in {:?}", asked.experiments, asked.files);
        Ok(Opened { values: vec![("upsilon".into(), Value::text(text))], notices: Vec::new() })
    }

    fn page(&self, model: &ModelFile, beside: &[String]) -> Result<String, Refusal> {
        Ok(format!("{} beside {beside:?}", model.experiments.len()))
    }

    fn plan(
        &self,
        model: &ModelFile,
        points: &[Vec<(String, f64)>],
        options: &[(String, String)],
    ) -> Result<Value, Refusal> {
        Ok(Value::text(format!("{} {points:?} {options:?}", model.experiments.len())))
    }
}

/// A session under test.
pub struct Test {
    pub session: Session,
    pub files: Files,
}

impl Test {
    /// With these traces, by file name.
    pub fn new(traces: impl IntoIterator<Item = (&'static str, Trace)>) -> Test {
        let traces = traces.into_iter().map(|(name, trace)| (name.to_owned(), trace)).collect();
        let files = Files::default();
        let host = Memory { traces, files: Arc::clone(&files) };
        Test { session: Session::new(Box::new(host)), files }
    }

    /// Runs statements and gives their output with their notices; an error is its text with the part of the statement
    /// it is about.
    pub fn run(&mut self, text: &str) -> String {
        let parsed = parse(text);
        let mut out = String::new();
        for diagnostic in &parsed.diagnostics {
            out.push_str(&format!("{diagnostic}\n"));
        }
        for statement in &parsed.statements {
            match self.session.evaluate(statement, text) {
                Ok(answer) => {
                    for notice in answer.notices {
                        out.push_str(&format!("note: {notice}\n"));
                    }
                    if let Some(value) = answer.value {
                        let style = Style { width: 100, color: false, unicode: true };
                        out.push_str(&cll_llac::text(&value, &style, 0.90));
                    }
                }
                Err(wrong) => {
                    let part = &text[wrong.primary.span.clone()];
                    out.push_str(&format!("{wrong}\n  at `{part}`\n"));
                    wrong.help.iter().for_each(|help| out.push_str(&format!("  help: {help}\n")));
                }
            }
        }
        out
    }

    /// The number that an expression gives.
    pub fn number(&mut self, text: &str) -> f64 {
        match self.value(text) {
            Value::Number(number) => number.value,
            other => panic!("{text} gives a {}", other.kind()),
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, text: &str) -> Value {
        let parsed = parse(text);
        assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
        let answer = self.session.evaluate(&parsed.statements[0], text);
        answer.unwrap_or_else(|wrong| panic!("{text}: {wrong}")).value.expect("a value")
    }
}

/// An experiment whose time is `time(values)`, with relative noise, at all these values, so many times each.
pub fn experiment(
    name: &str,
    formula: &str,
    variables: &[&str],
    points: &[Vec<f64>],
    repetitions: usize,
    noise: f64,
    time: impl Fn(&[f64]) -> f64,
) -> Experiment {
    let seed = name.bytes().map(u64::from).sum();
    let mut random = fastrand::Rng::with_seed(seed);
    let cells = points.iter().map(|values| {
        let mut cell = Cell::new(values.clone());
        for _ in 0..repetitions {
            let off = 1.0 + noise * cll_statistics::normal(|| random.f64());
            let value = time(values) * off;
            cell.push(value, value, 0);
        }
        cell
    });
    let origin =
        Origin { process: 0, thread: 0, place: 0, left: false, switched: false, start: Start::Own };
    Experiment {
        name: name.to_owned(),
        formula: formula.to_owned(),
        variables: variables.iter().map(|variable| (*variable).to_owned()).collect(),
        cells: cells.collect(),
        origins: vec![origin],
        places: vec![cll_trace::Place {
            file: "prog.c".to_owned(),
            line: 12,
            end_line: 20,
            function: "work".to_owned(),
            model: "sequential".to_owned(),
            every: 1,
            samples: (points.len() * repetitions) as u64,
        }],
        ..Experiment::default()
    }
}

/// A trace of one process with these experiments.
pub fn trace(experiments: Vec<Experiment>, host: &str) -> Trace {
    let table = cll_trace::meta::Process {
        host: host.to_owned(),
        start_unix_ns: 1_770_000_000_000_000_000,
        processors: 1,
        ..Default::default()
    };
    let process = Process {
        trace: 0,
        run: 0,
        pid: 100,
        table,
        processor: None,
        sync: Vec::new(),
        units: Vec::new(),
        observables: None,
        end: None,
        calibration: Default::default(),
        threads: 1,
        samples: 0,
        unsealed: 0,
        waited_ns: 0,
        waits: 0,
    };
    Trace { processes: vec![process], experiments, traces: 1, ..Trace::default() }
}

/// Powers of two from `2^low` to `2^high`.
pub fn powers(low: i32, high: i32) -> Vec<Vec<f64>> {
    (low..=high).map(|k| vec![2f64.powi(k)]).collect()
}

/// `f` takes 1 µs + 2 ns N log N, five times at N = 64 to 65536, with 1 % noise.
pub fn nlogn() -> Test {
    let time = |point: &[f64]| 1e-6 + 2e-9 * point[0] * point[0].ln();
    let f = experiment("f", "f[0]+f[1]*N*log(N)", &["N"], &powers(6, 16), 5, 0.01, time);
    Test::new([("a.dat", trace(vec![f], "node1"))])
}
