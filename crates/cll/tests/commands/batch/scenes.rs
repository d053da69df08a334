//! The requirements that every system has to meet.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{CLL, Done, Place, run, until, with_enough_time};

/// A batch system that is there.
pub struct System {
    pub name: &'static str,
    /// The command that hands in.
    pub submit: &'static str,
    pub variables: Vec<(String, OsString)>,
    /// The folder of its commands, if it is not in PATH.
    pub path: Option<PathBuf>,
    /// The texts of the message about nine processors.
    pub beyond: &'static [&'static str],
    /// The texts of the message about the queue `nope`.
    pub no_queue: &'static [&'static str],
}

impl System {
    fn command(&self, place: &Place, first: Option<&Path>) -> Command {
        let mut command = place.command(CLL);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = first.into_iter().chain(self.path.as_deref()).map(Path::to_path_buf);
        let folders: Vec<PathBuf> = folders.chain(std::env::split_paths(&path)).collect();
        command.env("PATH", std::env::join_paths(folders).unwrap());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    fn cll(&self, place: &Place, arguments: &[&str]) -> Done {
        run(self.command(place, None).args(arguments))
    }

    /// `cll`, and it goes on beside us.
    fn begin(&self, place: &Place, first: Option<&Path>, arguments: &[&str]) -> Child {
        let mut command = self.command(place, first);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

/// Every run leaves a line, so it is seen how often it was made.
const WORK: &str = "#!/bin/sh\necho \"$1 $OMP_NUM_THREADS $WORD\" >> made\n\
    case $1 in\n  3) echo three; exit 3 ;;\n  4) sleep 600 ;;\n  5) kill -9 $$ ;;\nesac\nsleep ${SECONDS_EACH:-0}\n";

fn with_work(plan: &str, system: &System) -> Place {
    let place = Place::new();
    place.write("work", WORK);
    assert_eq!(place.sh("chmod +x work").code, 0);
    let head = format!("cll-campaign = 1\nprogram = \"./work\"\nlauncher = \"{}\"\n", system.name);
    place.write("plan.toml", head + plan);
    place
}

fn status(system: &System, place: &Place) -> Value {
    system.cll(place, &["campaign", "status", "plan.campaign", "--json"]).expect(0).json()
}

/// Runs that are done, fail, are killed, take too long, and such as nobody grants.
pub fn a_campaign(system: &System) {
    let campaign = |limit: &str| {
        let plan = format!(
            "arguments = [\"{{N}}\"]\nprocessors = [1, 2, 9]\nrounds = 1\ntimeout = \"{limit}\"\n\
             [parameters]\nN = [1, 2, 3, 4, 5]\n[environment]\nWORD = \"it's two\"\n"
        );
        let place = with_work(&plan, system);
        system.cll(&place, &["campaign", "run", "plan.toml"]).expect(5).says(system.beyond);
        let status = status(system, &place);
        (place, status)
    };
    // On 1 and 2 processors one run hangs.
    let two_hang = |(_, status): &(Place, Value)| status["counts"]["timeout"] == 2;
    let (place, status) = with_enough_time(campaign, two_hang);
    let runs = status["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 15);
    for value in runs {
        let text = format!("{}: {value}", system.name);
        let (n, processors) = (value["parameters"]["N"].as_u64(), value["processors"].as_u64());
        let state = match (n, processors) {
            (_, Some(9)) => "failed",
            (Some(1 | 2), _) => "done",
            (Some(4), _) => "timeout",
            _ => "failed",
        };
        assert_eq!(value["state"], state, "{text}");
        let message = value["message"].as_str().unwrap_or_default();
        match (n, processors) {
            (_, Some(9)) => assert!(message.contains("does not grant"), "{text}"),
            (Some(3), _) => assert!(value["exit"] == 3 && message.contains("three"), "{text}"),
            (Some(5), _) => assert!(value["signal"] == 9, "{text}"),
            _ => assert!(value["time_s"].is_number() && value["host"].is_string(), "{text}"),
        }
    }
    let lines_made = place.read("made");
    assert_eq!(lines_made.lines().count(), 10, "{lines_made}");
    assert!(lines_made.lines().any(|line| line == "2 2 it's two"), "{lines_made}");
    // What failed may be made again, by a mended program if that is said; what is done is not.
    let resume = ["campaign", "resume", "plan.campaign", "--retry", "--mixed", "-q"];
    place.write("work", "#!/bin/sh\necho again >> made\n");
    assert_eq!(place.sh("chmod +x work").code, 0);
    system.cll(&place, &resume).expect(5).prints(&["10 of 15 runs are done"]);
    assert_eq!(place.read("made").lines().filter(|line| *line == "again").count(), 6);
}

/// Ended without a word, it collects later what the system has made meanwhile, once.
pub fn killed_while_waiting(system: &System) {
    let plan = "arguments = [\"{N}\"]\nrounds = 3\n[parameters]\nN = [1, 2]\n\
        [environment]\nSECONDS_EACH = \"0.3\"\n";
    let place = with_work(plan, system);
    let mut child = system.begin(&place, None, &["campaign", "run", "plan.toml", "-q"]);
    until("a run is made", || place.exists("made"));
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = system.cll(&place, &["campaign", "resume", "plan.campaign", "-q"]);
    resumed.expect(0).prints(&["6 of 6 runs are done"]);
    assert_eq!(place.read("made").lines().count(), 6, "{}", system.name);
    let status = status(system, &place);
    assert!(status["runs"].as_array().unwrap().iter().all(|run| run["attempts"] == 1), "{status}");
}

/// Ended while the system is taking the job: it is not handed in twice. And where the system knows
/// nothing of it, it is handed in again.
pub fn killed_while_handing_in(system: &System) {
    let plan = "arguments = [\"{N}\"]\nrounds = 2\n[parameters]\nN = [1, 2]\n";
    let slow = "#!/bin/sh\necho begun >> \"$HANDED\"\nPATH=${PATH#*:}\n";
    for (before, handed) in [
        (format!("{slow}{} \"$@\"\ncode=$?\nsleep 1\nexit $code\n", system.submit), 1),
        // The command itself is ended before the system has the job.
        (
            format!(
                "{slow}[ -e \"$HANDED.once\" ] && exec {} \"$@\"\n: > \"$HANDED.once\"\nsleep 1\nexit 1\n",
                system.submit
            ),
            2,
        ),
    ] {
        let place = with_work(plan, system);
        place.write("bin/slow", &before);
        let name = format!("bin/{}", system.submit);
        assert_eq!(place.sh(&format!("mv bin/slow {name} && chmod +x {name}")).code, 0);
        let bin = place.path("bin");
        let handed_path = place.path("handed");
        let command = |arguments: &[&str]| {
            let mut command = system.command(&place, Some(&bin));
            command.args(arguments).env("HANDED", &handed_path);
            command
        };
        let mut begun = command(&["campaign", "run", "plan.toml", "-q"]);
        let mut child = begun.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until("a job is handed in", || place.exists("handed"));
        child.kill().unwrap();
        child.wait().unwrap();
        let resumed = run(&mut command(&["campaign", "resume", "plan.campaign", "-q"]));
        resumed.expect(0).prints(&["4 of 4 runs are done"]);
        assert_eq!(place.read("made").lines().count(), 4, "{}", system.name);
        assert_eq!(place.read("handed").lines().count(), handed, "{}: {before}", system.name);
    }
}

/// A queue that is not there.
pub fn refused(system: &System) {
    let place = with_work("[batch]\nqueue = \"nope\"\n", system);
    system.cll(&place, &["campaign", "run", "plan.toml"]).expect(5).says(system.no_queue);
    let status = status(system, &place);
    assert!(status["runs"].as_array().unwrap().iter().all(|run| run["state"] == "failed"));
    place.write(
        "plan.toml",
        place.read("plan.toml").replace("queue = \"nope\"", "options = [\"--nonsense\"]"),
    );
    let own = ["campaign", "run", "plan.toml", "-o", "own.campaign"];
    system.cll(&place, &own).expect(2).says(&["would refuse the job", "no option --nonsense"]);
}

/// `cll run --launcher`.
pub fn one_program(system: &System) {
    super::run::one_program(
        system,
        &|place, arguments| system.cll(place, arguments),
        &|place, arguments| system.begin(place, None, arguments),
    );
}

/// More time than the partition grants: Slurm takes it, and never starts it.
pub fn held_for_ever(system: &System) {
    let place = with_work("timeout = \"3h\"\n", system);
    let done = system.cll(&place, &["campaign", "run", "plan.toml", "--yes"]).expect(5);
    done.says(&["would wait forever", "is cancelled"]);
    assert!(!place.exists("made"));
    let asked = system.cll(&place, &["campaign", "status", "plan.campaign"]).expect(0);
    asked.prints(&["slurm does not grant the job"]);
}

/// Processes that the system itself starts: of Open MPI on one node (the interface that it has with Slurm
/// knows one node of a host alone), of MPICH on two.
pub fn processes_of_mpi(system: &System) {
    for (mpi, batch) in [("openmpi", ""), ("mpich", "[batch]\nper_node = 1\n")] {
        let place = Place::new();
        place.write("ranks.c", RANKS);
        let mut build = system.command(&place, None);
        build.env("CLL_CC", format!("mpicc.{mpi}"));
        run(build.args(["cc", "-O1", "-o", "ranks", "ranks.c"])).expect(0);
        let plan = |processors: &str| {
            format!(
                "cll-campaign = 1\nprogram = \"./ranks\"\narguments = [\"{{N}}\"]\n\
                 processors = {processors}\nrounds = 1\nlauncher = \"slurm\"\n\
                 [parameters]\nN = [1, 2, 3]\n{batch}"
            )
        };
        place.write("plan.toml", plan("[1, 2]"));
        let done = system.cll(&place, &["campaign", "run", "plan.toml", "-q"]);
        let reported = system.cll(&place, &["campaign", "status", "plan.campaign"]);
        assert_eq!(done.code, 0, "{mpi}: {}", reported.out);
        let fitted = system.cll(&place, &["fit", "plan.campaign", "--json"]).expect(0).json();
        let step = &fitted["experiments"][0];
        let processors = &step["imbalance"]["processors"];
        assert_eq!((&step["name"], processors), (&"step".into(), &2.into()), "{mpi}");
        assert_eq!(step["fit"]["quality"]["points"], 6, "{mpi}: {step}");
        // Logs: of a job that is handed in, of each run of a campaign, of processes that the system starts.
        let line = ["run", "--launcher", "slurm", "-n", "2", "--log", "-o", "logs", "./ranks", "2"];
        let nodes: &[&str] = if batch.is_empty() { &[] } else { &["--per-node", "1"] };
        let done = system.cll(&place, &[&line[..3], nodes, &line[3..]].concat()).expect(0);
        done.says(&["calls of MPI on 2 of 2 ranks", "ranks.cll.0.*.dat"]);
        assert_eq!(place.list("logs"), ["ranks.cll.0.0.dat", "ranks.cll.0.1.dat"], "{mpi}");
        place.write("logged.toml", plan("2").replace("rounds", "log = true\nrounds"));
        let done = system.cll(&place, &["campaign", "run", "logged.toml", "-q"]);
        assert_eq!(done.code, 0, "{mpi}: {}", done.err);
        let runs = place.list("logged.campaign/logs");
        assert_eq!(runs.len(), 3, "{mpi}: {runs:?}");
        for run in runs {
            assert_eq!(place.list(&format!("logged.campaign/logs/{run}")).len(), 2, "{mpi}");
        }
        let interface = if mpi == "mpich" { "--mpi=pmi2" } else { "--mpi=pmix" };
        let own = system.command(&place, None);
        let mut joined = place.command("srun");
        joined.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        joined.args([interface, "-n", "2", CLL, "run", "--log", "-o", "joined", "./ranks", "2"]);
        run(&mut joined).expect(0).says(&["calls of MPI on 2 of 2 ranks"]);
        assert_eq!(place.list("joined"), ["ranks.cll.0.0.dat", "ranks.cll.0.1.dat"], "{mpi}");
        // Nine processors are more than both nodes have.
        place.write("beyond.toml", plan("9").replace(batch, ""));
        let done = system.cll(&place, &["campaign", "run", "beyond.toml", "-q"]).expect(5);
        done.says(&["would wait forever (PartitionConfig)"]);
    }
}

/// Each process takes N milliseconds divided by their number.
const RANKS: &str = r#"#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#pragma cll parallel MPI

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1, k;
    struct timespec nap = { 0, 1000000 };
    MPI_Init(&argc, &argv);
    for (k = 0; k < 3; k++) {
#pragma cll sync step step[0] + step[1]*n + step[2]*P
        int i;
        for (i = 0; i < n; i++)
            nanosleep(&nap, NULL);
#pragma cll end step
    }
    MPI_Finalize();
    return 0;
}
"#;
