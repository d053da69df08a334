//! Sentences of warnings about runs.

use super::kind::Warning;

/// The sentence of a warning about runs; `None` for any other.
pub(super) fn runs(warning: &Warning) -> Option<String> {
    Some(match warning {
        Warning::Run { number, what } => format!("run {number} {what}"),
        Warning::Elsewhere { processors, more, of: total } => {
            let list: Vec<String> = processors.iter().map(u32::to_string).collect();
            let is_single = list.len() == 1 && *more == 0;
            let which = if is_single { "processor" } else { "processors" };
            let others = match more {
                0 => String::new(),
                more => format!(" and {more} others"),
            };
            format!(
                "the run ended early, and the files of {which} {}{others} of {total} are not \
                 here: what they recorded is in files (PROGRAM.cll.*.dat) on their hosts; \
                 copy these here and give all together",
                list.join(", ")
            )
        }
        Warning::Engines { engines } => format!(
            "the runs are on different engines ({}): they communicate at different costs; fit \
             the traces of each alone, or choose by `engine` in llac",
            engines.join(", ")
        ),
        Warning::UnknownBlocks { count } => {
            format!("{count} blocks of kinds that this version does not know were skipped")
        }
        _ => return None,
    })
}
