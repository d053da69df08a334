//! Which launcher has started this process, according to the variables that launchers of MPI programs set.

use std::ffi::CStr;
use std::path::PathBuf;

use crate::sys;

/// The MPI that a launcher belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    OpenMpi,
    /// MPICH and MPIs derived from it; their launcher is Hydra.
    Mpich,
    /// A launcher of a batch system, which starts programs of any MPI.
    Any,
}

/// A launcher that has started this process as one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launcher {
    pub family: Family,
    /// The number of processes that it has started.
    pub ranks: usize,
    /// The rank of this process among them; 0 if the launcher does not say.
    pub rank: usize,
}

/// The launcher of this process, if there is one.
pub fn launcher() -> Option<Launcher> {
    from_variables(&|name| sys::variable(name))
}

/// A name that all processes have in common which it has started together: given by the launcher; otherwise by
/// `cll run`; otherwise the address of Hydra's mpirun; otherwise the launcher's process on this host.
pub fn job() -> String {
    let text =
        |name: &CStr| sys::variable(name).map(|text| String::from_utf8_lossy(text).into_owned());
    let slurm = || Some(format!("{}.{}", text(c"SLURM_JOB_ID")?, text(c"SLURM_STEP_ID")?));
    let named = text(c"PMIX_NAMESPACE").or_else(|| text(c"PMI_JOBID")).or_else(slurm);
    let named = named.or_else(|| text(cll_contract::JOB.c_name())).or_else(hydra);
    named.unwrap_or_else(|| format!("started by process {}", sys::parent_pid()))
}

/// Ancestors of a process that are examined: scripts and debuggers may be between it and its launcher.
const ANCESTORS: usize = 16;

/// The address of the mpirun of this process's Hydra; it is on the command lines of the proxies on all hosts.
fn hydra() -> Option<String> {
    let mut process = sys::parent_pid();
    for _ in 0..ANCESTORS {
        let words = std::fs::read(format!("/proc/{process}/cmdline")).ok()?;
        if let Some(port) = control_port(&words) {
            return Some(format!("hydra {port}"));
        }
        process = parent(&std::fs::read(format!("/proc/{process}/stat")).ok()?)?;
    }
    None
}

/// The address in the command line of a proxy of Hydra; each word ends with 0.
fn control_port(words: &[u8]) -> Option<String> {
    let mut words = words.split(|byte| *byte == 0);
    let program = words.next()?.rsplit(|byte| *byte == b'/').next()?;
    if program != b"hydra_pmi_proxy" {
        return None;
    }
    words.find(|word| word == b"--control-port")?;
    words.next().map(|port| String::from_utf8_lossy(port).into_owned())
}

/// The parent of a process, from its `/proc/PID/stat`: the second field after the name, which is in parentheses
/// and may have any characters.
fn parent(stat: &[u8]) -> Option<u32> {
    let behind = stat.rsplit(|byte| *byte == b')').next()?;
    let field = behind.split(|byte| *byte == b' ').filter(|field| !field.is_empty()).nth(1)?;
    std::str::from_utf8(field).ok()?.parse().ok().filter(|process| *process > 0)
}

fn from_variables(variable: &dyn Fn(&CStr) -> Option<&'static [u8]>) -> Option<Launcher> {
    let any = |name: &CStr| -> Option<usize> {
        std::str::from_utf8(variable(name)?).ok()?.trim().parse().ok()
    };
    let number = |name: &CStr| any(name).filter(|&count| count > 0);
    if let Some(ranks) = number(c"OMPI_COMM_WORLD_SIZE") {
        let rank = any(c"OMPI_COMM_WORLD_RANK").unwrap_or(0);
        return Some(Launcher { family: Family::OpenMpi, ranks, rank });
    }
    if let Some(ranks) = number(c"PMI_SIZE") {
        // It sets the first variable only on its own host.
        let is_hydra =
            [c"HYDI_CONTROL_FD", c"MPI_LOCALNRANKS"].map(|name| variable(name).is_some());
        let family = if is_hydra.contains(&true) { Family::Mpich } else { Family::Any };
        let rank = any(c"PMI_RANK").unwrap_or(0);
        return Some(Launcher { family, ranks, rank });
    }
    if variable(c"PMIX_RANK").is_some() {
        let ranks = number(c"SLURM_NTASKS").or_else(|| number(c"PRTE_NUM_PROCS"))?;
        let rank = any(c"PMIX_RANK").unwrap_or(0);
        return Some(Launcher { family: Family::Any, ranks, rank });
    }
    None
}

