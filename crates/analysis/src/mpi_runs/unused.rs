//! The unused parallelism of a graph, with the gain by the logs of its run.

use std::path::PathBuf;

use crate::Error;
use cll_result::{MpiGraph, MpiUnused};

use super::read::{MpiLaunch, MpiReader};

/// The parallelism that a program does not use, by its low-level graph; the gain by the logs of its run, if there are any.
pub fn unused_parallelism(graph: &MpiGraph, logs: &[PathBuf]) -> MpiUnused {
    cll_mpi_model::unused_parallelism(graph, || {
        let launch = MpiLaunch {
            values: Vec::new(),
            processors: graph.ranks,
            logs: logs.to_vec(),
            wall: None,
        };
        MpiReader::default().run(&launch).map_err(|error| why(&error))
    })
}

fn why(error: &Error) -> String {
    match error {
        Error::Diagnosed => "the logs cannot be read".to_owned(),
        error => error.to_string(),
    }
}
