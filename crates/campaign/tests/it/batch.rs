//! Scripts of every system, read again by its rules.

use cll_campaign::batch::{Job, Starter, Sweep, directives, script, sweep};
use cll_campaign::{Batch, Launcher};

fn job(starter: Starter) -> Job {
    Job { seconds: None, ..limited(starter) }
}

fn limited(starter: Starter) -> Job {
    Job {
        name: "heat of 3".into(),
        processors: 12,
        tasks: 7,
        seconds: Some(3601.0),
        starter,
        batch: Batch { queue: Some("short".into()), per_node: Some(8), ..Batch::default() },
        wrapper: Vec::new(),
        program: "/home/a b/heat".into(),
        folder: "/home/a b/x.campaign/batch".into(),
        work: "/home/a b".into(),
        environment: vec![("WORDS".into(), "it's two".into())],
    }
}

fn value(system: Launcher, job: &Job, option: &str) -> Option<String> {
    let text = script(job, system).expect("a batch system").text;
    let all = directives(&text, system).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"));
    let values: Vec<String> = all
        .into_iter()
        .filter(|directive| directive.option == option)
        .map(|directive| directive.value)
        .collect();
    values.into_iter().next()
}

#[test]
fn slurm_takes_what_is_written() {
    let value_of = |option| value(Launcher::Slurm, &job(Starter::System), option);
    assert_eq!(value_of("--ntasks").as_deref(), Some("12"));
    assert_eq!(value_of("--nodes").as_deref(), Some("2"));
    assert_eq!(value_of("--array").as_deref(), Some("0-6"));
    let time = value(Launcher::Slurm, &limited(Starter::System), "--time");
    assert_eq!(time.as_deref(), Some("62"));
    assert_eq!(value_of("--job-name").as_deref(), Some("heat_of_3"));
    assert_eq!(value_of("--partition").as_deref(), Some("short"));
    let alone = |option| value(Launcher::Slurm, &job(Starter::Alone), option);
    assert_eq!(
        (alone("--ntasks"), alone("--cpus-per-task")),
        (Some("1".into()), Some("12".into()))
    );
}

#[test]
fn pbs_takes_what_is_written() {
    let value_of = |option| value(Launcher::Pbs, &job(Starter::System), option);
    assert_eq!(value_of("-l").as_deref(), Some("select=2:ncpus=8:mpiprocs=8"));
    assert_eq!(value_of("-J").as_deref(), Some("0-6"));
    assert_eq!(value_of("-N").as_deref(), Some("heat_of_3"));
    // PBS refuses arrays of one.
    assert_eq!(value(Launcher::Pbs, &Job { tasks: 1, ..job(Starter::System) }, "-J"), None);
}

#[test]
fn lsf_takes_what_is_written() {
    let value_of = |option| value(Launcher::Lsf, &job(Starter::System), option);
    assert_eq!(value_of("-J").as_deref(), Some("heat_of_3[1-7]"));
    let time = value(Launcher::Lsf, &limited(Starter::System), "-W");
    assert_eq!((value_of("-n").as_deref(), time.as_deref()), (Some("12"), Some("01:02")));
    assert_eq!(value_of("-R").as_deref(), Some("span[ptile=8]"));
    assert_eq!(value(Launcher::Lsf, &job(Starter::Alone), "-R").as_deref(), Some("span[hosts=1]"));
}

