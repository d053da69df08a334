//! Lines at the end of a terminal that are redrawn.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Seldom, since drawing must not disturb the measurement.
const REDRAW_INTERVAL: Duration = Duration::from_secs(1);
/// The shortest time between two drawings.
const MIN_REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// The lines, for a terminal with this number of columns.
type LinesFor = Box<dyn Fn(usize) -> Vec<String> + Send>;

/// Lines on standard error, until it is dropped. Between two drawings the cursor is at their beginning, so that
/// they are found even if the terminal has become narrower and has wrapped them.
pub struct Live {
    shared: Arc<Shared>,
    drawer: Option<JoinHandle<()>>,
}

struct Shared {
    lines: Mutex<Drawn>,
    over: Condvar,
}

struct Drawn {
    lines: LinesFor,
    last: Option<Instant>,
    is_over: bool,
}

impl Live {
    /// Draws these lines every second.
    pub fn new(lines: impl Fn(usize) -> Vec<String> + Send + 'static) -> Live {
        let drawn = Drawn { lines: Box::new(lines), last: None, is_over: false };
        let shared = Arc::new(Shared { lines: Mutex::new(drawn), over: Condvar::new() });
        let own = Arc::clone(&shared);
        // Without a thread they are drawn when there is something new.
        let drawer = thread::Builder::new().spawn(move || own.draw_on()).ok();
        Live { shared, drawer }
    }

    /// Draws them now, unless they were drawn just before.
    pub fn draw(&self) {
        let mut drawn = self.shared.lock();
        if drawn.last.is_none_or(|last| last.elapsed() >= MIN_REDRAW_INTERVAL) {
            drawn.draw();
        }
    }

    /// Runs a function that prints, above the lines.
    pub fn aside<T>(&self, what: impl FnOnce() -> T) -> T {
        let mut drawn = self.shared.lock();
        put(&erased(&[]));
        let result = what();
        drawn.draw();
        result
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.over.notify_all();
        if let Some(drawer) = self.drawer.take() {
            // After a panic nothing is drawn any more.
            let _ = drawer.join();
        }
        put(&erased(&[]));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Drawn> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw_on(&self) {
        let mut drawn = self.lock();
        while !drawn.is_over {
            drawn.draw();
            let waited = self.over.wait_timeout(drawn, REDRAW_INTERVAL);
            drawn = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drawn {
    fn draw(&mut self) {
        self.last = Some(Instant::now());
        let width = terminal_size::terminal_size_of(io::stderr())
            .map_or(80, |(width, _)| usize::from(width.0));
        put(&erased(&(self.lines)(width)));
    }
}

/// Writes these lines in place of everything after the cursor, and moves the cursor back to their beginning. Each
/// must be narrower than the terminal. Old lines are erased one by one: if everything from a screen's first line
/// on is erased, some terminals keep it in their scrollback.
fn erased(lines: &[String]) -> String {
    let up = match lines.len() {
        0 | 1 => String::new(),
        count => format!("\x1b[{}A", count - 1),
    };
    format!("\r{}\x1b[J\r{up}", lines.join("\x1b[K\r\n"))
}

/// One write, so that nothing is shown half drawn. Errors are ignored.
fn put(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_goes_back_to_where_the_lines_begin() {
        let lines =
            |all: &[&str]| erased(&all.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        assert_eq!(lines(&["a", "b", "c"]), "\ra\x1b[K\r\nb\x1b[K\r\nc\x1b[J\r\x1b[2A");
        assert_eq!(lines(&["a"]), "\ra\x1b[J\r");
        assert_eq!(lines(&[]), "\r\x1b[J\r");
    }
}
