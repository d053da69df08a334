//! Two hosts for tests and benchmarks: namespaces of this machine, with a cable between them, on which launchers of MPI
//! start processes by a program of ours in the place of ssh.
//!
//! Each has a name of its own (UTS), a network of its own, and, where that is asked for, a clock that runs ahead (time) and
//! a disk (mount: a file system in memory over a folder). All of it needs root, and goes with the value, also when
//! the process that made it is killed: a namespace lasts as long as a process is in it, and that which keeps it ends
//! with its input.

#![forbid(unsafe_code)]

mod keeper;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use keeper::Keeper;

/// Their addresses.
pub const ADDRESSES: [&str; 2] = ["10.231.77.1", "10.231.77.2"];

/// The device at each end of the cable.
pub const DEVICE: &str = "eth1";

/// The properties of the hosts.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The time by which the second host's clock is ahead of the first one's, in seconds, as that of a host that was
    /// started earlier.
    pub ahead_s: u32,
    /// The rate of the cable, as `tc` reads it (`100mbit`); `None`: as much as there is.
    pub rate: Option<String>,
    /// Disks of their own.
    pub disks: Option<Disks>,
}

/// A disk for each host.
#[derive(Clone, Debug)]
pub struct Disks {
    /// The folder over which it lies; whatever is in it is hidden on both.
    pub folder: PathBuf,
    /// How much it holds, as `mount` reads it for `tmpfs` (`64m`).
    pub sizes: [String; 2],
}

/// The MPI whose launcher is to start processes on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mpi {
    /// Open MPI.
    OpenMpi,
    /// MPICH.
    Mpich,
}

impl Mpi {
    /// By the ending that Debian gives its programs: `openmpi`, `mpich`.
    pub fn named(name: &str) -> Option<Mpi> {
        match name {
            "openmpi" => Some(Mpi::OpenMpi),
            "mpich" => Some(Mpi::Mpich),
            _ => None,
        }
    }
}

/// Two hosts.
#[derive(Debug)]
pub struct Hosts {
    keepers: [Keeper; 2],
    /// The folder of the program in the place of ssh.
    folder: tempfile::TempDir,
}

impl Hosts {
    /// As planned.
    ///
    /// # Errors
    /// The reason why the hosts cannot be made, in words that follow "needs".
    pub fn new(plan: &Plan) -> Result<Hosts, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let nth = COUNT.fetch_add(1, Relaxed);
        let name = |host: usize| format!("cll{}n{nth}h{}", std::process::id(), host + 1);
        let clocks = [0, plan.ahead_s];
        let keeper = |host: usize| {
            let disk =
                plan.disks.as_ref().map(|disks| (disks.folder.as_path(), &*disks.sizes[host]));
            Keeper::begin(&name(host), clocks[host], disk).map_err(|error| missing(plan, &error))
        };
        let keepers = [keeper(0)?, keeper(1)?];
        let folder = tempfile::tempdir().map_err(|error| format!("a temporary folder: {error}"))?;
        let hosts = Hosts { keepers, folder };
        hosts.connect(plan)?;
        hosts.write_shell().map_err(|error| format!("a temporary folder: {error}"))?;
        Ok(hosts)
    }

    /// A host's name.
    pub fn name(&self, host: usize) -> &str {
        self.keepers[host].name()
    }

    /// A program on a host, in this folder as the host sees it.
    pub fn command(
        &self,
        host: usize,
        folder: impl AsRef<Path>,
        program: impl AsRef<OsStr>,
    ) -> Command {
        let mut command = self.keepers[host].enter();
        // Who enters another tree of files is at its root.
        command.args(["sh", "-c", "cd \"$0\" && exec \"$@\""]);
        command.arg(folder.as_ref()).arg(program);
        command
    }

    /// Returns the options that make the launcher put processes on both hosts in turn, the first one on the first. They
    /// stand between the launcher's name and its other options. The launcher is to be started on the first host.
    pub fn options(&self, mpi: Mpi) -> Vec<OsString> {
        let shell = self.shell().into_os_string();
        let [first, two] = ADDRESSES;
        let words =
            |text: &str| -> Vec<OsString> { text.split_whitespace().map(OsString::from).collect() };
        let mut all;
        match mpi {
            Mpi::OpenMpi => {
                all = words(&format!(
                    "--host {first}:8,{two}:8 --map-by node --mca btl self,vader,tcp \
                     --mca btl_tcp_if_include {DEVICE} --mca oob_tcp_if_include {DEVICE} \
                     --mca plm_rsh_agent"
                ));
                all.push(shell);
            }
            Mpi::Mpich => {
                all = words(&format!(
                    "-hosts {first},{two} -ppn 1 -iface {DEVICE} -launcher ssh -launcher-exec"
                ));
                all.push(shell);
            }
        }
        all
    }

    /// The program that starts a command on the host whose address is its first word, as ssh does.
    fn shell(&self) -> PathBuf {
        self.folder.path().join("on-host")
    }

    fn write_shell(&self) -> io::Result<()> {
        let mut cases = String::new();
        for (address, keeper) in ADDRESSES.iter().zip(&self.keepers) {
            cases.push_str(&format!("{address}) enter='{}' ;;\n", keeper.line()));
        }
        let text = format!(
            "#!/bin/sh\nwhile [ \"${{1#-}}\" != \"$1\" ]; do shift; done\ncase \"$1\" in\n{cases}\
             *) echo \"no host $1\" >&2; exit 1 ;;\nesac\nshift\nexec $enter sh -c \"$*\"\n"
        );
        fs::write(self.shell(), text)?;
        fs::set_permissions(self.shell(), fs::Permissions::from_mode(0o755))
    }

    fn connect(&self, plan: &Plan) -> Result<(), String> {
        let [first, two] = &self.keepers;
        let cable = format!(
            "link add {DEVICE} netns {} type veth peer name {DEVICE} netns {}",
            first.pid(),
            two.pid()
        );
        let mut cable_of = Command::new("ip");
        keeper::run(cable_of.args(cable.split(' '))).map_err(|error| missing(plan, &error))?;
        for (keeper, address) in self.keepers.iter().zip(ADDRESSES) {
            let mut lines = vec![
                format!("ip addr add {address}/24 dev {DEVICE}"),
                format!("ip link set {DEVICE} up"),
            ];
            lines.extend(plan.rate.as_ref().map(|rate| {
                format!("tc qdisc add dev {DEVICE} root tbf rate {rate} burst 32kbit latency 400ms")
            }));
            for line in lines {
                let mut command = keeper.enter();
                keeper::run(command.args(line.split(' ')))
                    .map_err(|error| missing(plan, &error))?;
            }
        }
        Ok(())
    }
}

fn missing(plan: &Plan, error: &io::Error) -> String {
    let kinds = match (plan.ahead_s, &plan.disks) {
        (0, None) => "network namespaces",
        (0, Some(_)) => "network and mount namespaces",
        _ => "network, mount and time namespaces",
    };
    format!("the right to make {kinds} (root; Linux 5.6; Debian: iproute2, util-linux): {error}")
}

#[cfg(test)]
mod tests;
