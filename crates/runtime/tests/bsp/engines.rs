//! The engines and numbers of processors of all tests.

use std::fmt;

/// Values of `CLL_ENGINE`.
pub const ENGINES: [&str; 3] = ["processes", "threads", "virtual"];

/// Engines in which a processor fails separately.
pub const APART: [&str; 2] = ["processes", "virtual"];

/// Whether every program runs on every engine and every MPI, which takes long; otherwise each runs on one of
/// them, drawn by the seed of the run.
pub fn is_full() -> bool {
    test_draw::is_matrix_whole()
}

/// The ones that the `nth` program runs on.
pub fn in_turn<T: Copy>(all: &[T], nth: usize) -> Vec<T> {
    if is_full() { all.to_vec() } else { always_in_turn(all, nth) }
}

/// The one that the `nth` program runs on, however many programs there are: for errors on MPI, which the
/// library finds itself, and whose end takes each MPI's launcher a second.
pub fn always_in_turn<T: Copy>(all: &[T], nth: usize) -> Vec<T> {
    test_draw::one_of(all, nth)
}

/// Every `nth` one, so that a run that is not full takes less time; all of them in a full one. `nth` must not
/// divide what else alternates in the list.
pub fn thinned<T>(all: impl IntoIterator<Item = T>, nth: usize) -> Vec<T> {
    if is_full() { all.into_iter().collect() } else { test_draw::thinned(all, nth) }
}

/// A program for more processors than this tests the library's own tables, which are the same on every MPI: it runs
/// on one of them, in turn. To start a hundred processes costs ten seconds and more.
pub const MANY: usize = 32;

/// Numbers of processors.
pub const PROCESSORS: [usize; 6] = [1, 2, 3, 4, 5, 8];

/// The types of `bsp.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Int,
    SizeT,
}

impl Dialect {
    pub const ALL: [Dialect; 2] = [Dialect::Int, Dialect::SizeT];

    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Dialect::Int => &[],
            Dialect::SizeT => &["-DBSP_SIZE_T"],
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Int => "int",
            Dialect::SizeT => "size_t",
        })
    }
}
