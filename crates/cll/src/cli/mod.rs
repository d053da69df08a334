//! The command line, defined once: help, man pages and completions come from here.

mod arguments;
mod automatic;
mod batch;
mod campaign;
mod fitting;
mod llac;
mod machine;
mod mpi;
mod names;
mod observing;
mod obsp;
mod plan;
mod profile;
mod reading;
mod sampling;
mod schema;
mod show;
mod spellings;
mod upsilon;
mod values;
mod what_if;
mod why;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use arguments::{
    CcArgs, CompletionsArgs, Contended, InstallArgs, ManArgs, RunArgs, Shell, TranslateArgs,
    VirtualOptions, budget,
};
pub use batch::BatchOptions;
pub use campaign::{
    CampaignArgs, CampaignCheckArgs, CampaignCommand, CampaignCompareArgs, CampaignMergeArgs,
    CampaignResumeArgs, CampaignRunArgs, CampaignStatusArgs,
};
pub use fitting::CompareArgs;
pub use llac::LlacArgs;
pub use machine::{
    CheckArgs, ListArgs, MachineArgs, MachineCommand, MachineCompareArgs, MachineExportArgs,
    MachineFormat, MachineImportArgs, MachineShowArgs, ProbeArgs,
};
pub use mpi::{
    MpiArgs, MpiCommand, MpiDiffArgs, MpiExportArgs, MpiFormat, MpiGraphArgs, MpiModelArgs,
    MpiStatsArgs,
};
pub use names::{BSP_LINKS, Driver, LINKS};
pub use observing::{CountersArgs, ObservingOptions};
pub use obsp::{CurveOptions, HSize, ObspArgs};
pub use plan::PlanArgs;
pub use profile::{
    AsOnArgs, ProfileArgs, ProfileCommand, ProfileDiffArgs, ProfileExportArgs, ProfileFormat,
    ProfileShowArgs, ProfileViewArgs, View,
};
pub use reading::{Axes, ExportArgs, ExportFormat, FitArgs, PageArgs, PlotArgs, PredictArgs};
pub use sampling::{Loaded, ModelArgs};
pub use schema::SchemaArgs;
pub use show::ShowArgs;
pub use upsilon::{
    UpsilonArgs, UpsilonCheckArgs, UpsilonCommand, UpsilonImportArgs, UpsilonProposeArgs,
    UpsilonShowArgs,
};
pub use what_if::{BlockFactor, WhatIfArgs};
pub use why::WhyArgs;

use crate::failure::Failure;
use crate::terminal::{ColorChoice, EscapedNames, Terminal, output};

