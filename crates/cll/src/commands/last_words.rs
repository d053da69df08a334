//! The last lines that a program printed, without what its launcher has to say about its end.

/// So many letters of one kind are a line that launchers draw around their messages.
const RULE: usize = 60;

/// The last lines with words that were printed before the launcher's first message; of what the launcher says if there
/// is nothing else.
pub(super) fn last_words(printed: &str, lines: usize) -> Vec<&str> {
    let own = printed.lines().take_while(|line| !is_rule(line));
    let own = last(own.collect(), lines);
    if own.is_empty() { last(printed.lines().collect(), lines) } else { own }
}

fn last(all: Vec<&str>, lines: usize) -> Vec<&str> {
    let says = |line: &&str| line.chars().any(char::is_alphanumeric);
    let mut last: Vec<&str> = all.into_iter().rev().filter(says).take(lines).collect();
    last.reverse();
    last
}

/// Whether a line is one of Open MPI (dashes) or of MPICH (equals signs).
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= RULE && (line.bytes().all(|b| b == b'-') || line.bytes().all(|b| b == b'='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_s_words_stand_before_those_of_the_launcher() {
        let dashes = "-".repeat(74);
        let open_mpi = format!(
            "step 1\nERROR: Simulation too small.\n\n{dashes}\nPrimary job  terminated normally, but 1 process \
             returned\na non-zero exit code. Per user-direction, the job has been aborted.\n{dashes}\n  Exit code:    2\n"
        );
        assert_eq!(last_words(&open_mpi, 2), ["step 1", "ERROR: Simulation too small."]);
        let equals = "=".repeat(83);
        let mpich = format!(
            "too small\n{equals}\n=   BAD TERMINATION OF ONE OF YOUR PROCESSES\n{equals}\n"
        );
        assert_eq!(last_words(&mpich, 3), ["too small"]);
        let silent = format!("{equals}\n=   KILLED BY SIGNAL: 9\n{equals}\n");
        assert_eq!(last_words(&silent, 3), ["=   KILLED BY SIGNAL: 9"]);
        // A line that the program drew itself is short, or stands where there is no launcher.
        assert_eq!(last_words("a\n-----\nb\n", 3), ["a", "b"]);
        assert!(last_words("", 3).is_empty());
    }
}
