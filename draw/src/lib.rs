//! Draws by its seed what a run of the tests tries: engines, MPIs, cases. `scripts/test` sets the seed to the commit,
//! so that the runs of successive commits try everything, and prints how many cases a run has left to others.
//!
//! `CLL_TEST_SEED` is the seed, any text. With `CLL_TEST_FULL` nothing is drawn: everything runs. `CLL_TEST_MATRIX`
//! says the same of the engines of BSP and their programs only. Each case that is left out adds a line to the file
//! `CLL_TEST_LEFT`.

#![forbid(unsafe_code)]

use std::env::{var, var_os};
use std::fs::File;
use std::io::Write;

/// Whether everything runs.
pub fn is_full() -> bool {
    var_os("CLL_TEST_FULL").is_some()
}

/// Whether every program of BSP runs on every engine and every MPI.
pub fn is_matrix_whole() -> bool {
    is_full() || var_os("CLL_TEST_MATRIX").is_some()
}

/// A number below `bound`, by the seed; 0 if there is none.
pub fn drawn_below(bound: usize) -> usize {
    let seed = var("CLL_TEST_SEED").unwrap_or_default();
    // FNV-1a, 64 bits.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let hash = seed.bytes().fold(0xCBF2_9CE4_8422_2325, mix);
    // The lowest bits depend on the lowest bits of the text only.
    ((hash >> 32) as usize) % bound.max(1)
}

/// The element of a list that falls to the `nth` case: each case gets each element by some seed. Empty if the list is.
pub fn one_of<T: Copy>(all: &[T], nth: usize) -> Vec<T> {
    all.get((nth + drawn_below(all.len())) % all.len().max(1)).copied().into_iter().collect()
}

/// Every `nth` element, the first one by the seed; all in a full run. `nth` must not divide what else alternates in the
/// list.
pub fn thinned<T>(all: impl IntoIterator<Item = T>, nth: usize) -> Vec<T> {
    let all: Vec<T> = all.into_iter().collect();
    let before = all.len();
    let nth = if is_full() { 1 } else { nth };
    let kept: Vec<T> = all.into_iter().skip(drawn_below(nth)).step_by(nth.max(1)).collect();
    leave(before - kept.len(), "cases of a list");
    kept
}

/// How many cases of `full` run: all, or one part in `parts`.
pub fn cases(full: usize, parts: usize) -> usize {
    if is_full() { full } else { full.div_ceil(parts.max(1)) }
}

/// Whether the test with the number `nth` of a group runs: one in `share` does, others by other seeds.
pub fn is_drawn(test: &str, nth: usize, share: usize) -> bool {
    let drawn = is_full() || (nth + drawn_below(share)).is_multiple_of(share.max(1));
    if !drawn {
        leave(1, test);
    }
    drawn
}

/// Notes that cases are left to other runs.
fn leave(cases: usize, what: &str) {
    let Some(path) = var_os("CLL_TEST_LEFT").filter(|_| cases > 0) else { return };
    if let Ok(mut file) = File::options().append(true).create(true).open(path) {
        let _ = writeln!(file, "{cases} {what}");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::process::Command;

    /// A seed is a variable of the process: this test starts itself with others.
    #[test]
    fn seeds_together_draw_everything_and_one_seed_draws_the_same() {
        let own = std::env::current_exe().expect("this program");
        let drawn = |seed: &str| {
            let mut test = Command::new(&own);
            test.args(["--exact", "tests::shown", "--ignored", "--nocapture"]);
            test.env("CLL_TEST_SEED", seed).env_remove("CLL_TEST_FULL");
            let output = test.output().expect("it starts");
            let text = String::from_utf8(output.stdout).expect("text");
            let line = text.lines().find(|line| line.contains("drawn: ")).expect("a line");
            line.split_once("drawn: ").expect("the word").1.to_owned()
        };
        assert_eq!(drawn("3f2c1"), drawn("3f2c1"));
        let all: BTreeSet<String> =
            (0..60).map(|k| drawn(&format!("{k:x}{:x}", k * 7919))).collect();
        assert_eq!(all.len(), 7, "{all:?}");
    }

    #[test]
    #[ignore = "the test above starts it"]
    fn shown() {
        println!("drawn: {}", super::drawn_below(7));
    }
}
