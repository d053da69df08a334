//! Programs of MPI on hosts that have disks of their own: what is recorded there, gathered, left.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use test_draw::is_drawn;
use test_hosts::{Disks, Hosts, Mpi, Plan};

use crate::built;
use crate::mpi_calls::{OPEN_MPI, drawn, ready};
use crate::mpi_report::RANKS;
use crate::support::{CLL, Done, Place, run, skip};

/// Where they can be made.
pub fn hosts(test: &str, plan: &Plan) -> Option<Hosts> {
    Hosts::new(plan).map_err(|wanting| skip(test, &wanting)).ok()
}

/// The launcher of an MPI, with what puts processes on both hosts.
fn mpirun(hosts: &Hosts, mpi: &str) -> Vec<String> {
    let mut words = vec![format!("mpirun.{mpi}")];
    let of_mpi = Mpi::named(mpi).unwrap();
    words.extend(hosts.options(of_mpi).into_iter().map(|word| word.into_string().unwrap()));
    if of_mpi == Mpi::OpenMpi {
        // MPICH's takes all variables along.
        words.extend(["-x", "XDG_CACHE_HOME"].map(str::to_owned));
    }
    words
}

/// A command on a host, in a folder, free of what surrounds the test.
fn there(hosts: &Hosts, host: usize, place: &Place, folder: &Path, program: &str) -> Command {
    let inside = hosts.command(host, folder, program);
    let mut command = place.command(inside.get_program());
    command.args(inside.get_args());
    command.envs(OPEN_MPI);
    command
}

/// `cll` on the first host, whose launcher puts processes on both.
pub fn cll(hosts: &Hosts, place: &Place, folder: &Path, mpi: &str) -> Command {
    let mut command = there(hosts, 0, place, folder, CLL);
    command.env("CLL_MPIRUN", mpirun(hosts, mpi).join(" "));
    command
}

/// The program of `report`'s tests, and two hosts with disks of these sizes at `disk`, where it runs.
struct Apart {
    place: Place,
    hosts: Hosts,
    mpi: &'static str,
}

impl Apart {
    fn new(test: &str, mpi: &'static str, sizes: [&str; 2]) -> Option<Apart> {
        let place = Place::new();
        place.write("disk/hidden", "");
        place.write("ranks.c", RANKS);
        let disks = Disks { folder: place.path("disk"), sizes: sizes.map(str::to_owned) };
        let hosts = hosts(test, &Plan { disks: Some(disks), ..Plan::default() })?;
        let compiler = format!("mpicc.{mpi}");
        let line = ["cc", "-O2", "ranks.c", "-o", "ranks"];
        built::by_cll(&place, &[("CLL_CC", &compiler)], &line, &["ranks.c"], "ranks");
        Some(Apart { place, hosts, mpi })
    }

    fn there(&self, host: usize, program: &str) -> Command {
        there(&self.hosts, host, &self.place, &self.place.path("disk"), program)
    }

    /// Three processes, the second on the second host, started by the launcher alone.
    fn mpirun(&self, words: &[&str]) -> Done {
        let started = mpirun(&self.hosts, self.mpi);
        let mut command = self.there(0, &started[0]);
        command.args(&started[1..]).args(["-n", "3"]).args(words).env("CLL_GATHER_WAIT", "5");
        run(&mut command)
    }

    /// The same by `cll run`, with these options.
    fn cll_run(&self, options: &[&str], how: &str) -> Done {
        let mut command = cll(&self.hosts, &self.place, &self.place.path("disk"), self.mpi);
        run(command.arg("run").args(options).args(["-n", "3", "../ranks", how, "10"]))
    }

    /// The message about the second host then.
    fn reported(&self) -> String {
        format!(
            "the launcher's folder is not on {}: its processes record in {} there (ranks.cll.*.dat)",
            self.hosts.name(1),
            self.place.path("disk").display()
        )
    }

    fn files(&self, host: usize) -> Vec<String> {
        let listed = run(self.there(host, "ls").arg("-A")).expect(0);
        listed.out.lines().map(str::to_owned).collect()
    }

