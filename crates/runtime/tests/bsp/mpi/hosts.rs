//! Two hosts: network namespaces, each with an end of a cable, in which launchers start processes by a
//! program of ours in the place of ssh.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use cll_trace::log::{self, Log};

use super::{launcher, mpis};
use crate::build::{alone, loadable};
use crate::examples::examples;
use crate::stated::name_of;
use crate::support::skip;

/// Goes with the test.
struct Hosts {
    names: [String; 2],
    folder: tempfile::TempDir,
    /// What the second one's clock is ahead of the first one's, seconds.
    ahead_s: u32,
}

const ADDRESSES: [&str; 2] = ["10.231.77.1", "10.231.77.2"];

fn ip(words: &str) -> bool {
    let output = Command::new("ip").args(words.split_whitespace()).output();
    output.is_ok_and(|output| output.status.success())
}

impl Hosts {
    /// With one clock, where they can be made.
    fn new(test: &str) -> Option<Hosts> {
        Hosts::with_clocks(test, 0)
    }

    /// The second one's clock is so many seconds ahead, as that of a host started earlier.
    fn with_clocks(test: &str, ahead_s: u32) -> Option<Hosts> {
        let own_clock = ["--time", "--monotonic", "1", "--fork", "true"];
        let has_own = || Command::new("unshare").args(own_clock).status();
        if ahead_s > 0 && !has_own().is_ok_and(|status| status.success()) {
            skip(test, "time namespaces (root; Linux 5.6; Debian: util-linux)");
            return None;
        }
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let nth = COUNT.fetch_add(1, Relaxed);
        let names = [1, 2].map(|end| format!("cll{}n{nth}h{end}", std::process::id()));
        let hosts = Hosts { names, folder: tempfile::tempdir().unwrap(), ahead_s };
        let [one, two] = &hosts.names;
        let steps = [
            format!("netns add {one}"),
            format!("netns add {two}"),
            format!("link add eth1 netns {one} type veth peer name eth1 netns {two}"),
            format!("-n {one} addr add {}/24 dev eth1", ADDRESSES[0]),
            format!("-n {two} addr add {}/24 dev eth1", ADDRESSES[1]),
            format!("-n {one} link set eth1 up"),
            format!("-n {two} link set eth1 up"),
            format!("-n {one} link set lo up"),
            format!("-n {two} link set lo up"),
        ];
        if !steps.iter().all(|step| ip(step)) {
            skip(test, "the right to make network namespaces (root; Debian: iproute2)");
            return None;
        }
        Some(hosts)
    }

    /// A program that starts a command on the host that its first word names, as ssh does.
    fn shell(&self) -> PathBuf {
        let path = self.folder.path().join("on-host");
        let [one, two] = &self.names;
        let clock = match self.ahead_s {
            0 => String::new(),
            ahead => format!("unshare --time --monotonic {ahead} --fork "),
        };
        let [first, second] = ADDRESSES;
        let text = format!(
            "#!/bin/sh\nwhile [ \"${{1#-}}\" != \"$1\" ]; do shift; done\ncase \"$1\" in\n\
             {first}) host={one} clock= ;;\n{second}) host={two} clock='{clock}' ;;\n\
             *) echo \"no host $1\" >&2; exit 1 ;;\nesac\nshift\n\
             exec ip netns exec $host unshare --uts ${{clock}}sh -c \"hostname $host; $*\"\n"
        );
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The launcher of an MPI on the first host, for processes on both.
    fn launcher(&self, mpi: &str, processes: usize) -> Command {
        let started = launcher(mpi, processes).unwrap();
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[0], "unshare", "--uts", "sh", "-c"]);
        command.arg(format!("hostname {}; exec \"$@\"", self.names[0])).arg("sh");
        command.arg(started.get_program());
        let shell = self.shell();
        match mpi {
            "openmpi" => {
                let hosts = ADDRESSES.map(|address| format!("{address}:4")).join(",");
                command.args(["--host", &hosts, "--map-by", "node"]);
                command.args(["--mca", "plm_rsh_agent", shell.to_str().unwrap()]);
                command.args([
                    "--mca",
                    "btl",
                    "self,vader,tcp",
                    "--mca",
                    "btl_tcp_if_include",
                    "eth1",
                ]);
                command.args(["--mca", "oob_tcp_if_include", "eth1"]);
                for name in ["XDG_CACHE_HOME", "OMPI_ALLOW_RUN_AS_ROOT", "CLL_LOG"] {
                    command.args(["-x", name]);
                }
            }
            _ => {
                command.args(["-hosts", &ADDRESSES.join(","), "-ppn", "1", "-iface", "eth1"]);
                command.args(["-launcher", "ssh", "-launcher-exec", shell.to_str().unwrap()]);
            }
        }
        command.args(started.get_args());
        for (name, value) in started.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command.env_remove("CLL_NPROCS").env_remove("CLL_ENGINE");
        command
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for name in &self.names {
            ip(&format!("netns del {name}"));
        }
    }
}

