//! Options of batch systems, shared by the commands that submit jobs.

use clap::Args;
use cll_campaign::{Batch, Launcher};

/// Options of a job.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Batch systems")]
pub struct BatchOptions {
    /// Submit it to slurm, pbs or lsf, wait, and collect the results
    #[arg(long, value_name = "SYSTEM", value_parser = system)]
    pub launcher: Option<Launcher>,

    /// Queue or partition
    #[arg(long, value_name = "NAME", requires = "launcher")]
    pub queue: Option<String>,

    /// Account to charge
    #[arg(long, value_name = "NAME", requires = "launcher")]
    pub account: Option<String>,

    /// Number of processors of a node, if the batch system needs the number of nodes
    #[arg(long, value_name = "COUNT", requires = "launcher",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub per_node: Option<u32>,

    /// The command before the program; {P} is the number of processors. Default: the one for the batch
    /// system and the program's MPI, such as srun
    #[arg(long, value_name = "COMMAND", requires = "launcher")]
    pub starter: Option<String>,

    /// Another option of the job, as a line of its directives; may be repeated
    #[arg(long, value_name = "OPTION", requires = "launcher", allow_hyphen_values = true)]
    pub job_option: Vec<String>,

    /// A line of the job's script before the program, such as "module load openmpi"; may be repeated
    #[arg(long, value_name = "LINE", requires = "launcher")]
    pub before: Vec<String>,
}

impl BatchOptions {
    /// The options as a plan has them.
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

/// Parses the name of a launcher, including `here`.
fn system(text: &str) -> Result<Launcher, String> {
    let launcher = Launcher::ALL.into_iter().find(|launcher| launcher.name() == text);
    launcher.ok_or_else(|| {
        let names = Launcher::ALL.map(Launcher::name);
        format!("it must be one of {}", names.join(", "))
    })
}
