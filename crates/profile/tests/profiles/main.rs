//! Profiles from logs and files, compared and exported.

mod bad;
mod differences;
mod exports;
mod figures;
mod oxford;
mod plain;
mod written;

use cll_profile::{Frame, Profile, gather};
use cll_supersteps::{Processor, stored};
use cll_trace::meta::Point;

/// Functions are called by their offsets, `main` is 0.
pub fn functions(_: &Processor, point: &Point) -> Vec<Frame> {
    let name = |&(_, offset): &(u32, u64)| match offset {
        0 => "main".to_owned(),
        other => format!("f{other}"),
    };
    point.path.iter().map(|pair| Frame { function: name(pair), ..Frame::default() }).collect()
}

/// The profile of a log, read by so many threads.
pub fn profile(log: &[u8], threads: usize) -> Profile {
    let log = log.to_vec();
    let log = stored(&log).unwrap();
    gather(&[log], threads, functions).unwrap().profile
}