#[test]
fn examples_on_two_hosts() {
    let Some(hosts) = Hosts::new("examples_on_two_hosts") else { return };
    for mpi in mpis("examples_on_two_hosts") {
        for name in ["sample_sort", "lu"] {
            let file = examples().into_iter().find(|file| name_of(file) == name).unwrap();
            let program = loadable(&file, &[]);
            let output = hosts.launcher(mpi, 4).arg(&program.path).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let last = printed.lines().last().unwrap_or_default();
            let right = last.starts_with(&format!("{name}: ")) && !last.ends_with("WRONG");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && right, "{mpi}, {name}: {printed}{said}");
        }
    }
}

/// Each process says on which host it is; both have some.
#[test]
fn a_process_that_fails_on_another_host_is_named() {
    let test = "a_process_that_fails_on_another_host_is_named";
    let Some(hosts) = Hosts::new(test) else { return };
    let program = alone(&crate::failures::source("failing.c"), &[]);
    for mpi in mpis(test) {
        let mut command = hosts.launcher(mpi, 2);
        let output = command.arg(&program.path).args(["compute", "kill", "1"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let name = "cll: processor 1 of 2 (process ";
        assert!(!output.status.success() && said.contains(name), "{mpi}: {said}");
        assert!(said.contains(&format!("on {})", hosts.names[1])), "{mpi}: {said}");
    }
}

/// A host that was started 5000 s earlier: the program runs, its log is put on one clock, and a failure is named
/// as soon as with one.
#[test]
fn hosts_whose_clocks_differ() {
    let test = "hosts_whose_clocks_differ";
    const AHEAD_S: u32 = 5000;
    let Some(hosts) = Hosts::with_clocks(test, AHEAD_S) else { return };
    let sort = examples().into_iter().find(|file| name_of(file) == "sample_sort").unwrap();
    let failing = alone(&crate::failures::source("failing.c"), &[]);
    for mpi in mpis(test) {
        let program = loadable(&sort, &[]);
        let mut command = hosts.launcher(mpi, 2);
        command.env("CLL_LOG", "1").current_dir(program.folder.path());
        let output = command.arg(&program.path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{mpi}: {said}");
        on_one_clock(&program.folder.path().join("sample_sort"), &hosts, f64::from(AHEAD_S));

        let mut command = hosts.launcher(mpi, 2);
        let output = command.arg(&failing.path).args(["compute", "kill", "1"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let named = said.contains("cll: processor 1 of 2 (process ");
        assert!(!output.status.success() && named, "{mpi}: {said}");
    }
}

fn on_one_clock(program: &std::path::Path, hosts: &Hosts, ahead_s: f64) {
    let read = |nth| {
        let path = program.with_extension(format!("cll.{nth}.dat"));
        log::supersteps(File::open(path).unwrap()).unwrap()
    };
    let mut logs = [0, 1].map(read);
    logs.sort_by_key(|log| log.processors[0].number);
    let apart = logs[1].origin_ns as f64 * 1e-9 - logs[0].origin_ns as f64 * 1e-9;
    assert!((apart - ahead_s).abs() < 60.0, "the clocks are {apart} s apart");
    let log = Log::gather(logs).unwrap();
    let [related] = log.clocks.as_slice() else { panic!("{:?}", log.clocks) };
    assert_eq!(related.host, hosts.names[1]);
    let correction = related.correction_s.unwrap();
    // Whatever else the machine does, nobody left a synchronisation before all had come, by the clock of all.
    assert!((correction + ahead_s).abs() <= related.uncertainty_s, "{related:?}");
    let supersteps = |processor: usize| &log.processors[processor].supersteps;
    assert!(supersteps(0).len() > 3 && supersteps(0).len() == supersteps(1).len());
    for (one, other) in supersteps(0).iter().zip(supersteps(1)) {
        let comes = |it: &log::Superstep| it.start_s + it.computation_s;
        let slack = related.uncertainty_s;
        assert!(comes(one) <= other.end_s() + slack && comes(other) <= one.end_s() + slack);
    }
}
