//! How the processes of logs of MPI calls have ended.

use std::fs::File;
use std::path::{Path, PathBuf};

use cll_calls::{Calls, Overview};
use cll_launch::{Failures, FirstFailure, Record};
use cll_report::escape;

use super::{Symbols, place, surveys};

/// Whether the process has completed its log.
pub fn has_ended(path: &Path) -> bool {
    let survey = File::open(path).ok().and_then(|file| Overview::read(file).ok());
    survey.is_some_and(|survey| survey.ended)
}

/// The parent process of a log's process.
pub fn parent_process(path: &Path) -> Option<u32> {
    let survey = Overview::read(File::open(path).ok()?).ok()?;
    Some(survey.process.parent_pid)
}

/// The rank that ended first, with its last call.
pub fn first_to_end(ends: &Failures, paths: &[PathBuf]) -> Option<FirstFailure> {
    let surveys = surveys(paths).unwrap_or_default();
    let record = |survey: &Overview| Record {
        rank: survey.rank(),
        pid: survey.process.pid,
        host: survey.process.host.clone(),
    };
    let records: Vec<Record> = surveys.iter().map(record).collect();
    ends.with(&records, |index| last_call(&paths[index], &surveys[index]))
}

fn last_call(path: &Path, survey: &Overview) -> Option<String> {
    let mut calls = Calls::new(Box::new(File::open(path).ok()?), survey);
    let mut last = None;
    while let Ok(Some(call)) = calls.next_call() {
        last = Some(call);
    }
    let call = last?;
    let place = place_in(survey, call.lane, call.point);
    Some(match call.end {
        Some(_) => format!("its last call was MPI_{}{place}", call.op.name()),
        None => format!("it was in MPI_{}{place}", call.op.name()),
    })
}

/// ` at heat.c:30`: the call site of a call of a log; empty if it is not known.
fn place_in(survey: &Overview, lane: u32, point: Option<u32>) -> String {
    let site = survey
        .place(lane, point)
        .map(|(point, _)| place(&mut Symbols::default(), survey, lane, point));
    match site {
        Some((file, line)) if !file.is_empty() => {
            format!(" at {}:{line}", escape(file.rsplit('/').next().unwrap_or(&file)))
        }
        _ => String::new(),
    }
}
