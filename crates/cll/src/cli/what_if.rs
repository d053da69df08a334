//! Arguments of `cll what-if`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};

/// Predict what a faster machine or a faster block would bring, and what the time depends on
///
/// The program is a model of cll model or cll fit, a description in formulas (NAME.obsp.toml), or logs of supersteps. The
/// factors of --network, --memory and --computation are speeds: 2x is twice as fast. That of --block is of its time: 0.5x
/// is half of it. Without factors only the sensitivity is printed: by how much the time grows if a part grows by 1 %.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cll what-if matrix.cll --at N=3000 --memory 1.5x
  cll what-if sort.cll --at N=1e6 --block merge=0.5x --block copy[1]=0.8x
  cll what-if fft.obsp.toml --machine mine.toml --at N=2097152,P=32 --network 2x --block F=0.5x
  cll what-if fft.cll.0.log --machine mine.toml --network 2x --computation 1.5x")]
pub struct WhatIfArgs {
    /// A model (model.json or its folder), a description in formulas, or the logs of one run
    #[arg(required = true, value_name = "PROGRAM", value_hint = ValueHint::AnyPath)]
    pub program: Vec<PathBuf>,

    /// For descriptions and logs: the machine that g and L are of
    #[arg(short, long, value_name = "MACHINE", value_hint = ValueHint::FilePath)]
    pub machine: Option<PathBuf>,

    /// The values, such as N=3000 or N=1e6,P=8; ranges too; may be repeated. Not for logs
    #[arg(long, value_name = "VAR=VALUE,…")]
    pub at: Vec<String>,

    /// Only this experiment of a model; may be repeated. Default: the sum of all
    #[arg(short, long, value_name = "NAME")]
    pub experiment: Vec<String>,

    /// How many times as fast the network is: g and L are divided by it
    #[arg(long, value_name = "FACTOR", default_value = "1x")]
    pub network: Factor,

    /// How many times as fast the memory beyond the first cache is
    #[arg(long, value_name = "FACTOR", default_value = "1x")]
    pub memory: Factor,

    /// How many times as fast all computation is
    #[arg(long, value_name = "FACTOR", default_value = "1x")]
    pub computation: Factor,

    /// The part of its time that a block, an experiment or a constant takes; may be repeated
    #[arg(long, value_name = "NAME=FACTOR")]
    pub block: Vec<BlockFactor>,

    /// The engine whose costs are used. Default: that of the log, else the first in the machine file
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,

    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
}

/// A factor: `2x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor(pub f64);

/// A factor of a name: `combine=0.5x`.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockFactor(pub String, pub f64);

impl FromStr for Factor {
    type Err = String;

    fn from_str(text: &str) -> Result<Factor, String> {
        let number = text.strip_suffix('x').unwrap_or(text).trim().parse::<f64>();
        match number {
            Ok(number) if number.is_finite() && number > 0.0 => Ok(Factor(number)),
            _ => Err(format!("`{text}` is not a factor above zero, such as 2x or 0.5x")),
        }
    }
}

impl FromStr for BlockFactor {
    type Err = String;

    fn from_str(text: &str) -> Result<BlockFactor, String> {
        match text.split_once('=') {
            Some((name, factor)) if !name.trim().is_empty() => {
                Ok(BlockFactor(name.trim().to_owned(), factor.parse::<Factor>()?.0))
            }
            _ => Err(format!("`{text}` has not the form NAME=0.5x")),
        }
    }
}
