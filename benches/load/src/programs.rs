//! The programs and their sizes.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// An annotated program whose argument is N. Its largest fitted size takes some milliseconds.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Program {
    /// Sieve of Eratosthenes
    Sieve,
    /// Heap sort
    Sort,
    /// Matrix product
    Product,
    /// Pointer chase
    Chase,
    /// Jacobi's iteration
    Stencil,
}

/// Number of fitted sizes; one fewer are held out.
const SIZES: usize = 12;

impl Program {
    /// All of them.
    pub const ALL: [Program; 5] =
        [Program::Sieve, Program::Sort, Program::Product, Program::Chase, Program::Stencil];

    /// The name of the program, which is also that of its file.
    pub fn name(self) -> &'static str {
        match self {
            Program::Sieve => "sieve",
            Program::Sort => "sort",
            Program::Product => "product",
            Program::Chase => "chase",
            Program::Stencil => "stencil",
        }
    }

    /// The text of its source.
    pub fn source(self) -> &'static str {
        match self {
            Program::Sieve => include_str!("../programs/sieve.c"),
            Program::Sort => include_str!("../programs/sort.c"),
            Program::Product => include_str!("../programs/product.c"),
            Program::Chase => include_str!("../programs/chase.c"),
            Program::Stencil => include_str!("../programs/stencil.c"),
        }
    }

    fn ends(self) -> (f64, f64) {
        match self {
            Program::Sieve => (4000.0, 3e6),
            Program::Sort => (300.0, 1e5),
            Program::Product => (21.0, 151.0),
            Program::Chase => (1500.0, 4e4),
            Program::Stencil => (24.0, 700.0),
        }
    }

    /// Size number `step` of the ladder, whose even steps are fitted and whose odd ones are held out.
    /// An odd number: rows of matrices whose length is a power of two compete for places in a cache.
    fn size(self, step: usize) -> u64 {
        let (first, last) = self.ends();
        let share = step as f64 / (2 * (SIZES - 1)) as f64;
        ((first * (last / first).powf(share)).round() as u64) | 1
    }

    /// Sizes that are measured for the model.
    pub fn fitted(self) -> Vec<u64> {
        (0..SIZES).map(|k| self.size(2 * k)).collect()
    }

    /// Sizes between them, which no model has seen.
    pub fn held_out(self) -> Vec<u64> {
        (1..SIZES).map(|k| self.size(2 * k - 1)).collect()
    }

    /// Sizes beyond the data, by how many times the largest fitted one.
    pub fn beyond(self) -> [(u64, u64); 2] {
        let largest = self.size(2 * (SIZES - 1));
        [2, 4].map(|factor| (factor, (factor * largest) | 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_held_out_size_is_fitted() {
        for program in Program::ALL {
            let (fitted, held_out) = (program.fitted(), program.held_out());
            assert!(held_out.len() >= 10);
            for (k, size) in held_out.iter().enumerate() {
                assert!(fitted[k] < *size && *size < fitted[k + 1], "{program:?} {size}");
            }
        }
    }
}
