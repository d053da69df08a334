//! `cll llac` at a terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

use crate::support::{CLL, Place};

/// Nothing here takes this long.
const LIMIT: Duration = Duration::from_secs(300);

/// Someone at a terminal in which the program runs.
struct Typist {
    child: Child,
    keys: File,
    /// All that was printed, and the screen.
    seen: Arc<Mutex<(Vec<u8>, vt100::Parser)>>,
    /// Bytes that were there when something was typed.
    before: usize,
}

/// Lines and columns of the terminal.
const SIZE: (u16, u16) = (24, 80);

impl Typist {
    fn start(place: &Place, variables: &[(&str, &str)], arguments: &[&str]) -> Typist {
        let size = Winsize { ws_row: SIZE.0, ws_col: SIZE.1, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(&size, None).unwrap();
        // Otherwise the program holds its own terminal open, and outlives a test that is killed.
        rustix::io::fcntl_setfd(&pty.master, rustix::io::FdFlags::CLOEXEC).unwrap();
        let end = || Stdio::from(pty.slave.try_clone().unwrap());
        // The terminal is to send signals for keys.
        let mut command = place.command("setsid");
        command.args(["-c", CLL, "llac"]).args(arguments);
        command.env_remove("COLUMNS").env_remove("PAGER").env_remove("NO_COLOR");
        command.env("TERM", "xterm").env("XDG_STATE_HOME", place.path("state"));
        command.envs(variables.iter().copied());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        drop(pty.slave);
        let keys = File::from(pty.master);
        let rows = std::num::NonZero::new(SIZE.0).unwrap();
        let columns = std::num::NonZero::new(SIZE.1).unwrap();
        let seen = Arc::new(Mutex::new((Vec::new(), vt100::Parser::new(rows, columns, 0))));
        let mut output = keys.try_clone().unwrap();
        let kept = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // At the end of the program the terminal gives an error.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let mut seen = kept.lock().unwrap();
                seen.0.extend(&bytes[..count]);
                seen.1.process(&bytes[..count]);
            }
        });
        Typist { child, keys, seen, before: 0 }
    }

    /// Types keys.
    fn keys(&mut self, keys: &str) {
        self.before = self.seen.lock().unwrap().0.len();
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Types a line, and waits for the prompt after it. Gives what was printed.
    #[track_caller]
    fn line(&mut self, line: &str) -> String {
        self.keys(line);
        self.wait(&format!("the line {line}"), |_, screen| screen.ends_with(line));
        self.enter()
    }

    /// Types a line after which this is printed.
    #[track_caller]
    fn answers(&mut self, line: &str, with: &str) {
        let answer = self.line(line);
        assert!(answer.contains(with), "{line}: {answer:?}\n{}", self.seen(0).1);
    }

    /// Ends the line, and waits for the prompt after it. Gives what was printed.
    #[track_caller]
    fn enter(&mut self) -> String {
        self.keys("\r");
        self.wait("the prompt after a line", |new, screen| {
            new.contains('\n') && screen.lines().last().is_some_and(|last| last.trim() == "llac>")
        })
    }

    /// Waits until something is so of what was printed since the last keys, and of the screen.
    #[track_caller]
    fn wait(&self, what: &str, is_so: impl Fn(&str, &str) -> bool) -> String {
        let begin = Instant::now();
        loop {
            let (new, screen) = self.seen(self.before);
            if is_so(&new, &screen) {
                return new;
            }
            assert!(begin.elapsed() < LIMIT, "never: {what}\n{screen}\n{new:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn seen(&self, from: usize) -> (String, String) {
        let seen = self.seen.lock().unwrap();
        let screen: Vec<String> =
            seen.1.screen().rows(0, SIZE.1).map(|row| row.trim_end().to_owned()).collect();
        (
            String::from_utf8_lossy(&seen.0[from..]).into_owned(),
            screen.join("\n").trim_end().to_owned(),
        )
    }

    #[track_caller]
    fn prompt(&self) {
        self.wait("a prompt", |_, screen| {
            screen.lines().last().is_some_and(|last| last.trim() == "llac>")
        });
    }

    /// Waits until the last line of the screen is this.
    #[track_caller]
    fn shows(&self, line: &str) {
        self.wait(line, |_, screen| {
            screen.lines().last().is_some_and(|last| last.trim_end() == line)
        });
    }

    /// Waits for the program's end, and gives its exit code.
    fn end(mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Typist {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn statements_are_answered_until_the_end() {
    let place = Place::new();
    let mut typist = Typist::start(&place, &[], &[]);
    typist.prompt();
    let (all, _) = typist.seen(0);
    assert!(all.contains("`help` lists the words"), "{all:?}");
    typist.line("x = 6");
    typist.answers("x*7", "\r\n42\r\n");
    // An error comes back to the prompt.
    let wrong = typist.line("plto x");
    assert!(wrong.contains("did you mean `plot`?") && wrong.contains("prompt:1:1"), "{wrong}");
    typist.answers("nothing + 1", "nothing");
    typist.answers("x", "\r\n6\r\n");
    typist.enter();
    typist.keys("\u{4}");
    assert_eq!(typist.end(), 0);
    let mut typist = Typist::start(&place, &[], &["--quiet", "-i", "-e", "y = 2"]);
    typist.prompt();
    assert!(!typist.seen(0).0.contains("help"));
    typist.answers("y", "\r\n2\r\n");
    typist.keys("quit\r");
    assert_eq!(typist.end(), 0);
}

#[test]
fn a_statement_may_have_several_lines() {
    let mut typist = Typist::start(&Place::new(), &[], &[]);
    typist.prompt();
    typist.keys("x = (1 +\r");
    typist.shows("   ..");
    typist.keys("2\r");
    typist.shows("   ..");
    typist.answers(")*2; x", "\r\n6\r\n");
    // An empty line ends what can never be complete.
    typist.keys("x = [1\r");
    typist.shows("   ..");
    assert!(typist.enter().contains("`[` is not closed"));
    // Ctrl-C gives it up.
    typist.keys("x = (5 +\r");
    typist.shows("   ..");
    typist.keys("\u{3}");
    typist.prompt();
    typist.answers("x", "\r\n6\r\n");
    // Several lines at once: typed ahead, and pasted.
    typist.keys("y = (1 +\r2 +\r3)\ry + 1\r");
    typist.wait("the value", |new, _| new.contains("\r\n7\r\n"));
    typist.prompt();
    typist.keys("\u{1b}[200~y = [1,\n2]\ny[1]\u{1b}[201~");
    typist.wait("the text", |_, screen| screen.ends_with("y[1]"));
    assert!(typist.enter().contains("\r\n2\r\n"));
}

#[test]
fn ctrl_c_ends_a_statement_and_a_line_but_not_the_session() {
    let place = Place::new();
    let mut typist = Typist::start(&place, &[], &[]);
    typist.prompt();
    typist.keys("x = 12");
    typist.shows("llac> x = 12");
    typist.keys("\u{3}");
    typist.prompt();
    typist.answers("x", "`x`");
    typist.line("f(n) = if n == 0 then 0 else f(n - 1) + f(n - 1)");
    typist.keys("f(1000)\r");
    // It may not have begun yet.
    typist.wait("the end", |new, _| {
        let _ = (&typist.keys).write_all(b"\x03");
        std::thread::sleep(Duration::from_millis(50));
        new.contains("interrupted")
    });
    typist.keys("\r");
    typist.prompt();
    typist.answers("1 + 1", "\r\n2\r\n");
    // A command is ended, too.
    place.sh("mkfifo pipe").expect(0);
    typist.keys("cll llac -f pipe\r");
    // It reads as soon as this can be opened.
    let _pipe = File::options().write(true).open(place.path("pipe")).unwrap();
    typist.keys("\u{3}");
    typist.wait("its end", |new, _| new.contains("exit code 130"));
    typist.prompt();
    typist.answers("2 + 2", "\r\n4\r\n");
}

#[test]
fn the_tabulator_completes_words_names_options_and_files() {
    let place = Place::new();
    place.write("data/table one.csv", "");
    let mut typist = Typist::start(&place, &[], &[]);
    typist.prompt();
    typist.line("width = 5");
    typist.keys("pre\t");
    typist.shows("llac> predict");
    typist.keys("\u{3}");
    typist.prompt();
    typist.keys("show wi\t");
    typist.shows("llac> show width");
    typist.keys("\u{3}");
    typist.prompt();
    typist.keys("m = fit f with weights = abs\t");
    typist.shows("llac> m = fit f with weights = absolute");
    typist.keys("\u{3}");
    typist.prompt();
    typist.keys("open \"da\t");
    typist.shows("llac> open \"data/");
    typist.keys("ta\t");
    typist.shows("llac> open \"data/table one.csv\"");
    typist.keys("\u{3}");
    typist.prompt();
    typist.keys("cll prof\t");
    typist.shows("llac> cll profile");
    typist.keys("\u{3}");
    typist.prompt();
    // Of several the common part, then all.
    typist.keys("pl\t\t");
    typist.wait("both", |_, screen| screen.contains("plan") && screen.contains("plot"));
}

#[test]
fn statements_are_found_again_in_the_next_session() {
    let place = Place::new();
    let mut typist = Typist::start(&place, &[], &[]);
    typist.prompt();
    typist.line("x = 6*7");
    typist.line("x + 1");
    typist.keys("y = [1,\r");
    typist.shows("   ..");
    typist.line("2]");
    typist.keys("\u{4}");
    assert_eq!(typist.end(), 0);
    assert!(place.exists("state/cll/llac_history"));
    let mut typist = Typist::start(&place, &[], &[]);
    typist.prompt();
    // Up.
    typist.keys("\u{1b}[A");
    typist.wait("the list", |_, screen| screen.ends_with("2]"));
    typist.enter();
    // In several lines the key goes to the line above first.
    typist.keys("\u{1b}[A\u{1b}[A\u{1b}[A\u{1b}[A");
    typist.shows("llac> x = 6*7");
    assert!(!typist.enter().contains("error"));
    // Ctrl-R searches.
    typist.keys("\u{12}+ 1");
    typist.wait("the search", |_, screen| screen.contains("x + 1"));
    assert!(typist.enter().contains("\r\n43\r\n"));
}

#[test]
fn what_is_typed_has_colours_unless_they_are_not_wanted() {
    let place = Place::new();
    let typed = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut typist = Typist::start(&place, variables, arguments);
        typist.prompt();
        typist.keys("plot 5");
        typist.shows("llac> plot 5");
        typist.seen(typist.before).0
    };
    assert!(typed(&[], &[]).contains("\u{1b}[1m\u{1b}[34mplot\u{1b}[0m"));
    assert!(!typed(&[("NO_COLOR", "1")], &[]).contains("\u{1b}[34m"));
    assert!(!typed(&[], &["--color", "never"]).contains("\u{1b}[34m"));
}

#[test]
fn a_terminal_that_can_do_nothing_is_used() {
    let mut typist = Typist::start(&Place::new(), &[("TERM", "dumb")], &[]);
    typist.prompt();
    typist.keys("x = (1 +\n");
    typist.shows("   ..");
    typist.keys("2)*2\n");
    typist.prompt();
    typist.keys("x\n");
    typist.wait("the value", |new, _| new.contains("\r\n6\r\n"));
    typist.prompt();
    typist.keys("help\n");
    typist.wait("all of the help", |new, _| new.contains("help WORD"));
    assert!(!typist.seen(0).0.contains('\u{1b}'), "{:?}", typist.seen(0).0);
    typist.prompt();
    typist.keys("\u{4}");
    assert_eq!(typist.end(), 0);
}

#[test]
fn what_is_longer_than_the_terminal_goes_through_the_pager() {
    let place = Place::new();
    place.write("pager", "#!/bin/sh\necho paged $(wc -l)\n");
    std::fs::set_permissions(
        place.path("pager"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let pager = place.path("pager").display().to_string();
    let mut typist = Typist::start(&place, &[("PAGER", &pager)], &[]);
    typist.prompt();
    let long = typist.line("help");
    assert!(long.contains("paged ") && !long.contains("Clauses"), "{long}");
    let short = typist.line("help quit");
    assert!(short.contains("Example") && !short.contains("paged"), "{short}");
    // One that is not there, and none.
    let mut typist = Typist::start(&place, &[("PAGER", "")], &[]);
    typist.prompt();
    typist.answers("help", "help WORD");
}
