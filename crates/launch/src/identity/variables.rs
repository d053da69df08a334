//! Variables of the environment that change what is measured.

use cll_contract as contract;

/// Settings of MPIs and their networks, of OpenMP, of memory, of libraries with threads.
const BEGIN: &[&str] = &[
    "OMPI_MCA_",
    "PRTE_MCA_",
    "PMIX_MCA_",
    "MPICH_",
    "MPIR_CVAR_",
    "MPIEXEC_",
    "HYDRA_",
    "I_MPI_",
    "MV2_",
    "UCX_",
    "UCC_",
    "FI_",
    "PSM2_",
    "PSM3_",
    "OMP_",
    "GOMP_",
    "KMP_",
    "LIBOMP_",
    "MALLOC_",
    "MKL_",
    "OPENBLAS_",
    "GOTO_",
    "BLIS_",
];

/// Variables of the loader, of the C library, and of cll.
const NAMES: &[&str] = &[
    "GLIBC_TUNABLES",
    "LD_AUDIT",
    "LD_BIND_NOW",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    contract::BIND.name(),
    contract::CLOCK.name(),
    contract::CONTENTION.name(),
    contract::COUNTERS.name(),
    contract::ENGINE.name(),
    contract::START.name(),
];

/// Parts of the names of variables that a launcher sets for one launch: their values always differ.
const OF_ONE_LAUNCH: &[&str] = &["_ess_", "hnp_uri", "jobid", "HYDRA_PROXY", "local_daemon"];

/// Their names and values here, in the order of the names, without those of `set`.
pub fn variables(set: &[&str]) -> Vec<(String, String)> {
    let text = |string: std::ffi::OsString| string.to_string_lossy().into_owned();
    let all = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    let mut found: Vec<_> =
        all.filter(|(name, _)| counts(name) && !set.contains(&name.as_str())).collect();
    found.sort();
    found
}

pub(super) fn counts(name: &str) -> bool {
    let begins = BEGIN.iter().any(|begin| name.starts_with(begin));
    let passing = OF_ONE_LAUNCH.iter().any(|part| name.contains(part));
    NAMES.contains(&name) || (begins && !passing)
}
