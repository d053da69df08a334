//! A process that keeps a host's namespaces.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Names the host, makes its disk if there is one, tells its number and stays until its input ends.
const SCRIPT: &str = "set -e; hostname \"$1\"; ip link set lo up; \
                      [ -z \"$2\" ] || mount -t tmpfs -o \"size=$3\" tmpfs \"$2\"; \
                      echo $$; exec cat";

/// Ends with the value, and with the process that made it.
#[derive(Debug)]
pub struct Keeper {
    name: String,
    /// The number of the process in the namespaces; `unshare` is its parent where the clock is another.
    pid: u32,
    own_clock: bool,
    process: Child,
}

impl Keeper {
    /// A host whose clock is so many seconds ahead.
    pub fn begin(name: &str, ahead_s: u32, disk: Option<(&Path, &str)>) -> io::Result<Keeper> {
        let mut command = Command::new("unshare");
        command.args(["--net", "--uts", "--mount"]);
        let ahead = ahead_s.to_string();
        if ahead_s > 0 {
            // Only children of who makes such a namespace are in it.
            command.args(["--fork", "--time", "--monotonic", &ahead, "--boottime", &ahead]);
        }
        command.args(["sh", "-c", SCRIPT, "sh", name]);
        match disk {
            Some((folder, size)) => command.arg(folder).arg(size),
            None => command.args(["", ""]),
        };
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = piped.spawn()?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let Ok(pid) = line.trim().parse() else {
            drop(process.stdin.take());
            let output = process.wait_with_output()?;
            return Err(io::Error::other(error_text(&output.stderr)));
        };
        Ok(Keeper { name: name.to_owned(), pid, own_clock: ahead_s > 0, process })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns the words before a command that is to run there.
    pub fn line(&self) -> String {
        let clock = if self.own_clock { " --time" } else { "" };
        format!("nsenter --target {} --net --uts --mount{clock}", self.pid)
    }

    /// The same, to be completed.
    pub fn enter(&self) -> Command {
        let line = self.line();
        let mut words = line.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// Runs it to its end.
pub fn run(command: &mut Command) -> io::Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() { Ok(()) } else { Err(io::Error::other(error_text(&output.stderr))) }
}

fn error_text(error: &[u8]) -> String {
    String::from_utf8_lossy(error).trim().to_owned()
}
