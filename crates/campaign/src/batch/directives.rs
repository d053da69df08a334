//! Directives of job scripts, by the vendors' rules: the text after `#SBATCH`, `#PBS`, `#BSUB` before the first
//! command has options of `sbatch`, `qsub`, `bsub`.
//!
//! Sources: sbatch(1) of Slurm 22.05; qsub(1B) of PBS Professional 2022.1 and OpenPBS; bsub(1) of IBM Spectrum LSF
//! 10.1.

use crate::plan::Launcher;

/// An option of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The option, such as `--ntasks` or `-l`.
    pub option: String,
    /// The value; empty if there is none.
    pub value: String,
}

/// An error that a system would report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongDirective {
    /// Line of the script, from 1.
    pub line: usize,
    /// The reason.
    pub why: String,
}

/// The type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DirectiveValue {
    None,
    Text,
    Whole,
    /// Slurm: minutes, `M:S`, `H:M:S`, `D-H…`; PBS: seconds or `H:M:S`; LSF: `[H:]M`.
    Time,
    /// `0-9`, `1,3,5-7`, `0-15:4`, `0-15%4`.
    Array,
    /// LSF: `name[1-9]`.
    NamedArray,
    /// PBS: `select=1:ncpus=4`, `walltime=1:00:00`.
    Resources,
    /// LSF: `span[hosts=1]`.
    Requirement,
    /// At most 15 characters (newer PBS: 230), the first not a digit.
    Name,
}

const SLURM: &[(&str, DirectiveValue)] = &[
    ("--job-name", DirectiveValue::Text),
    ("--ntasks", DirectiveValue::Whole),
    ("--nodes", DirectiveValue::Whole),
    ("--cpus-per-task", DirectiveValue::Whole),
    ("--array", DirectiveValue::Array),
    ("--time", DirectiveValue::Time),
    ("--output", DirectiveValue::Text),
    ("--error", DirectiveValue::Text),
    ("--partition", DirectiveValue::Text),
    ("--account", DirectiveValue::Text),
    ("--exclusive", DirectiveValue::None),
    ("--no-requeue", DirectiveValue::None),
    ("--mem", DirectiveValue::Text),
    ("--constraint", DirectiveValue::Text),
    ("--qos", DirectiveValue::Text),
    ("--reservation", DirectiveValue::Text),
];

const PBS: &[(&str, DirectiveValue)] = &[
    ("-N", DirectiveValue::Name),
    ("-l", DirectiveValue::Resources),
    ("-j", DirectiveValue::Text),
    ("-o", DirectiveValue::Text),
    ("-e", DirectiveValue::Text),
    ("-r", DirectiveValue::Text),
    ("-J", DirectiveValue::Array),
    ("-q", DirectiveValue::Text),
    ("-A", DirectiveValue::Text),
    ("-V", DirectiveValue::None),
];

const LSF: &[(&str, DirectiveValue)] = &[
    ("-J", DirectiveValue::NamedArray),
    ("-n", DirectiveValue::Whole),
    ("-W", DirectiveValue::Time),
    ("-o", DirectiveValue::Text),
    ("-e", DirectiveValue::Text),
    ("-rn", DirectiveValue::None),
    ("-R", DirectiveValue::Requirement),
    ("-q", DirectiveValue::Text),
    ("-P", DirectiveValue::Text),
    ("-x", DirectiveValue::None),
    ("-M", DirectiveValue::Text),
];

/// Parses a script's directives.
///
/// # Errors
/// The errors that the system would report, each with its line.
pub fn directives(text: &str, system: Launcher) -> Result<Vec<Directive>, Vec<WrongDirective>> {
    let (mark, known) = match system {
        Launcher::Slurm => ("#SBATCH", SLURM),
        Launcher::Pbs => ("#PBS", PBS),
        Launcher::Lsf => ("#BSUB", LSF),
        Launcher::Here => return Ok(Vec::new()),
    };
    let (mut directives, mut wrong) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            // After the first command directives are comments.
            break;
        }
        let Some(rest) = line.strip_prefix(mark).filter(|rest| rest.starts_with([' ', '\t']))
        else {
            continue;
        };
        match options(rest, known, system) {
            Ok(options) => directives.extend(options),
            Err(why) => wrong.push(WrongDirective { line: index + 1, why }),
        }
    }
    if wrong.is_empty() { Ok(directives) } else { Err(wrong) }
}