    /// The runs that the processes of what was copied say they are of.
    fn jobs(&self) -> BTreeSet<String> {
        let copied = |from: &&str| {
            let own = self.place.list(from).into_iter().filter(|name| name.ends_with(".dat"));
            own.map(|name| self.place.bytes(&format!("{from}/{name}"))).collect::<Vec<_>>()
        };
        let files: Vec<Vec<u8>> = ["from-0", "from-1"].iter().flat_map(copied).collect();
        let job = |file: &Vec<u8>| {
            let text = String::from_utf8_lossy(file);
            let (_, rest) = text.split_once("\"job\":\"").expect("a job");
            rest.split_once('"').expect("its end").0.to_owned()
        };
        assert!(files.len() >= 2, "{}", files.len());
        files.iter().map(job).collect()
    }

    /// Copies the files on the disks of these hosts to where all can read them, and merges them.
    fn merged(&self, hosts: &[usize]) -> (Done, serde_json::Value) {
        let mut files = Vec::new();
        for &host in hosts {
            let to = format!("from-{host}");
            let _ = std::fs::remove_dir_all(self.place.path(&to));
            self.place.write(&format!("{to}/.here"), "");
            let line = format!("cp *.cll.*.dat ../{to}");
            run(self.there(host, "sh").args(["-c", &line])).expect(0);
            let copied = self.place.list(&to);
            let dat = copied.iter().filter(|name| name.ends_with(".dat"));
            files.extend(dat.map(|name| format!("{to}/{name}")));
        }
        let mut line = vec!["export", "--format", "json"];
        line.extend(files.iter().map(String::as_str));
        let done = self.place.cll(&line).expect(0);
        let json = done.json();
        (done, json)
    }
}

#[test]
fn all_samples_come_to_processor_0_from_a_host_with_a_disk_of_its_own() {
    let test = "all_samples_come_to_processor_0";
    if !is_drawn(test, 0, 2) || !ready(test) {
        return;
    }
    for mpi in drawn(0) {
        let Some(apart) = Apart::new(test, mpi, ["64m", "64m"]) else { return };
        let done = apart.mpirun(&["../ranks", "all", "20000"]).expect(0);
        assert!(!done.err.contains("cll:"), "{mpi}: {}", done.err);
        assert_eq!(apart.files(0), ["ranks.cll.0.dat"], "{mpi}");
        assert!(apart.files(1).is_empty(), "{mpi}: {:?}", apart.files(1));
        let (_, trace) = apart.merged(&[0]);
        assert_eq!(trace["samples"], 120_000, "{mpi}");
        let host = |index: usize| trace["processes"][index]["host"].as_str().map(str::to_owned);
        assert_eq!(host(1).as_deref(), Some(apart.hosts.name(1)), "{trace}");
    }
}

#[test]
fn a_full_disk_is_named_and_the_rest_is_kept() {
    let test = "a_full_disk_is_named";
    if !is_drawn(test, 1, 2) || !ready(test) {
        return;
    }
    for mpi in drawn(0) {
        // Of the second host: some 1.3 MB are recorded there.
        let Some(apart) = Apart::new(test, mpi, ["64m", "512k"]) else { return };
        let done = apart.mpirun(&["../ranks", "all", "20000"]).expect(0);
        let second = apart.hosts.name(1);
        done.says(&[
            "No space left on device",
            &format!(" (on {second});"),
            "processor 1 of 3 stopped recording; its records until then are gathered",
        ]);
        assert_eq!(apart.files(0), ["ranks.cll.0.dat"], "{mpi}");
        let (_, trace) = apart.merged(&[0]);
        let samples = trace["samples"].as_u64().unwrap();
        assert!((80_000..120_000).contains(&samples), "{mpi}: {samples}");
        // Of the first: its own files have room, and not what is gathered beside them.
        let Some(apart) = Apart::new(test, mpi, ["4m", "64m"]) else { return };
        let done = apart.mpirun(&["../ranks", "all", "20000"]).expect(0);
        let first = apart.hosts.name(0);
        done.says(&[
            ".cll.gathering-",
            &format!(" on {first}: No space left on device; nothing is gathered"),
        ]);
        assert_eq!(apart.files(0), ["ranks.cll.0.0.dat", "ranks.cll.0.2.dat"], "{mpi}");
        assert_eq!(apart.files(1), ["ranks.cll.0.1.dat"], "{mpi}");
        assert_eq!(apart.merged(&[0, 1]).1["samples"], 120_000, "{mpi}");
    }
}

