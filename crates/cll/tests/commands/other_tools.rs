//! Data that other programs wrote themselves, as they wrote them, and what those programs read of ours.
//! `tests/readers/install` installs what is not Debian's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Place, have, run, skip};

const READERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/readers");

/// A program of Python's in the folder of readers.
fn of_readers(program: &str, test: &str) -> Option<PathBuf> {
    let path = Path::new(READERS).join(".venv/bin").join(program);
    if !path.exists() {
        skip(test, "Python's readers: tests/readers/install has not been run");
        return None;
    }
    Some(path)
}

/// The values that a program in Python reads.
fn python(place: &Place, test: &str, words: &[&str]) -> Option<Value> {
    let python = of_readers("python", test)?;
    let script = Path::new(READERS).join("data.py");
    Some(run(place.command(python).arg(script).args(words)).expect(0).json())
}

/// Values by experiment, metric, unit and parameters.
type Values = BTreeMap<(String, String, String, String), Vec<f64>>;

/// All that is read of files, as JSON lines.
fn read(place: &Place, files: &[&str], options: &[&str]) -> Values {
    let line = [&["export"], files, &["--format", "extrap-jsonl"], options].concat();
    let lines = place.cll(&line).expect(0).out;
    let mut values = Values::new();
    for line in lines.lines() {
        let one: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
        let key = (text("callpath"), text("metric"), text("unit"), one["params"].to_string());
        values.entry(key).or_default().push(number(&one["value"]));
    }
    values
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn json_file(place: &Place, name: &str) -> Value {
    serde_json::from_str(&place.read(name)).unwrap()
}

#[track_caller]
fn near(value: f64, expected: f64) {
    let slack = 8.0 * f64::EPSILON * expected.abs();
    assert!((value - expected).abs() <= slack, "{value} instead of {expected}");
}

/// Number, median, minimum and maximum of the values by call path, metric and point.
type Kept = BTreeMap<(String, String, String), (u64, f64, f64, f64)>;

/// The values that Extra-P has read, as [`read`] tells them.
fn of_extrap(answer: &Value) -> Kept {
    let parameters = answer["parameters"].as_array().unwrap();
    let entry_of = |entry: &Value| {
        let mut point = serde_json::Map::new();
        for (name, value) in parameters.iter().zip(entry["point"].as_array().unwrap()) {
            point.insert(name.as_str().unwrap().to_owned(), json!(number(value)));
        }
        let text = |name: &str| entry[name].as_str().unwrap().to_owned();
        let kept = ["median", "minimum", "maximum"].map(|name| number(&entry[name]));
        let count = entry["repetitions"].as_u64().unwrap();
        let key = (text("callpath"), text("metric"), Value::Object(point).to_string());
        (key, (count, kept[0], kept[1], kept[2]))
    };
    answer["measurements"].as_array().unwrap().iter().map(entry_of).collect()
}

/// Compares what Extra-P has read with what was written.
#[track_caller]
fn same_as_extrap(answer: &Value, written: &Values) {
    let kept = of_extrap(answer);
    assert_eq!(kept.len(), written.len(), "{kept:#?} {written:#?}");
    for ((callpath, metric, _, params), values) in written {
        let params: Value = serde_json::from_str(params).unwrap();
        let params = params.as_object().unwrap().iter();
        let params: serde_json::Map<String, Value> =
            params.map(|(name, value)| (name.clone(), json!(number(value)))).collect();
        let key = (callpath.clone(), metric.clone(), Value::Object(params).to_string());
        let (count, median, minimum, maximum) =
            kept.get(&key).unwrap_or_else(|| panic!("{key:?}: {kept:#?}"));
        assert_eq!(*count, values.len() as u64, "{key:?}");
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0;
        for (value, expected) in
            [(*median, middle), (*minimum, sorted[0]), (*maximum, sorted[sorted.len() - 1])]
        {
            near(value, expected);
        }
    }
}

#[test]
fn extrap_reads_the_export_of_traces() {
    let test = "other tools: Extra-P, traces";
    if of_readers("python", test).is_none() {
        return;
    }
    let place = Place::with_walk();
    place.build("walk");
    for size in ["1000", "2000", "4000", "8000", "16000"] {
        place.cll(&["run", "./walk", size]).expect(0);
    }
    let written = read(&place, &["."], &[]);
    assert_eq!(written.len(), 5, "{written:?}");
    place.cll(&["export", ".", "--format", "extrap-jsonl", "-o", "walk.jsonl"]).expect(0);
    let value = python(&place, test, &["extrap-jsonl", "walk.jsonl"]).unwrap();
    same_as_extrap(&value, &written);
    place.cll(&["export", ".", "--format", "extrap", "-o", "walk.txt"]).expect(0);
    same_as_extrap(&python(&place, test, &["extrap", "walk.txt"]).unwrap(), &written);
    // And back: of a saved experiment the medians.
    python(&place, test, &["extrap-save", "walk.jsonl", "experiment.json"]).unwrap();
    let again = read(&place, &["experiment.json"], &[]);
    assert_eq!(again.len(), 5);
    for ((_, metric, _, params), medians) in &again {
        let key = ("walk".to_owned(), metric.clone(), "s".to_owned(), params.replace(".0}", "}"));
        let mut values = written.get(&key).unwrap_or_else(|| panic!("{key:?} {written:?}")).clone();
        values.sort_by(f64::total_cmp);
        let middle = (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0;
        near(medians[0], middle);
    }
    let read_back = read(&place, &["walk.jsonl"], &[]);
    assert_eq!(read_back, written);
}

#[test]
fn extrap_reads_the_export_of_other_data() {
    let test = "other tools: Extra-P, other data";
    if of_readers("python", test).is_none() {
        return;
    }
    let place = Place::new();
    let rows = |algorithm: &str, factor: u32| -> String {
        let row = |(n, p): (u32, u32)| {
            format!("{algorithm},{n},{p},{},{}\n", factor * n / p, factor * n / p + 1)
        };
        [10, 20, 40].iter().flat_map(|&n| [1, 2, 4].map(|p| (n, p))).map(row).collect()
    };
    place.write(
        "runs.csv",
        format!("algorithm,N,P,run1 [ms],run2 [ms]\n{}{}", rows("quick", 3), rows("a heap", 7)),
    );
    let written = read(&place, &["runs.csv"], &[]);
    assert_eq!(written.len(), 18);
    let unit = written.keys().next().unwrap().2.clone();
    assert_eq!(unit, "s");
    place.cll(&["export", "runs.csv", "--format", "extrap-jsonl", "-o", "a.jsonl"]).expect(0);
    same_as_extrap(&python(&place, test, &["extrap-jsonl", "a.jsonl"]).unwrap(), &written);
    place.cll(&["export", "runs.csv", "--format", "extrap", "-o", "a.txt"]).expect(0);
    same_as_extrap(&python(&place, test, &["extrap", "a.txt"]).unwrap(), &written);
    place.cll(&["fit", "a.jsonl", "--formula", "f[0]*N/P"]).expect(0).prints(&["quick", "a heap"]);
}

const BENCHMARK: &str = r#"
#include <benchmark/benchmark.h>
#include <vector>

static void BM_sum(benchmark::State& state) {
  std::vector<long> values(state.range(0), 1);
  for (auto _ : state) {
    long sum = 0;
    for (long value : values) sum += value;
    benchmark::DoNotOptimize(sum);
  }
  state.SetComplexityN(state.range(0));
  state.SetBytesProcessed(state.iterations() * state.range(0) * sizeof(long));
  state.counters["items"] = state.range(0);
}
BENCHMARK(BM_sum)->RangeMultiplier(4)->Range(64, 4096)->Complexity(benchmark::oN)->Iterations(50);

template <class T> static void BM_pair(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(T(state.range(0)) * T(state.range(1)));
}
BENCHMARK_TEMPLATE(BM_pair, double)
    ->ArgNames({"n", "m"})->Args({8, 1})->Args({16, 2})->Threads(2)->Iterations(50)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
"#;

#[test]
fn google_benchmark_itself() {
    let test = "other tools: Google Benchmark";
    if !have("g++", test) {
        return;
    }
    if !Path::new("/usr/include/benchmark/benchmark.h").exists() {
        return skip(test, "libbenchmark-dev");
    }
    let place = Place::new();
    place.write("b.cpp", BENCHMARK);
    place.sh("g++ -O1 b.cpp -o b -lbenchmark -lpthread").expect(0);
    place
        .sh("./b --benchmark_repetitions=3 --benchmark_out=b.json --benchmark_out_format=json >/dev/null 2>&1")
        .expect(0);
    let known = json_file(&place, "b.json");
    let entries: Vec<&Value> = known["benchmarks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["run_type"] == "iteration")
        .collect();
    assert_eq!(entries.len(), 18, "{known:#}");
    let values = |metric: &str, name: &str| -> Vec<f64> {
        let named = entries.iter().filter(|entry| entry["name"] == name);
        named.map(|entry| number(&entry[metric])).collect()
    };
    let key = |experiment: &str, metric: &str, unit: &str, params: &str| {
        (experiment.to_owned(), metric.to_owned(), unit.to_owned(), params.to_owned())
    };
    let sums = read(&place, &["b.json"], &["-e", "BM_sum"]);
    let times = &sums[&key("BM_sum", "real_time", "s", r#"{"N":1024}"#)];
    for (value, expected) in times.iter().zip(values("real_time", "BM_sum/1024/iterations:50")) {
        near(*value, expected * 1e-9);
    }
    assert_eq!((times.len(), sums.len()), (3, 4));
    let bytes = read(&place, &["b.json"], &["-e", "BM_sum", "--metric", "bytes_per_second"]);
    let rates = &bytes[&key("BM_sum", "bytes_per_second", "B/s", r#"{"N":64}"#)];
    assert_eq!(*rates, values("bytes_per_second", "BM_sum/64/iterations:50"));
    let pairs = read(&place, &["b.json"], &["-e", "BM_pair<double>"]);
    let pair = &pairs[&key("BM_pair<double>", "real_time", "s", r#"{"m":2,"n":16}"#)];
    let name = "BM_pair<double>/n:16/m:2/iterations:50/threads:2";
    for (value, expected) in pair.iter().zip(values("real_time", name)) {
        near(*value, expected * 1e-6);
    }
    let fit = ["fit", "b.json", "-e", "BM_sum", "--details", "--formula", "f[0] + f[1]*N"];
    let done = place.cll(&fit);
    done.expect(0).prints(&[
        "BM_sum",
        "real_time",
        "the argument of benchmarks is N",
        "lines of statistics",
    ]);
}

#[test]
fn hyperfine_itself() {
    let test = "other tools: hyperfine";
    if !have("hyperfine", test) {
        return;
    }
    let place = Place::new();
    place
        .sh("hyperfine -N -r 2 -L n 1,2,4 -L how true,echo '{how} {n}' --export-json h.json >/dev/null 2>&1")
        .expect(0);
    let known = json_file(&place, "h.json");
    let results = known["results"].as_array().unwrap();
    assert_eq!(results.len(), 6);
    let values = read(&place, &["h.json"], &[]);
    assert_eq!(values.len(), 6);
    for result in results {
        let parameters = &result["parameters"];
        let command = format!("{} {{n}}", parameters["how"].as_str().unwrap());
        let params = format!("{{\"n\":{}}}", parameters["n"].as_str().unwrap());
        let times = &values[&(command, "time".into(), "s".into(), params)];
        let expected: Vec<f64> = result["times"].as_array().unwrap().iter().map(number).collect();
        assert_eq!(*times, expected);
    }
    let users = read(&place, &["h.json"], &["--metric", "user"]);
    assert_eq!(users.len(), 6);
}

const JUBE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<jube>
  <benchmark name="sorting" outpath="out">
    <parameterset name="p">
      <parameter name="n" type="int">1000,2000,4000</parameter>
      <parameter name="algo">quick,heap</parameter>
    </parameterset>
    <patternset name="pat"><pattern name="elapsed" type="float" unit="ms">elapsed=$jube_pat_fp</pattern></patternset>
    <step name="run" iterations="2"><use>p</use><do>echo elapsed=$(( $n / 500 )).5</do></step>
    <analyser name="a"><use>pat</use><analyse step="run"><file>stdout</file></analyse></analyser>
    <result><use>a</use>
      <table name="drawn" style="pretty"><column>n</column><column>algo</column><column>elapsed</column></table>
      <table name="comma" style="csv"><column>jube_wp_iteration</column><column>n</column><column>algo</column><column>elapsed</column></table>
    </result>
  </benchmark>
</jube>
"#;

#[test]
fn jube_itself() {
    if !have("jube", "other tools: JUBE") {
        return;
    }
    let place = Place::new();
    place.write("b.xml", JUBE);
    place.sh("jube run b.xml -r -e >/dev/null 2>&1").expect(0);
    for table in ["drawn", "comma"] {
        let results = read(&place, &[&format!("out/000000/result/{table}.dat")], &[]);
        assert_eq!(results.len(), 6, "{table}: {results:?}");
        for algorithm in ["quick", "heap"] {
            let key = (algorithm.into(), "elapsed[ms]".into(), "s".into(), "{\"n\":2000}".into());
            let values = results.get(&key).unwrap_or_else(|| panic!("{table}: {results:?}"));
            assert!(values.iter().all(|value| (value - 4.5e-3).abs() < 1e-12), "{values:?}");
            assert_eq!(values.len(), 1);
        }
    }
}

const REFRAME: &str = "\
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class sorting(rfm.RunOnlyRegressionTest):
    n = parameter([1000, 2000, 4000])
    algo = parameter(['quick', 'heap'])
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = 'echo'

    @run_before('run')
    def arguments(self):
        self.executable_opts = [f'elapsed={self.n / 500} memory={self.n * 8}']

    @sanity_function
    def is_right(self):
        return sn.assert_found('elapsed', self.stdout)

    @performance_function('ms')
    def elapsed(self):
        return sn.extractsingle(r'elapsed=(\\S+)', self.stdout, 1, float)

    @performance_function('MB')
    def memory(self):
        return sn.extractsingle(r'memory=(\\S+)', self.stdout, 1, float)
";

#[test]
fn reframe_itself() {
    // The folder was moved when it was complete: its programs name the Python of another.
    let Some(python) = of_readers("python", "other tools: ReFrame") else { return };
    let reframe = python.with_file_name("reframe");
    let place = Place::new();
    place.write("t.py", REFRAME);
    let words = [
        reframe.to_str().unwrap(),
        "-c",
        "t.py",
        "-r",
        "--report-file=report.json",
        "--prefix=.",
        "--nocolor",
    ];
    run(place.command(&python).args(words)).expect(0);
    for file in ["report.json", "perflogs/generic/default/sorting.log"] {
        let values = read(&place, &[file], &[]);
        assert_eq!(values.len(), 6, "{file}: {values:?}");
        for algorithm in ["quick", "heap"] {
            let name = format!("sorting %algo={algorithm}");
            let key = (name, "elapsed".into(), "s".into(), "{\"n\":2000}".into());
            assert_eq!(values.get(&key), Some(&vec![4e-3]), "{file}: {values:?}");
        }
        let memory = read(&place, &[file], &["--metric", "memory"]);
        assert!(memory.keys().all(|(_, _, unit, _)| unit == "MB"), "{memory:?}");
    }
    place
        .cll(&["fit", "report.json", "--formula", "f[0]*n", "--details"])
        .expect(0)
        .prints(&["sorting %algo=quick", "ReFrame's report: elapsed in ms over n, 2 experiments"]);
}

/// A profile of Caliper.
fn cali(processes: u32, size: u32) -> String {
    let mut text = String::from(
        "__rec=node,id=12,attr=10,data=64,parent=3\n\
         __rec=node,id=13,attr=8,data=attribute.unit,parent=12\n\
         __rec=node,id=14,attr=13,data=sec,parent=5\n\
         __rec=node,id=15,attr=10,data=65,parent=14\n\
         __rec=node,id=16,attr=8,data=sum#time.duration,parent=15\n\
         __rec=node,id=17,attr=10,data=65,parent=2\n\
         __rec=node,id=18,attr=8,data=count,parent=17\n\
         __rec=node,id=19,attr=10,data=276,parent=3\n\
         __rec=node,id=20,attr=8,data=region,parent=19\n\
         __rec=node,id=24,attr=8,data=mpi.function,parent=19\n\
         __rec=node,id=21,attr=20,data=main\n\
         __rec=node,id=22,attr=20,data=a\\,b\\=c\\\\d,parent=21\n\
         __rec=node,id=23,attr=24,data=MPI_Barrier,parent=22\n\
         __rec=ctx,attr=16=18,data=9=1\n",
    );
    let time = f64::from(size) / f64::from(processes);
    text += &format!("__rec=ctx,ref=21,attr=16=18,data={}=1\n", time * 1e-3);
    text += &format!("__rec=ctx,ref=22,attr=16=18,data={}=3\n", time * 2e-3);
    text += &format!("__rec=ctx,ref=23,attr=16=18,data={}=7\n", f64::from(processes) * 1e-5);
    text += &format!(
        "__rec=node,id=30,attr=10,data=1612,parent=1\n\
         __rec=node,id=31,attr=8,data=mpi.world.size,parent=30\n\
         __rec=node,id=32,attr=8,data=problem_size,parent=30\n\
         __rec=node,id=33,attr=31,data={processes}\n\
         __rec=node,id=34,attr=32,data={size},parent=33\n\
         __rec=globals,ref=34\n"
    );
    text
}

#[test]
fn caliper_reader_reads_the_same() {
    let test = "other tools: caliper-reader";
    if of_readers("python", test).is_none() {
        return;
    }
    let place = Place::new();
    let runs = [(1, 1000), (2, 1000), (2, 2000), (4, 2000)];
    let mut files = Vec::new();
    for (index, (processes, size)) in runs.iter().enumerate() {
        let name = format!("{index}.cali");
        place.write(&name, cali(*processes, *size));
        files.push(name);
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for metric in ["sum#time.duration", "count"] {
        let values_read = read(&place, &files, &["--metric", metric]);
        assert_eq!(values_read.len(), 12, "{values_read:?}");
        for (file, (processes, size)) in files.iter().zip(runs) {
            let known = python(&place, test, &["caliper", file]).unwrap();
            assert_eq!(known["globals"]["problem_size"], size.to_string());
            let inside = |record: &&Value| record["path"] != "";
            let mut records = 0;
            for record in known["records"].as_array().unwrap().iter().filter(inside) {
                let path = record["path"].as_str().unwrap().to_owned();
                let unit = if metric == "count" { "count" } else { "s" };
                let params = format!("{{\"P\":{processes},\"problem_size\":{size}}}");
                let key = (path, metric.to_owned(), unit.to_owned(), params);
                let values =
                    values_read.get(&key).unwrap_or_else(|| panic!("{key:?} {values_read:?}"));
                assert_eq!(*values, [number(&record["numbers"][metric])]);
                records += 1;
            }
            assert_eq!(records, 3);
        }
    }
    let formula = "f[0]*problem_size/P + f[1]*P";
    let done = place.cll(&["fit", ".", "--formula", formula, "--details"]).expect(0);
    done.prints(&[
        "main/a,b=c\\d/MPI_Barrier",
        "mpi.world.size is P in formulas",
        "0.cali and 3 more",
    ]);
}
