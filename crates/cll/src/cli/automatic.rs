//! Experiments that no pragma names.

use clap::Args;
use cll_translate::Automatic;

/// `--auto`.
#[derive(Clone, Debug, Default, Args)]
pub struct AutoOptions {
    /// Make an experiment of every function and every outermost loop, besides those of pragmas; their formulas are
    /// searched. Variables are integer parameters and bounds of loops
    #[arg(long)]
    pub auto: bool,

    /// With --auto: leave out these experiments; may be repeated
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "auto")]
    pub auto_without: Vec<String>,
}

impl AutoOptions {
    /// As the translator takes it; `None`: only experiments of pragmas.
    pub fn choice(&self) -> Option<Automatic> {
        let without = self.auto_without.clone();
        self.auto.then(|| Automatic { without, ..Automatic::default() })
    }
}