fn options(
    text: &str,
    known: &[(&str, DirectiveValue)],
    system: Launcher,
) -> Result<Vec<Directive>, String> {
    let words = words(text)?;
    let mut words = words.iter().peekable();
    let mut directives = Vec::new();
    while let Some(word) = words.next() {
        let (name, joined) = match word.split_once('=').filter(|_| word.starts_with("--")) {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let Some((_, kind)) = known.iter().find(|(option, _)| *option == name) else {
            return Err(format!("there is no option {name}"));
        };
        let value = match (kind, joined) {
            (DirectiveValue::None, None) => String::new(),
            (DirectiveValue::None, Some(_)) => return Err(format!("{name} has no value")),
            (_, Some(value)) => value,
            (_, None) => {
                let next = words.next_if(|next| !next.starts_with('-'));
                next.cloned().ok_or_else(|| format!("{name} needs a value"))?
            }
        };
        check(name, &value, *kind, system)?;
        directives.push(Directive { option: name.to_owned(), value });
    }
    Ok(directives)
}

fn check(name: &str, value: &str, kind: DirectiveValue, system: Launcher) -> Result<(), String> {
    let right = match kind {
        DirectiveValue::None => true,
        DirectiveValue::Text => !value.is_empty(),
        DirectiveValue::Whole => value.parse::<u32>().is_ok_and(|count| count > 0),
        DirectiveValue::Time => is_time(value, system),
        DirectiveValue::Array => is_array(value, system),
        DirectiveValue::NamedArray => {
            let inside = value.split_once('[').and_then(|(name, rest)| {
                Some((name, rest.strip_suffix(']')?)).filter(|(name, _)| !name.is_empty())
            });
            match inside {
                // Indices begin with 1.
                Some((_, list)) => is_array(list, system) && !list.starts_with('0'),
                None => !value.is_empty() && !value.contains(['[', ']']),
            }
        }
        DirectiveValue::Resources => is_resources(value),
        DirectiveValue::Requirement => value.contains('[') && value.ends_with(']'),
        DirectiveValue::Name => {
            value.len() <= 230 && value.starts_with(|c: char| c.is_ascii_alphabetic())
        }
    };
    if right { Ok(()) } else { Err(format!("{name} cannot be `{value}`")) }
}

fn is_time(value: &str, system: Launcher) -> bool {
    let is_integer = |text: &str| text.parse::<u64>().is_ok();
    let (days, rest) = match value.split_once('-') {
        Some((days, rest)) if system == Launcher::Slurm => (Some(days), rest),
        _ => (None, value),
    };
    let parts: Vec<&str> = rest.split(':').collect();
    let most = match system {
        Launcher::Lsf => 2,
        _ => 3,
    };
    days.is_none_or(is_integer) && parts.len() <= most && parts.iter().all(|part| is_integer(part))
}

fn is_array(value: &str, system: Launcher) -> bool {
    let (list, at_a_time) = match value.split_once('%') {
        Some((list, count)) => (list, Some(count)),
        None => (value, None),
    };
    let is_part = |part: &str| -> bool {
        let (range, step) = match part.split_once(':') {
            Some((range, step)) => (range, Some(step)),
            None => (part, None),
        };
        let step = step.is_none_or(|step| step.parse::<u32>().is_ok_and(|step| step > 0));
        let bounds: Option<Vec<u32>> = range.split('-').map(|end| end.parse().ok()).collect();
        step && match bounds.as_deref() {
            // PBS accepts ranges of at least two values only.
            Some([_]) => system != Launcher::Pbs,
            Some([low, high]) => low < high || low == high && system != Launcher::Pbs,
            _ => false,
        }
    };
    at_a_time.is_none_or(|count| count.parse::<u32>().is_ok_and(|count| count > 0))
        && (system != Launcher::Pbs || !list.contains(','))
        && list.split(',').all(is_part)
}

/// `NAME=VALUE`, or `select=[N:]chunk[+…]` with chunks of `resource=value` joined by colons.
fn is_resources(value: &str) -> bool {
    let pair = |text: &str| {
        text.split_once('=').is_some_and(|(name, value)| !name.is_empty() && !value.is_empty())
    };
    match value.strip_prefix("select=") {
        Some(chunks) => chunks.split('+').all(|chunk| {
            let mut parts = chunk.split(':').peekable();
            let counted = parts.next_if(|part| part.parse::<u32>().is_ok_and(|n| n > 0)).is_some();
            (counted && parts.peek().is_none()) || parts.all(pair)
        }),
        None => match value.strip_prefix("walltime=") {
            Some(time) => is_time(time, Launcher::Pbs),
            None => value.split(',').all(pair),
        },
    }
}

/// Words by a shell's rules, without quotation marks.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = None;
    let mut within = false;
    for letter in text.chars() {
        match (open, letter) {
            (None, '"' | '\'') => {
                open = Some(letter);
                if !within {
                    words.push(String::new());
                }
                within = true;
            }
            (Some(mark), _) if mark == letter => open = None,
            (None, letter) if letter.is_whitespace() => within = false,
            (_, letter) => {
                if !within {
                    words.push(String::new());
                }
                within = true;
                words.last_mut().expect("one was begun").push(letter);
            }
        }
    }
    if open.is_some() { Err("a quotation mark is not closed".to_owned()) } else { Ok(words) }
}
