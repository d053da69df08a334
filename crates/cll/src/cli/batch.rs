//! What a batch system is told: shared by the commands that hand programs in.

use clap::Args;
use cll_campaign::{Batch, Launcher};

/// Options of jobs.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Batch systems")]
pub struct BatchOptions {
    /// Hand it to a batch system, wait, and collect: slurm, pbs, or lsf
    #[arg(long, value_name = "SYSTEM", value_parser = system)]
    pub launcher: Option<Launcher>,

    /// Queue or partition
    #[arg(long, value_name = "NAME", requires = "launcher")]
    pub queue: Option<String>,

    /// Who pays
    #[arg(long, value_name = "NAME", requires = "launcher")]
    pub account: Option<String>,

    /// Processors of a node, where the system must be told how many nodes that makes
    #[arg(long, value_name = "COUNT", requires = "launcher",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub per_node: Option<u32>,

    /// What stands before the program, {P} for the number of processors. Default: what fits the system
    /// and the program's MPI, such as srun
    #[arg(long, value_name = "COMMAND", requires = "launcher")]
    pub starter: Option<String>,

    /// A further option of the job, as a line of its directives; may be repeated
    #[arg(long, value_name = "OPTION", requires = "launcher", allow_hyphen_values = true)]
    pub job_option: Vec<String>,

    /// A line of the script before the program, such as "module load openmpi"; may be repeated
    #[arg(long, value_name = "LINE", requires = "launcher")]
    pub before: Vec<String>,
}

impl BatchOptions {
    /// As a plan has them.
    pub fn batch(&self) -> Batch {
        Batch {
            queue: self.queue.clone(),
            account: self.account.clone(),
            per_node: self.per_node,
            starter: self.starter.clone(),
            options: self.job_option.clone(),
            before: self.before.clone(),
        }
    }
}

/// A launcher's name, `here` among them.
fn system(text: &str) -> Result<Launcher, String> {
    let found = Launcher::ALL.into_iter().find(|one| one.name() == text);
    found.ok_or_else(|| {
        let names = Launcher::ALL.map(Launcher::name);
        format!("there are {}", names.join(", "))
    })
}
