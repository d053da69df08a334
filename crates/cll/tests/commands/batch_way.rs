//! The way of the paper of 2003: translate, compile, run the batch script of `procs`, evaluate with llac. No `cll run`.

use serde_json::Value;

use crate::support::Place;

/// Processor 1 takes as many times 10 ms as there are processors: the slowest takes 20*N ms on 2, 40*N on 4.
const WAITS: &str = r#"#include <bsp.h>
#include <unistd.h>

#pragma cll parallel BSP procs = 2:4:2

int main(void)
{
    int N;
    bsp_begin(bsp_nprocs());
    for (N = 1; N <= 4; N *= 2) {
#pragma cll sync waits waits[0] + waits[1]*N
        usleep(10000 * N * (bsp_pid() == 1 ? bsp_nprocs() : 1));
#pragma cll end waits
        bsp_sync();
    }
    bsp_end();
    return 0;
}
"#;

/// A superstep of the program's engine takes a second, of the first engine in the file nothing that counts.
const MACHINE: &str = r#"cll-machine = 1
name = "two engines"
[origin]
source = "none: for a test"
[[classic]]
engine = "threads"
processors = 4
s = "1000 Mop/s"
g = "1 op/word"
l = "1 op"
[[classic]]
engine = "processes"
processors = 4
s = "1000 Mop/s"
g = "1 op/word"
l = "1000000000 op"
"#;

fn translated(variables: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.write("waits.c", WAITS);
    place.cll(&["translate", "waits.c"]).expect(0);
    place.cll(&["cc", "-o", "waits", "waits.cll.c"]).expect(0);
    let exports: String =
        variables.iter().map(|(name, value)| format!("export {name}={value}; ")).collect();
    place.sh(&format!("{exports}sh waits.cll.sh")).expect(0);
    place
}

fn traces(place: &Place) -> Vec<String> {
    place.list(".").into_iter().filter(|name| name.ends_with(".dat")).collect()
}

/// Each N was measured once in each of two runs, by the slowest processor: at least 20 and 40 ms.
fn assert_slowest_of_two_runs(place: &Place) {
    let files = traces(place);
    assert_eq!(files.len(), 2 + 4, "{files:?}");
    let words = |first: &[&str]| -> Vec<String> {
        first.iter().map(ToString::to_string).chain(files.iter().cloned()).collect()
    };
    let cll = |words: Vec<String>| {
        place.cll(&words.iter().map(String::as_str).collect::<Vec<_>>()).expect(0)
    };
    let fit = cll(words(&["fit", "--json"])).json();
    let experiment = &fit["experiments"][0];
    assert_eq!(experiment["imbalance"]["passages"], 3 * 2, "{fit}");
    let points = experiment["fit"]["residuals"].as_array().unwrap();
    assert_eq!(points.len(), 3, "{fit}");
    for point in points {
        let n = point["values"][0].as_f64().unwrap();
        assert_eq!(point["spread"]["count"], 2, "{point}");
        // The median of two is their mean.
        assert!(point["measured"].as_f64().unwrap() >= 0.030 * n, "{point}");
    }
    let mut llac = words(&["llac"]);
    llac.extend(["-e".to_owned(), "print (group waits by N, run)".to_owned()]);
    let table = cll(llac).out;
    for (row, processors) in [("1 0", 2), ("1 1", 4), ("4 0", 2), ("4 1", 4)] {
        let row: Vec<String> =
            format!("{row} {processors}").split(' ').map(str::to_owned).collect();
        let is_row = |line: &&str| line.split_whitespace().take(3).eq(&row);
        assert_eq!(table.lines().filter(is_row).count(), 1, "{row:?}: {table}");
    }
}

#[test]
fn samples_of_the_script_are_of_its_runs() {
    assert_slowest_of_two_runs(&translated(&[]));
}

#[test]
fn so_are_those_of_processors_that_begin_with_main() {
    assert_slowest_of_two_runs(&translated(&[("CLL_START", "exec")]));
}

#[test]
fn logs_of_the_script_have_their_run_and_engine() {
    let place = translated(&[("CLL_LOG", "1")]);
    place.write("m.toml", MACHINE);
    let files = traces(&place);
    let of_run = |run: &str| -> Vec<&str> {
        let start = format!("waits.cll.{run}.");
        files.iter().map(String::as_str).filter(|name| name.starts_with(&start)).collect()
    };
    let show = |logs: Vec<&str>| -> Value {
        place.cll(&[&["profile", "show", "--json"][..], &logs].concat()).expect(0).json()
    };
    let profile = show(of_run("1"));
    assert_eq!(profile["profile"]["source"]["engine"], "processes", "{profile}");
    assert_eq!(profile["profile"]["processors"], 4);
    // Named differently, logs are known by the run in them.
    for (index, name) in of_run("0").into_iter().chain(of_run("1")).enumerate() {
        std::fs::copy(place.path(name), place.path(&format!("log{index}"))).unwrap();
    }
    let renamed: Vec<String> = (0..6).map(|index| format!("log{index}")).collect();
    let renamed: Vec<&str> = renamed.iter().map(String::as_str).collect();
    place.cll(&[&["profile", "diff"][..], &renamed].concat()).expect(0);
    let obsp = [&["obsp", "--json", "--machine", "m.toml"][..], &of_run("1")].concat();
    let priced = place.cll(&obsp).expect(0).json();
    assert!(priced["predictions"][0]["models"][0]["value_s"].as_f64().unwrap() > 3.0, "{priced}");
}
