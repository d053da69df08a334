//! Whether an MPI launcher has started this process as one of several: `mpirun cll run ./program`.

use std::env::var_os;

use crate::Family;

/// A process of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchMember {
    /// The rank.
    pub rank: u32,
    /// The number of processes.
    pub ranks: u32,
}

impl LaunchMember {
    /// From the variables that launchers set for their processes. A batch script has variables of its system, too,
    /// but none with a rank.
    pub fn here() -> Option<LaunchMember> {
        LaunchMember::from_variables(&|name| var_os(name)?.to_str()?.trim().parse().ok())
    }

    /// The MPI whose launcher it was, as far as its variables show.
    pub fn family() -> Option<Family> {
        let has = |name: &str| var_os(name).is_some();
        match () {
            () if has("OMPI_COMM_WORLD_RANK") => Some(Family::OpenMpi),
            () if has("PMI_RANK") => Some(Family::Mpich),
            () => None,
        }
    }

    fn from_variables(number: &dyn Fn(&str) -> Option<u32>) -> Option<LaunchMember> {
        let some = |name: &str| number(name).filter(|count| *count > 0);
        let ranks_of_pmix = || some("SLURM_NTASKS").or_else(|| some("PRTE_NUM_PROCS"));
        let known = [
            (number("OMPI_COMM_WORLD_RANK"), some("OMPI_COMM_WORLD_SIZE")),
            (number("PMI_RANK"), some("PMI_SIZE")),
            (number("PMIX_RANK"), ranks_of_pmix()),
        ];
        let member = known.into_iter().find_map(|(rank, ranks)| Some((rank?, ranks?)));
        member.map(|(rank, ranks)| LaunchMember { rank, ranks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(variables: &[(&str, u32)]) -> Option<LaunchMember> {
        LaunchMember::from_variables(&|name| {
            Some(variables.iter().find(|(known, _)| *known == name)?.1)
        })
    }

    #[test]
    fn processes_of_launches_are_known() {
        let is = |rank, ranks| Some(LaunchMember { rank, ranks });
        assert_eq!(member(&[("OMPI_COMM_WORLD_RANK", 2), ("OMPI_COMM_WORLD_SIZE", 4)]), is(2, 4));
        assert_eq!(member(&[("PMI_RANK", 0), ("PMI_SIZE", 3)]), is(0, 3));
        assert_eq!(member(&[("PMIX_RANK", 1), ("SLURM_NTASKS", 8)]), is(1, 8));
        // A script of a batch system.
        assert_eq!(member(&[("SLURM_PROCID", 0), ("SLURM_NTASKS", 8)]), None);
        assert_eq!(member(&[]), None);
    }
}