impl Launcher {
    /// The name, for messages.
    pub fn name(&self) -> &'static str {
        match self.family {
            Family::OpenMpi => "Open MPI's mpirun",
            Family::Mpich => "MPICH's mpirun",
            Family::Any => "the batch system",
        }
    }

    /// Whether it starts programs of this MPI, named as in a transport.
    pub fn starts(&self, family: &str) -> bool {
        match self.family {
            Family::OpenMpi => family == "Open MPI",
            Family::Mpich => family == "MPICH",
            Family::Any => true,
        }
    }

    /// Possible names of its compiler, the most exact first.
    pub fn compilers(&self) -> &'static [&'static str] {
        match self.family {
            Family::OpenMpi => &["mpicc.openmpi", "mpicc"],
            Family::Mpich => &["mpicc.mpich", "mpicc"],
            Family::Any => &["mpicc"],
        }
    }

    /// The folder of its programs; this process's parent is one of them.
    pub fn folder(&self) -> Option<PathBuf> {
        let parent = std::fs::read_link(format!("/proc/{}/exe", sys::parent_pid())).ok()?;
        parent.parent().map(PathBuf::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launcher(variables: &'static [(&str, &str)]) -> Option<Launcher> {
        from_variables(&|name| {
            let name = name.to_str().unwrap();
            variables
                .iter()
                .find(|variable| variable.0 == name)
                .map(|variable| variable.1.as_bytes())
        })
    }

    #[test]
    fn hydra_s_proxies_say_where_their_mpirun_is() {
        let line = b"/usr/bin/hydra_pmi_proxy\0--control-port\0a:40057\0--rmk\0user\0";
        assert_eq!(control_port(line).as_deref(), Some("a:40057"));
        assert_eq!(control_port(b"sh\0-c\0hydra_pmi_proxy --control-port a:1\0"), None);
        assert_eq!(control_port(b"hydra_pmi_proxy\0--control-port"), None);
        assert_eq!(control_port(b""), None);
        assert_eq!(parent(b"17 (a (b) 3 4) S 12 17 17"), Some(12));
        assert_eq!(parent(b"1 (init) S 0 1 1"), None);
        assert_eq!(parent(b"17 (cut"), None);
    }

    #[test]
    fn launchers_are_distinguished() {
        let is = |family, ranks, rank| Some(Launcher { family, ranks, rank });
        assert_eq!(launcher(&[("OMPI_COMM_WORLD_SIZE", "4")]), is(Family::OpenMpi, 4, 0));
        let hydra = &[("PMI_SIZE", "3"), ("PMI_RANK", "0"), ("HYDI_CONTROL_FD", "7")];
        assert_eq!(launcher(hydra), is(Family::Mpich, 3, 0));
        assert_eq!(launcher(&[("PMI_SIZE", "2"), ("PMI_RANK", "1")]), is(Family::Any, 2, 1));
        assert_eq!(launcher(&[("PMIX_RANK", "1"), ("SLURM_NTASKS", "8")]), is(Family::Any, 8, 1));
    }

    #[test]
    fn without_one_there_is_none() {
        assert_eq!(launcher(&[]), None);
        assert_eq!(launcher(&[("PMI_SIZE", "many")]), None);
        assert_eq!(launcher(&[("OMPI_COMM_WORLD_SIZE", "0")]), None);
        assert_eq!(launcher(&[("PMIX_RANK", "0")]), None);
    }
}
