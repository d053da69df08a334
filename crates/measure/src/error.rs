//! The error of this crate.

use std::path::PathBuf;

use cll_files::Advice;

/// Why a program cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder.
    #[error(transparent)]
    Files(#[from] cll_files::Error),
    /// A launch.
    #[error(transparent)]
    Launch(#[from] cll_launch::Error),
    /// A compilation.
    #[error(transparent)]
    Driver(#[from] cll_driver::Error),
    /// A counter.
    #[error(transparent)]
    Counters(#[from] cll_counters::Error),
    /// A round.
    #[error(transparent)]
    Sampling(#[from] cll_sampling::Error),
    /// A fit.
    #[error(transparent)]
    Analysis(#[from] cll_analysis::Error),
    /// A source cannot be translated: the listener has the diagnostics.
    #[error("a source cannot be translated")]
    Diagnosed,
    /// The folder was made by others.
    #[error("{} exists and was not made by cll model", .0.display())]
    OthersFolder(PathBuf),
    /// Another run uses the folder.
    #[error("another cll model uses {}", .0.display())]
    Held(PathBuf),
    /// A prediction is asked for at a value of a variable that does not exist.
    #[error("--predict: there is no variable {name}: {suggestion}")]
    NoVariable {
        /// The name.
        name: String,
        /// The names that exist, or the one that was probably meant.
        suggestion: String,
    },
    /// The sources have no experiment.
    #[error(
        "there is no experiment in {}: no region between `#pragma cll NAME formula` and `#pragma cll end NAME`",
        .0.join(", ")
    )]
    NoExperiment(Vec<String>),
    /// Several processors are asked for, and the program is sequential.
    #[error("-n {}: the program is sequential", in_list(.0))]
    Sequential(Vec<u32>),
    /// More processors are asked for than there are cores.
    #[error(
        "-n: {most} processors are requested, and this machine has {cores}: the times would be those of processors that compete for cores"
    )]
    FewCores {
        /// The largest number of processors.
        most: u32,
        /// The number of cores.
        cores: u32,
        /// Whether virtual processors could take turns.
        is_bsp: bool,
    },
    /// Two sources have the same name.
    #[error("two files are called {0}: one would overwrite the other")]
    SameName(String),
    /// The compiler does not accept a source, or does not link the program.
    #[error("{what}")]
    NotCompiled {
        /// As a message has it: `heat.c does not compile`.
        what: String,
        /// The command.
        command: String,
        /// A probable cause.
        mismatch: Option<String>,
    },
    /// The words of an option cannot be told apart.
    #[error("`{text}`: {source}")]
    Words {
        /// The option's value.
        text: String,
        /// The error in it.
        source: cll_driver::Error,
    },
    /// There is no equivalent program without markers.
    #[error("it cannot be compiled without markers")]
    NotPlain,
    /// The program without markers is another one.
    #[error("without `#pragma cll for` the program does less")]
    PlainDoesLess,
    /// `--auto` finds nothing to measure.
    #[error("--auto: no function or loop can be measured")]
    NoRegion {
        /// Places, each with the reason.
        why: Vec<String>,
        /// Whether there are sources in C++.
        has_cxx: bool,
    },
    /// `--auto` finds nothing that takes long enough.
    #[error(
        "--auto: every function and loop is too short or is called too often to be measured: {}",
        .0.join("; ")
    )]
    ShortRegions(Vec<String>),
    /// The run for the choice of regions has failed.
    #[error("--auto: the pilot run ({values}) failed: {why}")]
    Pilot {
        /// Values of the run.
        values: String,
        /// How it ended.
        why: String,
    },
    /// A round takes longer than the time limit.
    #[error("--budget {budget} is too small for one round: {takes}")]
    ShortBudget {
        /// The time limit.
        budget: String,
        /// How long a round takes.
        takes: String,
        /// Rounds that are made at least.
        rounds: u32,
        /// The time limit for them.
        needed: String,
    },
    /// `--adaptive` has no values to choose among.
    #[error("--adaptive chooses among values that --vary gives")]
    NothingVaried,
    /// A value to vary is not one of the formulas.
    #[error("--vary {0}: no formula has a variable {0}")]
    NotInFormulas(String),
    /// The program chooses values of a variable itself.
    #[error("--adaptive: the formulas also have {0}, whose values the program chooses itself")]
    ChosenByProgram(String),
    /// A run with MPI has no logs.
    #[error("with {at} no rank has logged a call")]
    NoCalls {
        /// The values of the run.
        at: String,
    },
    /// The engine is not one for models.
    #[error("--engine {0}: not for models")]
    EngineForModels(&'static str),
    /// An engine is given for a program without supersteps.
    #[error("--engine {0}: not a BSP program")]
    NotBsp(&'static str),
    /// An option is given that is for virtual processors.
    #[error("{0} is for virtual processors only")]
    VirtualOnly(&'static str),
}

fn in_list(counts: &[u32]) -> String {
    counts.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

impl Advice for Error {
    fn help(&self) -> Vec<String> {
        let sentences: &[&str] = match self {
            Error::Files(error) => return error.help(),
            Error::Launch(error) => return error.help(),
            Error::Driver(error) => return error.help(),
            Error::Counters(error) => return error.help(),
            Error::Sampling(error) => return error.help(),
            Error::Analysis(error) => return error.help(),
            Error::NotCompiled { command, mismatch, .. } => {
                let command = format!("the command: {command}");
                return [command].into_iter().chain(mismatch.clone()).collect();
            }
            Error::NoRegion { why, .. } if !why.is_empty() => return vec![why.join("; ")],
            Error::ShortBudget { rounds, needed, .. } => {
                return vec![
                    format!("{rounds} rounds need --budget {needed}"),
                    "--launches 1 makes one round, however long it takes".to_owned(),
                ];
            }
            Error::ChosenByProgram(name) => {
                return vec![format!(
                    "--vary {name}=RANGE with {{{name}}} in the arguments, or without --adaptive"
                )];
            }
            Error::OthersFolder(_) => &["-o DIR chooses another folder; nothing was changed"],
            Error::Held(_) => &["wait for it, or choose another folder with -o DIR"],
            Error::NoExperiment(_) => &[
                "such as: #pragma cll walk walk[0] + walk[1]*N",
                "--auto makes experiments of functions and loops",
            ],
            Error::Sequential(_) => &["a parallel program needs #pragma cll parallel OpenMP"],
            Error::FewCores { is_bsp: true, .. } => &[
                "--engine virtual times each as if it had its own core",
                "--oversubscribe measures them anyway, and the model says so",
            ],
            Error::FewCores { is_bsp: false, .. } => &[
                "measure fewer, and predict more by --predict",
                "--oversubscribe measures them anyway, and the model says so",
            ],
            Error::SameName(_) => &["build the program with cll cc, and use cll run and cll fit"],
            Error::NoRegion { has_cxx: true, .. } => &[
                "--auto makes experiments of C, not of C++: put `#pragma cll` lines around regions",
            ],
            Error::NoRegion { has_cxx: false, .. } => &["the files have no function"],
            Error::ShortRegions(_) => &[
                "a larger size (--vary) makes passages longer",
                "or put `#pragma cll NAME auto` … `#pragma cll end NAME` around code that calls them many times",
            ],
            Error::NothingVaried => &["such as --vary N=2^8:2^16 -- {N}"],
            Error::NotInFormulas(_) => &[
                "--adaptive plans by the formulas, so their variables have the names of --vary",
                "uses(NAME = EXPRESSION) gives a value a name: docs/language.md",
            ],
            Error::NoCalls { .. } => &["does the program call MPI_Init with these arguments?"],
            Error::EngineForModels(_) => &[
                "--engine processes measures on this machine's cores, --engine virtual on any number",
            ],
            Error::NotBsp(_) => {
                &["a BSP program needs #pragma cll parallel BSP, or #pragma cll parallel PUB bsp"]
            }
            Error::VirtualOnly(_) => {
                &["--engine virtual measures a BSP program on any number of them"]
            }
            Error::Diagnosed
            | Error::NoVariable { .. }
            | Error::Words { .. }
            | Error::NotPlain
            | Error::PlainDoesLess
            | Error::Pilot { .. } => &[],
        };
        sentences.iter().map(|sentence| (*sentence).to_owned()).collect()
    }
}
