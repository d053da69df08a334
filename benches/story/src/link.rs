//! Two hosts with a slow link: network namespaces, whose cable lets through so much a second.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use test_hosts::{Hosts, Mpi, Plan};

/// Goes with the value.
pub struct Link(Hosts);

impl Link {
    /// A link of this rate (as `tc` reads it), where it can be made.
    pub fn new(rate: &str) -> Option<Link> {
        let asked = Command::new("mpirun.openmpi").arg("--version").output();
        if !asked.is_ok_and(|output| output.status.success()) {
            return None;
        }
        Hosts::new(&Plan { rate: Some(rate.to_owned()), ..Plan::default() }).ok().map(Link)
    }

    /// A launcher in the place of Open MPI's, which puts processes on both hosts. It binds none: both hosts have
    /// the same cores.
    pub fn launcher(&self, folder: &Path) -> Result<PathBuf> {
        let launcher = folder.join("mpirun.openmpi");
        // The folder that it is called in, which the shell of the launcher learns when it runs.
        let mut line = self.0.command(0, "@", "mpirun.openmpi");
        line.args(self.0.options(Mpi::OpenMpi)).args(["--bind-to", "none", "-x", "XDG_CACHE_HOME"]);
        let words = std::iter::once(line.get_program()).chain(line.get_args());
        let quoted: Vec<String> = words
            .map(|word| match word.to_string_lossy().as_ref() {
                "@" => "\"$PWD\"".to_owned(),
                word => format!("'{word}'"),
            })
            .collect();
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exec mpirun.openmpi --version\nexec {} \"$@\"\n",
            quoted.join(" ")
        );
        fs::write(&launcher, text)?;
        fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755))?;
        Ok(launcher)
    }
}
