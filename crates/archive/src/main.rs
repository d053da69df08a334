//! Makes libcll current in the target folder of this program, as the tests and `cll` do when they first need it.

#![forbid(unsafe_code)]

use std::env::current_exe;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = cll_archive::folder(&current_exe()?, cll_archive::TARGET);
    cll_archive::build(&folder, cll_archive::TARGET).map(drop)
}