#[test]
fn what_systems_refuse_is_known() {
    for (system, line) in [
        (Launcher::Slurm, "#SBATCH --ntask=4"),
        (Launcher::Slurm, "#SBATCH --ntasks=0"),
        (Launcher::Slurm, "#SBATCH --array=5-1"),
        (Launcher::Slurm, "#SBATCH --time=1:2:3:4"),
        (Launcher::Slurm, "#SBATCH --exclusive --ntasks"),
        (Launcher::Pbs, "#PBS -l select=0:ncpus=1"),
        (Launcher::Pbs, "#PBS -J 0-0"),
        (Launcher::Pbs, "#PBS -N 1st"),
        (Launcher::Pbs, "#PBS -l walltime=soon"),
        (Launcher::Lsf, "#BSUB -J \"x[0-3]\""),
        (Launcher::Lsf, "#BSUB -W 1:2:3"),
        (Launcher::Lsf, "#BSUB -J \"x[1-3]"),
        (Launcher::Lsf, "#BSUB -z"),
    ] {
        let text = format!("#!/bin/sh\n{line}\necho\n");
        let wrong = directives(&text, system).expect_err(line);
        assert_eq!((wrong.len(), wrong[0].line), (1, 2), "{line}");
    }
    // Behind the first command there are none.
    assert_eq!(
        directives("#!/bin/sh\necho\n#SBATCH --nonsense\n", Launcher::Slurm),
        Ok(Vec::new())
    );
}

#[test]
fn the_starter_is_the_system_s_or_the_user_s() {
    let text = |starter| script(&job(starter), Launcher::Slurm).unwrap().text;
    assert!(text(Starter::System).contains("&& srun -n 12 '/home/a b/heat' \"$@\""));
    let mpirun = Starter::Command("mpirun -n {P}".into());
    assert!(text(mpirun).contains("&& mpirun -n 12 '/home/a b/heat'"));
    assert!(text(Starter::Alone).contains("(cd '/home/a b' && '/home/a b/heat' \"$@\")"));
    assert!(text(Starter::Alone).contains("export WORDS='it'\\''s two'"));
    assert_eq!(script(&job(Starter::Alone), Launcher::Here), None);
}

#[test]
fn a_sweep_is_one_job_of_the_most_processors() {
    let job = Job { processors: 32, tasks: 1, ..job(Starter::System) };
    let sweep_job = Sweep { job, counts: vec![1, 2, 32], variable: None };
    for system in [Launcher::Slurm, Launcher::Pbs, Launcher::Lsf] {
        let text = sweep(&sweep_job, system);
        let all = directives(&text, system).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"));
        let has = |part: &str| all.iter().any(|directive| directive.value.contains(part));
        assert!(has("32") || has("select=4"), "{text}");
        assert!(text.contains("\nfor P in 1 2 32; do\n"), "{text}");
        assert!(!text.contains("/dev/null"), "its output is kept: {text}");
    }
    assert!(sweep(&sweep_job, Launcher::Slurm).contains("\n  srun -n $P '/home/a b/heat' \"$@\""));
    let threads = Sweep { variable: Some("OMP_NUM_THREADS".into()), ..sweep_job };
    let here = sweep(&threads, Launcher::Here);
    assert!(
        here.contains("  export OMP_NUM_THREADS=$P\n") && !here.contains("\n#SBATCH"),
        "{here}"
    );
}

#[test]
fn a_task_is_ended_in_time_and_says_whose_it_is() {
    let text = script(&limited(Starter::Alone), Launcher::Pbs).unwrap().text;
    assert!(text.contains("&& timeout -k 10 3601 '/home/a b/heat'"), "{text}");
    assert!(text.contains("mv job.$task job"), "{text}");
    let text = script(&job(Starter::Alone), Launcher::Pbs).unwrap().text;
    assert!(!text.contains("timeout") && !text.contains("walltime"), "{text}");
}

#[test]
fn what_stands_before_the_program_is_quoted() {
    let wrapper = vec!["/home/a b/start".to_owned(), "/x/libcll.so:/x/w.so".to_owned()];
    let job = Job { wrapper, ..job(Starter::Command("srun -n {P}".into())) };
    let text = script(&job, Launcher::Slurm).unwrap().text;
    let line = "srun -n 12 '/home/a b/start' /x/libcll.so:/x/w.so '/home/a b/heat' \"$@\"";
    assert!(text.contains(line), "{text}");
}
