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

    /// With --auto: leave out these experiments; may be repeated. @FILE: those that the file names, such as the file
    /// left_out that cll model writes
    #[arg(long, value_name = "NAME,…", value_parser = left_out, requires = "auto")]
    pub auto_without: Vec<LeftOutNames>,
}

/// Names of experiments, given together.
pub type LeftOutNames = std::sync::Arc<[String]>;

fn left_out(text: &str) -> Result<LeftOutNames, String> {
    cll_driver::left_out(text).map(Into::into).map_err(|error| error.to_string())
}

impl AutoOptions {
    /// As the translator takes it; `None`: only experiments of pragmas.
    pub fn choice(&self) -> Option<Automatic> {
        let without = self.auto_without.iter().flat_map(|names| names.to_vec()).collect();
        self.auto.then(|| Automatic { without, ..Automatic::default() })
    }
}
