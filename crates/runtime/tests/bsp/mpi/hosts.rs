//! Two hosts ([`test_hosts`]), on which launchers start processes.

use std::fs::File;
use std::process::Command;

use cll_supersteps::{Log, Superstep};
use test_hosts::{Hosts, Mpi, Plan};

use super::{launcher, mpis};
use crate::build::{alone, loadable};
use crate::examples::examples;
use crate::stated::name_of;
use crate::support::{Program, skip};

/// The hosts, if they can be made.
fn hosts(test: &str, plan: &Plan) -> Option<Hosts> {
    Hosts::new(plan).map_err(|wanting| skip(test, &wanting)).ok()
}

/// The launcher of an MPI on the first host, for processes of a program on both, which run in its folder.
fn on_both(hosts: &Hosts, mpi: &str, processes: usize, program: &Program) -> Command {
    let started = launcher(mpi, processes).unwrap();
    let of_mpi = Mpi::named(mpi).unwrap();
    let mut command = hosts.command(0, program.folder.path(), started.get_program());
    command.args(hosts.options(of_mpi));
    if of_mpi == Mpi::OpenMpi {
        for name in ["XDG_CACHE_HOME", "OMPI_ALLOW_RUN_AS_ROOT", "CLL_LOG"] {
            command.args(["-x", name]);
        }
    }
    command.args(started.get_args()).arg(&program.path);
    for (name, value) in started.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.env_remove("CLL_NPROCS").env_remove("CLL_ENGINE");
    command
}

#[test]
fn examples_on_two_hosts() {
    let Some(hosts) = hosts("examples_on_two_hosts", &Plan::default()) else { return };
    for mpi in mpis("examples_on_two_hosts") {
        for name in ["sample_sort", "lu"] {
            let file = examples().into_iter().find(|file| name_of(file) == name).unwrap();
            let program = loadable(&file, &[]);
            let output = on_both(&hosts, mpi, 4, &program).output().unwrap();
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            let last = printed.lines().last().unwrap_or_default();
            let right = last.starts_with(&format!("{name}: ")) && !last.ends_with("WRONG");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && right, "{mpi}, {name}: {printed}{message}");
        }
    }
}

/// Each process prints its host; both have some.
#[test]
fn a_process_that_fails_on_another_host_is_named() {
    let test = "a_process_that_fails_on_another_host_is_named";
    let Some(hosts) = hosts(test, &Plan::default()) else { return };
    let program = alone(&crate::failures::source("failing.c"), &[]);
    for mpi in mpis(test) {
        let mut command = on_both(&hosts, mpi, 2, &program);
        let output = command.args(["compute", "kill", "1"]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let name = "cll: processor 1 of 2 (process ";
        assert!(!output.status.success() && message.contains(name), "{mpi}: {message}");
        assert!(message.contains(&format!("on {})", hosts.name(1))), "{mpi}: {message}");
    }
}

/// A host that was started 5000 s earlier: the program runs, its log is put on one clock, and a failure is
/// reported as soon as on one host.
#[test]
fn hosts_whose_clocks_differ() {
    let test = "hosts_whose_clocks_differ";
    const AHEAD_S: u32 = 5000;
    let Some(hosts) = hosts(test, &Plan { ahead_s: AHEAD_S, ..Plan::default() }) else { return };
    let sort = examples().into_iter().find(|file| name_of(file) == "sample_sort").unwrap();
    let failing = alone(&crate::failures::source("failing.c"), &[]);
    for mpi in mpis(test) {
        let program = loadable(&sort, &[]);
        let mut command = on_both(&hosts, mpi, 2, &program);
        command.env("CLL_LOG", "1");
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{mpi}: {message}");
        on_one_clock(&program.folder.path().join("sample_sort"), &hosts, f64::from(AHEAD_S));

        let mut command = on_both(&hosts, mpi, 2, &failing);
        let output = command.args(["compute", "kill", "1"]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let named = message.contains("cll: processor 1 of 2 (process ");
        assert!(!output.status.success() && named, "{mpi}: {message}");
    }
}

fn on_one_clock(program: &std::path::Path, hosts: &Hosts, ahead_s: f64) {
    let read = |nth| {
        let path = program.with_extension(format!("cll.0.{nth}.dat"));
        cll_supersteps::read(File::open(path).unwrap()).unwrap()
    };
    let mut logs = [0, 1].map(read);
    logs.sort_by_key(|log| log.processors[0].number);
    let apart = logs[1].origin_ns as f64 * 1e-9 - logs[0].origin_ns as f64 * 1e-9;
    assert!((apart - ahead_s).abs() < 60.0, "the clocks are {apart} s apart");
    let log = Log::gather(logs).unwrap();
    let [related] = log.clocks.as_slice() else { panic!("{:?}", log.clocks) };
    assert_eq!(related.host, hosts.name(1));
    let correction = related.correction.unwrap().get();
    // Whatever else the machine does, no processor has left a synchronisation before all had arrived, by the
    // common clock.
    assert!((correction + ahead_s).abs() <= related.uncertainty.get(), "{related:?}");
    let supersteps = |processor: usize| &log.processors[processor].supersteps;
    assert!(supersteps(0).len() > 3 && supersteps(0).len() == supersteps(1).len());
    for (superstep, other) in supersteps(0).iter().zip(supersteps(1)) {
        let comes = |step: &Superstep| step.start + step.computation;
        let slack = related.uncertainty;
        assert!(comes(superstep) <= other.end() + slack && comes(other) <= superstep.end() + slack);
    }
}
