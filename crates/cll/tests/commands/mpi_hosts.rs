//! Programs of MPI on hosts that have disks of their own: what is recorded there, gathered, left.

use std::path::Path;
use std::process::Command;

use test_hosts::{Hosts, Mpi, Plan};

use crate::support::{CLL, Place, skip};

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
    for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
        command.env(name, "1");
    }
    command
}

/// `cll` on the first host, whose launcher puts processes on both.
pub fn cll(hosts: &Hosts, place: &Place, folder: &Path, mpi: &str) -> Command {
    let mut command = there(hosts, 0, place, folder, CLL);
    command.env("CLL_MPIRUN", mpirun(hosts, mpi).join(" "));
    command
}
