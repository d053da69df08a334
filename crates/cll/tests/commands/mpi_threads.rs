//! Processes of MPI with threads of OpenMP: which samples are of one passage, over processes and threads.

use serde_json::Value;

use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::support::Place;

/// A source of MPI, which measures in the one thread that calls it.
const RANKS: &str = r#"#include <mpi.h>
#include <stdlib.h>

#pragma cll parallel MPI

void team(int n, int times);

int main(int argc, char **argv)
{
    int n, me;
    volatile int work = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (n = 1; n <= 4; n++) {
#pragma cll whole whole[0] + whole[1]*n
        team(n, 2 + me * atoi(argv[1]));
        work += n;
#pragma cll end whole
    }
    return MPI_Finalize();
}
"#;

/// One of OpenMP, which measures in all threads: behind their barrier, and in what is shared out.
const TEAM: &str = r#"#include <omp.h>

#pragma cll parallel OpenMP

void team(int n, int times)
{
    int i;
#pragma omp parallel num_threads(3)
    {
        volatile int work = 0;
        for (int k = 0; k < times; k++) {
#pragma cll sync together together[0] + together[1]*n
            for (int j = 0; j < 1000 * n; j++)
                work += j;
#pragma cll end together
        }
#pragma omp for schedule(static)
        for (i = 0; i < 9; i++) {
#pragma cll shared shared[0] + shared[1]*n
            work += i;
#pragma cll end shared
        }
    }
}
"#;

fn compiled(mpi: &str) -> Place {
    let place = Place::new();
    place.write("ranks.c", RANKS);
    place.write("team.c", TEAM);
    let compiler = format!("mpicc.{mpi}");
    let words = ["cc", "-O1", "-fopenmp", "ranks.c", "team.c", "-o", "mixed"];
    place.cll_with(&[("CLL_CC", &compiler)], &words).expect(0);
    place
}

/// Two processes, of which the second passes so many times more; the file that they leave.
fn recorded(place: &Place, mpi: &str, more: &str, number: u32) -> String {
    let launcher = format!("mpirun.{mpi}");
    let with = [&OPEN_MPI[..], &[("CLL_MPIRUN", launcher.as_str())]].concat();
    place.cll_with(&with, &["run", "-n", "2", "./mixed", more]).expect(0);
    format!("mixed.cll.{number}.dat")
}

fn fitted(place: &Place, trace: &str) -> Value {
    place.cll(&["fit", trace, "--intervals", "none", "--json"]).expect(0).json()
}

fn experiment<'a>(model: &'a Value, name: &str) -> &'a Value {
    let all = model["experiments"].as_array().unwrap();
    all.iter().find(|value| value["name"] == name).unwrap_or_else(|| panic!("{name} in {model}"))
}

/// How many times there are at each point.
fn repetitions(model: &Value, name: &str) -> Vec<u64> {
    let points = experiment(model, name)["fit"]["residuals"].as_array().unwrap();
    points.iter().map(|point| point["spread"]["count"].as_u64().unwrap()).collect()
}

fn unpaired(model: &Value) -> Vec<String> {
    let texts = model["warnings"].as_array().unwrap().iter();
    let texts = texts.filter_map(|text| text["text"].as_str());
    texts
        .filter(|text| text.contains("cannot be paired with those of other processors"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn passages_of_all_threads_of_all_processes_are_one_where_that_is_known() {
    if !ready("passages_of_all_threads_of_all_processes") {
        return;
    }
    for mpi in drawn(0) {
        let place = compiled(mpi);
        let trace = recorded(&place, mpi, "0", 0);
        let model = fitted(&place, &trace);
        // Of 2 processes with 3 threads each the slowest of the six.
        assert_eq!(repetitions(&model, "together"), [2; 4], "{mpi}");
        let imbalance = &experiment(&model, "together")["imbalance"];
        assert_eq!((&imbalance["processors"], &imbalance["passages"]), (&6.into(), &8.into()));
        // One thread of each.
        assert_eq!(repetitions(&model, "whole"), [1; 4], "{mpi}");
        assert_eq!(experiment(&model, "whole")["imbalance"]["processors"], 2);
        // A share each: all are left, and only of these it is reported.
        assert_eq!(repetitions(&model, "shared"), [18; 4], "{mpi}");
        let reported = unpaired(&model);
        assert!(reported.len() == 1 && reported[0].contains("up to 3 threads"), "{reported:?}");
        assert!(reported[0].contains("experiment shared"), "{reported:?}");
        let all = model["warnings"].as_array().unwrap();
        assert!(
            !all.iter()
                .any(|one| one["text"].as_str().unwrap().contains("distinguishes the teams"))
        );

        // The second process passes three times: of each process the slowest of its threads.
        let trace = recorded(&place, mpi, "1", 1);
        let model = fitted(&place, &trace);
        assert_eq!(repetitions(&model, "together"), [2 + 3; 4], "{mpi}");
        assert_eq!(unpaired(&model).len(), 2, "{model}");
    }
}
