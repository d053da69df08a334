//! The layered layout of a merged call graph.

use std::time::Instant;

use cll_profile::layout::layered;
use cll_statistics::median;

/// The longest time allowed, seconds.
const GOAL_S: f64 = 0.1;
const FUNCTIONS: usize = 1000;
const ROUNDS: usize = 15;

/// Lays out a graph of 1000 functions with three callers each, some of them recursive; whether that is quick enough.
pub fn layout() -> bool {
    let mut state = 7u64;
    let mut below = |limit: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit.max(1)
    };
    let mut edges = Vec::new();
    for to in 1..FUNCTIONS {
        // Callers stand near: that is how programs are.
        for _ in 0..3 {
            edges.push((to - 1 - below(to.min(60)), to));
        }
        if below(20) == 0 {
            edges.push((to, below(to)));
        }
    }
    let mut times = Vec::new();
    let mut bends = 0;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let layout = layered(FUNCTIONS, &edges);
        times.push(begun.elapsed().as_secs_f64());
        bends = layout.bends.iter().map(Vec::len).sum();
    }
    let seconds = median(times).unwrap_or(f64::NAN);
    println!(
        "\nlayout of {FUNCTIONS} functions, {} edges, {bends} bends: {:.1} ms, at most {:.0} ms: {}",
        edges.len(),
        seconds * 1e3,
        GOAL_S * 1e3,
        if seconds <= GOAL_S { "reached" } else { "MISSED" }
    );
    seconds <= GOAL_S
}
