//! The display of a campaign in a terminal while it runs.

use std::num::NonZero;

use crate::support::Place;

/// Runs that take long enough to be seen; one of each round fails.
const PLAN: &str = r#"cll-campaign = 1
program = "./work"
arguments = ["{N}"]
rounds = 3

[parameters]
N = [1, 2, 3, 4]
"#;

const WORK: &str =
    "#!/bin/sh\nsleep 0.2\n[ $1 = 3 ] && { echo the third does not work; exit 7; }\nexit 0\n";

/// Lines and columns.
type Size = (NonZero<u16>, NonZero<u16>);

fn size(lines: u16, columns: u16) -> Size {
    (NonZero::new(lines).unwrap(), NonZero::new(columns).unwrap())
}

/// The screen of a terminal, line by line, whenever the lines of the view were drawn and at the end. Where the
/// output has `MARK` it becomes as large as `later`.
fn screens(output: &[u8], size: Size, later: Size) -> Vec<Vec<String>> {
    let mut parser = vt100::Parser::new(size.0, size.1, 0);
    let mut screens = Vec::new();
    let mut see = |parser: &vt100::Parser, columns: NonZero<u16>| {
        screens.push(
            parser.screen().rows(0, columns.get()).map(|line| line.trim_end().to_owned()).collect(),
        );
    };
    let mut columns = size.1;
    let mut rest = output;
    while let Some((byte, others)) = rest.split_first() {
        if let Some(others) = rest.strip_prefix(MARK.as_bytes()) {
            (columns, rest) = (later.1, others);
            parser.screen_mut().set_size(later.0, later.1);
            continue;
        }
        parser.process(&[*byte]);
        rest = others;
        // All lines are there, and what was below them is not.
        if *byte == b'J' {
            see(&parser, columns);
        }
    }
    see(&parser, columns);
    screens
}

/// A title for the window, which no terminal shows.
const MARK: &str = "\x1b]2;resized\x07";

/// The output of a campaign in a terminal of so many columns, and after a second of so many.
fn output(columns: u16, later: u16) -> (Place, Vec<u8>) {
    let place = Place::new();
    place.write("plan.toml", PLAN);
    place.write("work", WORK);
    place.write(
        "session",
        format!(
            "stty rows 24 cols {columns}\n(sleep 1; stty cols {later} </dev/tty; printf '\\033]2;resized\\007' >/dev/tty) &\n\
             TERM=xterm cll campaign run plan.toml\necho code $?\nwait\n"
        ),
    );
    let done =
        place.sh("chmod +x work && unset COLUMNS && script -qfec 'sh session' /dev/null").expect(0);
    (place, done.out.into_bytes())
}

/// Holds in all that was ever on the screen: a line of each kind at most, none of them broken.
#[track_caller]
fn holds(screens: &[Vec<String>]) {
    let is_now = |line: &&String| line.starts_with("now ");
    let is_head = |line: &&String| line.contains(" of 12 runs") && !line.contains("are done");
    for screen in screens {
        assert!(screen.iter().filter(is_now).count() <= 1, "{screen:#?}");
        assert!(screen.iter().filter(is_head).count() <= 1, "{screen:#?}");
        if let Some(position) = screen.iter().position(|line| is_head(&line)) {
            let below = &screen[position + 1..];
            let is_known = |line: &String| {
                let begins = ["the fit so far", "    ", "now N="];
                line.is_empty() || begins.iter().any(|begin| line.starts_with(begin))
            };
            assert!(below.iter().all(is_known), "{screen:#?}");
        }
    }
    let seen = |is_sought: &dyn Fn(&&String) -> bool| {
        screens.iter().filter(|screen| screen.iter().any(|line| is_sought(&line))).count()
    };
    assert!(seen(&is_now) > 3 && seen(&is_head) > 3, "{screens:#?}");
    let left = |line: &&String| line.contains(", about ");
    assert!(seen(&left) > 0, "{screens:#?}");
    // At the end nothing of it is left, but what was reported once.
    let end = screens.last().unwrap();
    assert!(!end.iter().any(|line| is_now(&line) || is_head(&line)), "{end:#?}");
    let all = end.concat();
    assert!(all.contains("code 5"), "{end:#?}");
    assert_eq!(all.matches("warning: N=3:").count(), 1, "{end:#?}");
    let reported = |screen: &Vec<String>| screen.concat().contains("the third does not work");
    assert!(screens.iter().any(reported), "{screens:#?}");
}

#[test]
fn a_terminal_shows_what_runs_and_what_has_failed() {
    let (_place, output) = output(100, 100);
    holds(&screens(&output, size(24, 100), size(24, 100)));
}

#[test]
fn in_a_narrow_terminal_no_line_is_broken() {
    let (_place, output) = output(36, 36);
    holds(&screens(&output, size(24, 36), size(24, 36)));
}

#[test]
fn a_window_may_become_narrower_meanwhile() {
    let (_place, output) = output(100, 36);
    holds(&screens(&output, size(24, 100), size(24, 36)));
}