#[test]
fn when_one_dies_each_host_keeps_its_files() {
    let test = "when_one_dies_each_host_keeps";
    if !is_drawn(test, 2, 2) || !ready(test) {
        return;
    }
    for mpi in drawn(1) {
        let Some(apart) = Apart::new(test, mpi, ["64m", "64m"]) else { return };
        let done = apart.mpirun(&["../ranks", "dies", "10"]);
        assert_ne!(done.code, 0, "{mpi}: {done:?}");
        assert_eq!(apart.files(0), ["ranks.cll.0.0.dat", "ranks.cll.0.2.dat"], "{mpi}");
        assert_eq!(apart.files(1), ["ranks.cll.0.1.dat"], "{mpi}");
        let (part, _) = apart.merged(&[0]);
        part.says(&["the files of processor 1 of 3 are not here", "copy these here and give all"]);
        let (all, trace) = apart.merged(&[0, 1]);
        assert!(!all.err.contains("are not here"), "{}", all.err);
        assert_eq!(trace["samples"], 60, "{mpi}");
        all.says(&["processor 2 (process ", "did not end normally"]);
        let jobs = apart.jobs();
        assert_eq!(jobs.len(), 1, "{mpi}: {jobs:?}");
    }
}

/// Checks the message of another host about a run in which a rank died. Hydra's proxy may fail itself then, and the
/// message of that host is lost with it.
fn says_unless_lost(done: Done, reported: &str) -> Done {
    if done.err.contains("[proxy:") { done } else { done.says(&[reported]) }
}

#[test]
fn under_cll_run_the_other_host_s_files_are_reported() {
    let test = "under_cll_run_the_other_host";
    if !is_drawn(test, 3, 2) || !ready(test) {
        return;
    }
    for mpi in drawn(1) {
        let Some(apart) = Apart::new(test, mpi, ["64m", "64m"]) else { return };
        let (cll, reported) = (|how| apart.cll_run(&[], how), apart.reported());
        cll("all").expect(0).says(&[&reported]);
        assert_eq!(apart.files(0), ["ranks.cll.0.dat"], "{mpi}");
        assert!(apart.files(1).is_empty(), "{mpi}: {:?}", apart.files(1));
        assert_eq!(apart.merged(&[0]).1["samples"], 60, "{mpi}");
        let done = cll("dies");
        assert_ne!(done.code, 0, "{mpi}: {done:?}");
        let absent = "the files of processor 1 of 3 are not here: what they recorded";
        let done = done.says(&[absent, "on their hosts; copy these here"]);
        let done = says_unless_lost(done, &reported);
        // Hydra names those that it has ended itself, and the system has not seen the other host's.
        assert!(mpi == "mpich" || done.err.contains(": rank 2 (process "), "{}", done.err);
        assert_eq!(apart.files(0), ["ranks.cll.0.dat", "ranks.cll.1.dat"], "{mpi}");
        assert_eq!(apart.files(1), ["ranks.cll.1.1.dat"], "{mpi}");
        run(apart.there(0, "rm").arg("ranks.cll.0.dat")).expect(0);
        let (done, trace) = apart.merged(&[0, 1]);
        assert_eq!(trace["samples"], 60, "{mpi}");
        assert!(!done.err.contains("are not here"), "{}", done.err);
        let jobs = apart.jobs();
        assert_eq!(jobs.len(), 1, "{mpi}: {jobs:?}");
    }
}

#[test]
fn a_folder_that_is_asked_for_need_not_be_on_all_hosts() {
    let test = "a_folder_that_is_asked_for";
    if !is_drawn(test, 4, 2) || !ready(test) {
        return;
    }
    for mpi in drawn(2) {
        let Some(apart) = Apart::new(test, mpi, ["64m", "64m"]) else { return };
        let (cll, reported) = (|how| apart.cll_run(&["-o", "out"], how), apart.reported());
        let list = |folder: &str| {
            let listed = run(apart.there(0, "ls").arg(folder)).expect(0);
            listed.out.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        cll("all").expect(0).says(&[&reported]);
        assert_eq!(list("out"), ["ranks.cll.0.dat"], "{mpi}");
        assert_eq!(apart.files(0), ["out"], "{mpi}");
        assert!(apart.files(1).is_empty(), "{mpi}: {:?}", apart.files(1));
        let done = cll("dies");
        assert_ne!(done.code, 0, "{mpi}: {done:?}");
        let done = done.says(&["the files of processor 1 of 3 are not here: what they recorded"]);
        says_unless_lost(done, &reported);
        assert_eq!(list("out"), ["ranks.cll.0.dat", "ranks.cll.1.dat"], "{mpi}");
        assert_eq!(apart.files(0), ["out"], "{mpi}");
        assert_eq!(apart.files(1), ["ranks.cll.1.1.dat"], "{mpi}");
    }
}