/// Measure small sizes, predict large ones: fit complexity formulas to the times of C programs.
///
/// `#pragma cll` lines in a C program name the regions to time and give a formula for the time of
/// each. `cll model` finds the constants of the formulas, the sizes for which they are valid and
/// their uncertainty, and predicts the time at sizes that were not run.
#[derive(Debug, Parser)]
#[command(
    name = "cll",
    version,
    propagate_version = false,
    max_term_width = 100,
    disable_help_subcommand = false,
    after_help = MAIN_EXAMPLES
)]
pub struct Cli {
    /// When to use colour
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub color: ColorChoice,

    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

const MAIN_EXAMPLES: &str = "\
Examples:
  From a source file to a prediction:
      cll model matrix.c --predict N=3000
  A program whose size is an argument:
      cll model sieve.c --vary N=20000:5000000:*1.4 -- {N}
  A program with its own build:
      make CC=\"cll cc\" && cll run ./nbody 1500 && cll fit nbody.cll.0.dat

Exit codes:
  0 done, 2 usage, 3 wrong input, 4 does not compile, 5 the measured program failed,
  6 data that cannot be fitted, 7 the system refuses, 8 not measurable now (machine loaded),
  9 a condition of --fail-if is met";

/// The commands, in the order in which data flows.
#[derive(Debug, Subcommand)]
pub enum Command {
    Translate(TranslateArgs),
    Cc(CcArgs),
    Run(RunArgs),
    Model(Box<ModelArgs>),
    Campaign(CampaignArgs),
    Fit(FitArgs),
    Show(ShowArgs),
    Predict(PredictArgs),
    Plan(PlanArgs),
    Plot(PlotArgs),
    Llac(LlacArgs),
    Page(PageArgs),
    Obsp(Box<ObspArgs>),
    Profile(ProfileArgs),
    Mpi(MpiArgs),
    Export(ExportArgs),
    Counters(CountersArgs),
    Machine(MachineArgs),
    Upsilon(UpsilonArgs),
    Why(WhyArgs),
    WhatIf(WhatIfArgs),
    Schema(SchemaArgs),
    Install(InstallArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Reads the command line. On an error, or if only help was requested, it prints the
/// message and returns the exit code.
pub fn parse(arguments: impl Iterator<Item = OsString>) -> Result<(Cli, Terminal), ExitCode> {
    let (mut arguments, driver) = names::expand(arguments.collect());
    if let Some(compiler) = compiler_arguments(&arguments, driver) {
        let cli = Cli { color: ColorChoice::Auto, command: Command::Cc(compiler) };
        return Ok((cli, Terminal::new(ColorChoice::Auto)));
    }
    if arguments.get(1).is_some_and(|word| word == "cc") {
        // The only request there that `cll` answers itself.
        arguments = ["cll", "help", "cc"].map(OsString::from).to_vec();
    }
    spellings::expand(&mut arguments, &definition());
    let color = color(&arguments);
    let words = arguments.clone();
    let matches =
        with_placeholders(definition()).color(color.for_clap()).try_get_matches_from(arguments);
    let cli = matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    let cli = cli.map_err(|error| values::explained(error, &definition(), &words));
    match cli {
        Ok(cli) => {
            let terminal = Terminal::new(cli.color);
            Ok((cli, terminal))
        }
        Err(error) => {
            let names = EscapedNames::of_command_line();
            if error.use_stderr() && !names.is_empty() {
                // As plain text the names would lose what looks like a style.
                let text = error.render().ansi().to_string();
                let text = names.on_one_line(&text).into_owned();
                eprint!("{}", clap::builder::StyledStr::from(text));
                return Err(ExitCode::from(2));
            }
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            Err(match (error.use_stderr(), printed.map_err(|why| output(&why))) {
                (true, _) => ExitCode::from(2),
                (false, Err(Failure::Message { status, message, help })) => {
                    Terminal::complain(&Terminal::new(color), &message, &help);
                    ExitCode::from(status.code())
                }
                // The reader may have closed the pipe.
                (false, _) => ExitCode::SUCCESS,
            })
        }
    }
}

/// The same with `{n}` in examples as it is: clap takes it for the end of a line. An escape that changes nothing stands
/// within; it is not written where there is no colour.
fn with_placeholders(command: clap::Command) -> clap::Command {
    let text = command.get_after_help().map(|text| text.ansi().to_string());
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = match text.filter(|text| text.contains("{n}")) {
        Some(text) => command.after_help(text.replace("{n}", "{\u{1b}[0mn}")),
        None => command,
    };
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, with_placeholders))
}

/// The whole definition.
pub fn definition() -> clap::Command {
    Cli::command()
}

/// The arguments after `cll cc`. They are the compiler's and are not parsed, except
/// `--help` alone.
fn compiler_arguments(arguments: &[OsString], driver: Driver) -> Option<CcArgs> {
    let rest = arguments.get(1).filter(|word| *word == "cc").map(|_| &arguments[2..])?;
    let help = matches!(rest, [word] if word == "--help" || word == "-h");
    (!help).then(|| CcArgs { arguments: rest.to_vec(), driver })
}

/// The value of `--color`. It is needed before the command line is parsed, for clap's errors.
fn color(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    let value = words.iter().enumerate().find_map(|(index, word)| match word.as_ref() {
        "--color" => words.get(index + 1).map(|value| value.as_ref()),
        "--" => Some("auto"),
        _ => word.strip_prefix("--color="),
    });
    match value {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests;
