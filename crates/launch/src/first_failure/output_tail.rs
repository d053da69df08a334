//! A launcher's output, passed on at once and unchanged. Its end is kept.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, PipeReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a stream that are kept: launchers' last messages have some hundred bytes, for many hosts some
/// thousand.
const TAIL_BYTES: usize = 1 << 16;

/// The output of a program that prints to our streams.
#[derive(Debug)]
pub struct OutputTail(Vec<StreamTail>);

#[derive(Debug)]
struct StreamTail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Never receives a message; it is closed when the stream ends.
    over: Receiver<()>,
}

impl OutputTail {
    /// Standard output and error for the program. If ours are the same, its are, too, so that the order of its
    /// output is kept.
    pub fn new() -> io::Result<(OutputTail, [Stdio; 2])> {
        let (out, err) = (io::stdout(), io::stderr());
        let own = |stream: &dyn AsFd| stream.as_fd().try_clone_to_owned().map(File::from);
        let (find_message, to_out) = StreamTail::new(own(&out)?)?;
        if is_same(&out, &err) {
            let to_err = to_out.try_clone()?;
            return Ok((OutputTail(vec![find_message]), [to_out.into(), to_err.into()]));
        }
        let (second, to_err) = StreamTail::new(own(&err)?)?;
        Ok((OutputTail(vec![find_message, second]), [to_out.into(), to_err.into()]))
    }

    /// The end of the output. Processes that the program has left behind may keep the streams open; the wait is
    /// limited.
    pub fn end(&self, patience: Duration) -> String {
        let start = Instant::now();
        let mut text = String::new();
        for tail in &self.0 {
            let rest = patience.saturating_sub(start.elapsed());
            let ended = tail.over.recv_timeout(rest);
            debug_assert!(matches!(
                ended,
                Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout)
            ));
            let mut kept = tail.kept.lock().unwrap_or_else(PoisonError::into_inner);
            text.push_str(&String::from_utf8_lossy(kept.make_contiguous()));
            text.push('\n');
        }
        text
    }
}

impl StreamTail {
    fn new(to: File) -> io::Result<(StreamTail, io::PipeWriter)> {
        let (from, writer) = io::pipe()?;
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let (ends, over) = channel();
        let keeps = Arc::clone(&kept);
        thread::Builder::new().name("output".to_owned()).spawn(move || {
            pass_on(from, to, &keeps);
            drop(ends);
        })?;
        Ok((StreamTail { kept, over }, writer))
    }
}

/// Copies until the stream ends. If writing fails, the stream is closed, so that the program notices.
fn pass_on(mut from: PipeReader, mut to: File, kept: &Mutex<VecDeque<u8>>) {
    let mut piece = vec![0; TAIL_BYTES];
    loop {
        let count = match from.read(&mut piece) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        keep(&mut kept.lock().unwrap_or_else(PoisonError::into_inner), &piece[..count]);
        if write(&mut to, &piece[..count]).is_err() {
            return;
        }
    }
}

/// Also if another program has set the stream to non-blocking.
fn write(to: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match to.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn keep(kept: &mut VecDeque<u8>, piece: &[u8]) {
    kept.extend(piece);
    kept.drain(..kept.len().saturating_sub(TAIL_BYTES));
}

fn is_same(fd: &impl AsFd, other: &impl AsFd) -> bool {
    let identity = |stream: &dyn AsFd| {
        rustix::fs::fstat(stream.as_fd()).ok().map(|stat| (stat.st_dev, stat.st_ino))
    };
    identity(fd).is_some() && identity(fd) == identity(other)
}

/// The end of the output to a file since it had this length.
pub fn end_of(log: &File, since: u64) -> String {
    let length = log.metadata().map_or(0, |file| file.len());
    let from = since.max(length.saturating_sub(TAIL_BYTES as u64));
    let mut bytes = vec![0; length.saturating_sub(from) as usize];
    // A file that cannot be read gives nothing.
    match log.read_exact_at(&mut bytes, from) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_passed_on_and_the_end_is_kept() {
        let to = tempfile::tempfile().unwrap();
        let (tail, mut writer) = StreamTail::new(to.try_clone().unwrap()).unwrap();
        let line = b"0123456789abcdef\n";
        for _ in 0..10_000 {
            writer.write_all(line).unwrap();
        }
        drop(writer);
        let kept = OutputTail(vec![tail]).end(Duration::from_secs(60));
        assert_eq!(to.metadata().unwrap().len(), 10_000 * line.len() as u64);
        assert_eq!(kept.len(), TAIL_BYTES + 1);
        assert!(kept.ends_with("0123456789abcdef\n\n"));
    }

    #[test]
    fn who_still_holds_the_stream_is_not_waited_for() {
        let (tail, mut writer) = StreamTail::new(tempfile::tempfile().unwrap()).unwrap();
        writer.write_all(b"words").unwrap();
        let tails = OutputTail(vec![tail]);
        while tails.end(Duration::ZERO) != "words\n" {
            thread::yield_now();
        }
        drop(writer);
    }

    #[test]
    fn where_nobody_reads_the_program_learns_it() {
        let (reader, to) = io::pipe().unwrap();
        drop(reader);
        let to = File::from(std::os::fd::OwnedFd::from(to));
        let (tail, mut writer) = StreamTail::new(to).unwrap();
        let end = loop {
            if let Err(error) = writer.write_all(b"x") {
                break error.kind();
            }
        };
        assert_eq!(end, ErrorKind::BrokenPipe);
        drop(tail);
    }

    #[test]
    fn a_log_is_heard_from_where_a_run_began() {
        let mut log = tempfile::tempfile().unwrap();
        log.write_all(b"before").unwrap();
        log.write_all(b"after").unwrap();
        assert_eq!(end_of(&log, 6), "after");
        assert_eq!(end_of(&File::open("/dev/null").unwrap(), 0), "");
    }
}
