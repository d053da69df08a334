//! A Slurm of the test's own, on the loopback: a controller and two nodes on this host.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::scenes::{self, System};
use crate::support::{have, skip};

/// Processors that each of the two nodes says it has, whatever this host has.
pub const EACH: u32 = 4;
/// Minutes that its partition grants.
const LONGEST: u32 = 60;

struct Slurm {
    folder: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    /// Starts it; `None` where it is not installed, which is reported.
    fn start(test: &str) -> Option<Slurm> {
        if !["slurmctld", "slurmd", "sbatch"].iter().all(|name| have_daemon(name, test)) {
            return None;
        }
        if !have("munged", test) || !have("setpriv", test) {
            return None;
        }
        let folder = tempfile::Builder::new().prefix("cll-slurm-").tempdir().unwrap();
        let mut slurm = Slurm { folder, daemons: Vec::new() };
        slurm.configure();
        let place = |name: &str| slurm.folder.path().join(name).to_string_lossy().into_owned();
        let munged = [
            "munged".to_owned(),
            "--foreground".into(),
            "--force".into(),
            format!("--socket={}", place("munge.socket")),
            format!("--key-file={}", place("munge.key")),
            format!("--pid-file={}", place("munged.pid")),
            format!("--log-file={}", place("munged.log")),
            format!("--seed-file={}", place("munge.seed")),
        ];
        let mut commands = vec![munged.to_vec()];
        commands.push(vec!["slurmctld".into(), "-D".into(), "-f".into(), place("slurm.conf")]);
        for node in ["n1", "n2"] {
            let words = ["slurmd", "-D", "-f", &place("slurm.conf"), "-N", node];
            commands.push(words.map(str::to_owned).to_vec());
        }
        for words in commands {
            slurm.daemons.push(daemon(&words, slurm.folder.path()));
            if words[0] == "munged" {
                let socket = slurm.folder.path().join("munge.socket");
                wait("munge's socket", || socket.exists());
            }
        }
        wait("two idle nodes", || slurm.ask(&["sinfo", "-h", "-o", "%D %t"]).trim() == "2 idle");
        Some(slurm)
    }

    fn configure(&self) {
        let folder = self.folder.path();
        for name in ["state", "spool.n1", "spool.n2"] {
            fs::create_dir(folder.join(name)).unwrap();
        }
        let key: Vec<u8> =
            (0..1024_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        fs::write(folder.join("munge.key"), key).unwrap();
        set_mode(&folder.join("munge.key"), 0o400);
        // The socket's folder and those of the nodes must be open to other users' processes.
        set_mode(folder, 0o755);
        let ports = free_ports();
        let user =
            String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
        let (user, base) = (user.trim(), folder.display());
        let text = format!(
            "ClusterName=tests\nSlurmctldHost=localhost(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
             AuthType=auth/munge\nAuthInfo=socket={base}/munge.socket\nCryptoType=crypto/munge\n\
             SlurmctldPort={}\nSlurmctldPidFile={base}/slurmctld.pid\nSlurmdPidFile={base}/slurmd.%n.pid\n\
             SlurmdSpoolDir={base}/spool.%n\nStateSaveLocation={base}/state\n\
             SlurmctldLogFile={base}/slurmctld.log\nSlurmdLogFile={base}/slurmd.%n.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSwitchType=switch/none\n\
             MpiDefault=none\nReturnToService=2\nKillWait=1\nCompleteWait=0\n\
             SchedulerType=sched/backfill\n\
             SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             SlurmdParameters=config_overrides\n\
             NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={} CPUs={EACH}\n\
             NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={} CPUs={EACH}\n\
             PartitionName=all Nodes=n1,n2 Default=YES MaxTime={LONGEST} State=UP\n",
            ports[0], ports[1], ports[2]
        );
        fs::write(folder.join("slurm.conf"), text).unwrap();
    }

    /// Runs a command of Slurm and gives its output.
    fn ask(&self, words: &[&str]) -> String {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("SLURM_CONF", self.configuration()).stdin(Stdio::null());
        let done = command.output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    fn configuration(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    fn logs(&self) -> String {
        let log = |name: &str| {
            let text = fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            format!("{name}:\n{}\n", lines[lines.len().saturating_sub(30)..].join("\n"))
        };
        ["slurmctld.log", "slurmd.n1.log", "slurmd.n2.log"].map(log).concat()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.logs());
        }
        self.ask(&["scancel", "--state=RUNNING"]);
        self.ask(&["scancel", "--state=PENDING"]);
        let begin = Instant::now();
        while !self.ask(&["squeue", "-h"]).is_empty() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(200));
        }
        for daemon in self.daemons.iter().rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
        }
        for daemon in self.daemons.iter_mut().rev() {
            let begin = Instant::now();
            while matches!(daemon.try_wait(), Ok(None)) {
                if begin.elapsed() > Duration::from_secs(10) {
                    let _ = daemon.kill();
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// A daemon that ends with the test, however that ends.
fn daemon(words: &[String], folder: &Path) -> Child {
    let output =
        fs::File::create(folder.join(format!("{}.out", words.join(" ").replace('/', "_"))));
    let output = output.unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).args(words).env("PATH", path());
    command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
    command.env("SLURM_CONF", folder.join("slurm.conf")).spawn().unwrap()
}

/// Daemons lie where a user's shell may not look.
fn path() -> String {
    format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default())
}

fn have_daemon(name: &str, test: &str) -> bool {
    let is_there = Command::new(name).env("PATH", path()).arg("-V").output().is_ok();
    if !is_there {
        skip(test, &format!("{name} is missing"));
    }
    is_there
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Three ports that nobody listens to.
fn free_ports() -> Vec<u16> {
    let listen = || TcpListener::bind("127.0.0.1:0").unwrap();
    let listeners = [listen(), listen(), listen()];
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

fn wait(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(600), "never so: {what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Processes that have the folder in their command line or environment.
fn left_in(folder: &Path) -> Vec<String> {
    let name = folder.to_string_lossy().into_owned();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let texts = entries.filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        let read = |what: &str| fs::read(entry.path().join(what)).unwrap_or_default();
        let text = [read("cmdline"), b" ".to_vec(), read("environ")].concat();
        let text = String::from_utf8_lossy(&text).replace('\0', " ");
        text.contains(&name).then_some(text)
    });
    texts.collect()
}

#[test]
fn slurm_makes_runs_and_gives_them_back() {
    let Some(slurm) = Slurm::start("slurm_makes_runs_and_gives_them_back") else { return };
    let system = System {
        name: "slurm",
        submit: "sbatch",
        variables: vec![("SLURM_CONF".into(), slurm.configuration().into_os_string())],
        path: None,
        beyond: &["would wait forever (PartitionConfig)", "is cancelled"],
        no_queue: &["invalid partition"],
    };
    scenes::a_campaign(&system);
    scenes::killed_while_waiting(&system);
    scenes::killed_while_handing_in(&system);
    scenes::refused(&system);
    scenes::one_program(&system);
    scenes::held_for_ever(&system);
    scenes::processes_of_mpi(&system);
    let folder = slurm.folder.path().to_path_buf();
    drop(slurm);
    assert_eq!(left_in(&folder), Vec::<String>::new());
}
