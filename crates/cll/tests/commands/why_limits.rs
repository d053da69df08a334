//! `cll why`: boundaries that are due to address translation, or to the limits of an MPI. Planted machines and times.

use serde_json::Value;

use crate::mpi_calls::{cll, ready};
use crate::support::Place;

/// One line in each page of a table.
const PAGES: &str = "\
#include <stdio.h>

char table[1 << 23];

int main(void)
{
    int sum = 0, n, r, i;
#pragma cll for (n = 20; n < 1500; n += n / 4)
#pragma cll pages pages[0] + pages[1]*n
    for (r = 0; r < 4; r++)
        for (i = 0; i < n; i++)
            sum += table[i * 4160];
#pragma cll end pages
#pragma cll end for
    printf(\"%d\\n\", sum);
    return 0;
}
";

/// Levels that 1500 lines pass at 512, and a TLB for 96 pages.
const TLB: &str = "\
cll-machine = 2
name = \"a small TLB\"

[origin]
by = \"hand\"

[[level]]
name = \"L1\"
size = \"32 KiB\"
latency = \"1 ns\"

[[level]]
name = \"memory\"
latency = \"3 ns\"

[[translation]]
reach = \"384 KiB\"
page = \"4 KiB\"
cost = \"6 ns\"
";

/// A model `NAME.json` of points with breaks: `each(n)` is the time for each n.
fn modelled(place: &Place, folder: &str, name: &str, sizes: &[f64], each: impl Fn(f64) -> f64) {
    let variable = if name == "pages" { "n" } else { "N" };
    let mut csv = format!("{variable},time\n");
    for n in sizes {
        for noise in [0.997, 1.0, 1.003] {
            csv.push_str(&format!("{n:.0},{:e}\n", 1e-9 * n * each(*n) * noise));
        }
    }
    place.write("times.csv", &csv);
    let formula = format!("{name}[0] + {name}[1]*{variable}");
    place.cll(&["fit", "times.csv", "--formula", &formula, "-o", "model.json"]).expect(0);
    std::fs::create_dir(place.path(folder)).unwrap();
    std::fs::rename(place.path("model.json"), place.path(folder).join("model.json")).unwrap();
}

fn about(answer: &Value, n: f64) -> Value {
    let all = answer["experiments"][0]["boundaries"].as_array().unwrap();
    let is_there = |boundary: &&Value| {
        let (low, high) = (boundary["low"].as_f64().unwrap(), boundary["high"].as_f64().unwrap());
        low <= n && n <= high
    };
    all.iter().find(is_there).unwrap_or_else(|| panic!("{n}: {all:?}")).clone()
}

#[test]
fn a_boundary_at_the_reach_of_the_tlb() {
    let place = Place::new();
    place.write("pages.c", PAGES);
    place.write("small.toml", TLB);
    let sizes: Vec<f64> = (0..40).map(|k| 20.0 * 1.1f64.powi(k)).collect();
    // Beyond 96 pages, and at 300 for no reason.
    modelled(&place, "pages.cll", "pages", &sizes, |n| match n {
        n if n < 96.0 => 1.0,
        n if n < 300.0 => 2.5,
        _ => 5.0,
    });
    let words = ["why", "pages.c", "--machine", "small.toml"];
    let answer = place.cll(&[&words[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(answer["translation"][0]["bytes"], 393_216.0);
    let cause = &about(&answer, 96.0)["causes"][0];
    assert_eq!(
        (&cause["array"], &cause["level"], &cause["page"], &cause["lines"]),
        (&"table".into(), &"TLB".into(), &4096.0.into(), &serde_json::json!([12])),
        "{cause}"
    );
    let boundary = cause["at"].as_f64().unwrap();
    assert!((boundary / 96.0 - 1.0).abs() < 0.1, "{cause}");
    assert_eq!(about(&answer, 300.0)["causes"], Value::Array(Vec::new()));
    place.cll(&words).expect(0).prints(&[
        "TLB 384 KiB of 4 KiB pages",
        "bytes of pages between uses) leaves the reach of the TLB (384 KiB of 4 KiB pages) at n = 9",
        "no cause found",
    ]);
    // Caches alone do not explain it.
    place.write("caches.toml", TLB.split("[[translation]]").next().unwrap());
    let words = ["why", "pages.c", "--machine", "caches.toml", "--json"];
    let answer = place.cll(&words).expect(0).json();
    assert_eq!(about(&answer, 96.0)["causes"], Value::Array(Vec::new()));
}

/// The limits of an MPI, and nothing of memory.
const EAGER: &str = "\
cll-machine = 3
name = \"a cluster\"

[origin]
by = \"hand\"

[[mpi]]
name = \"Open MPI v4.1.4\"
eager = \"4040 B\"

[[message]]
mpi = \"Open MPI v4.1.4\"
call = \"total\"
pieces = [
  { from = \"8 B\", to = \"4000 B\", L = \"300 ns\", g = \"0.1 ns/B\" },
  { from = \"4100 B\", to = \"64 KiB\", L = \"2300 ns\", g = \"0.1 ns/B\" },
]
";

#[test]
fn a_boundary_at_the_eager_limit() {
    if !ready("a_boundary_at_the_eager_limit") {
        return;
    }
    let place = Place::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/mpi/plate.c");
    let source = std::fs::read_to_string(path).unwrap();
    place.write("plate.c", source.replace("LARGEST = 1200", "LARGEST = 900"));
    place.write("eager.toml", EAGER);
    let sizes: Vec<f64> = (0..34).map(|k| 100.0 * 1.08f64.powi(k)).collect();
    // Beyond the eager limit, and at 180 for no reason.
    modelled(&place, "plate.cll", "plate", &sizes, |n| match n {
        n if n < 180.0 => 1.0,
        n if n < 505.0 => 2.0,
        _ => 4.0,
    });
    let run = |machine: &str, more: &[&str]| {
        let words = ["why", "plate.c", "--machine", machine, "-n", "2"];
        cll(&place, &[&words[..], more, &["--", "-lm"]].concat())
    };
    let answer = run("eager.toml", &["--json"]).expect(0).json();
    let (limit, run_of) = (&answer["limits"][0], &answer["runs"][0]);
    assert_eq!((&limit["bytes"], &run_of["processes"]), (&4040.0.into(), &2.into()), "{answer}");
    assert!((limit["step"].as_f64().unwrap() - 2e-6).abs() < 1e-9, "{limit}");
    let values = about(&answer, 505.0)["messages"].as_array().unwrap().clone();
    // Both processes exchange rows by the two calls; each sends in one of them.
    assert_eq!(values.len(), 2, "{values:?}");
    for value in &values {
        assert_eq!(
            (&value["call"], &value["size"]),
            (&"MPI_Sendrecv".into(), &"8*N".into()),
            "{value}"
        );
        let boundary = value["at"].as_f64().unwrap();
        assert!((boundary / 505.0 - 1.0).abs() < 0.02 && value["measured"] == true, "{value}");
        assert_eq!(
            (&value["number"], &value["mpi"]),
            (&4.0.into(), &"Open MPI v4.1.4".into()),
            "{value}"
        );
    }
    let line = |text: &str| 1 + source.lines().position(|line| line.contains(text)).unwrap();
    let lines: Vec<u64> = values.iter().map(|value| value["line"].as_u64().unwrap()).collect();
    let wanted =
        [line("&old[N], N, MPI_DOUBLE, above"), line("&old[rows * N], N, MPI_DOUBLE, below")];
    assert!(wanted.iter().all(|line| lines.contains(&(*line as u64))), "{lines:?} {wanted:?}");
    let other = about(&answer, 180.0);
    assert!(other["messages"].is_null() && other["causes"] == serde_json::json!([]), "{other}");
    // With the accesses of the first process, for a machine that has levels, too.
    let levels = TLB.split("[[level]]").skip(1).map(|level| format!("\n[[level]]{level}"));
    let levels: String = levels.collect::<String>().replace("32 KiB", "300 kB");
    let levels = levels.split("[[translation]]").next().unwrap();
    place.write("both.toml", format!("{EAGER}{levels}"));
    run("both.toml", &["--sample", "16"]).expect(0).prints(&[
        "L1 293 KiB, eager limit of Open MPI v4.1.4 4,040 B",
        "2 processes: sampled: one cache line of 16 followed",
        "MPI_Sendrecv (8*N bytes) passes the eager limit of Open MPI v4.1.4 (4,040 B) at N = 505 with 2 processes",
        "2.00 µs more for each; plate.c:",
        "old[]",
    ]);
    place.write("mpich.toml", EAGER.replace("Open MPI v4.1.4", "MPICH 4.0"));
    run("mpich.toml", &[]).expect(3).says(&[
        "a cluster has no eager limit of Open MPI on one host",
        "no levels of memory, and no limits of Open MPI",
    ]);
    place.write("caches.toml", TLB.split("[[translation]]").next().unwrap());
    let words = ["why", "pages.c", "--machine", "caches.toml", "-n", "2"];
    place.write("pages.c", PAGES);
    place.cll(&words).expect(2).says(&["-n is for programs of MPI"]);
}
