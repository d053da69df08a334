//! Which calls of MPI are logged: all of MPI-3, but for those that move nothing and wait for nobody, and some that are
//! counted.

use cll_trace::layout::call::{Op, is_local};

use crate::mpi_calls::{MPIS, ready};
use crate::support::{Place, run};

/// Calls of MPI-3 that are only counted: the first waits for messages that are sent already, the others are rare.
const COUNTED: [&str; 5] =
    ["Buffer_detach", "Comm_join", "File_delete", "File_set_atomicity", "File_set_info"];

/// Additions of MPI-4, beside large counts (`_c`) and persistent collectives, which are recorded: they are counted.
const ADDED: [&str; 11] = [
    "Comm_create_from_group",
    "Comm_idup_with_info",
    "Intercomm_create_from_groups",
    "Isendrecv",
    "Isendrecv_replace",
    "Parrived",
    "Pready",
    "Pready_list",
    "Pready_range",
    "Precv_init",
    "Psend_init",
];

#[test]
fn no_call_of_mpi_3_is_missing_but_for_a_reason() {
    if !ready("no_call_of_mpi_3_is_missing") {
        return;
    }
    let place = Place::new();
    place.write("mpi.c", "#include <mpi.h>\n");
    for mpi in MPIS {
        let header = run(place.command(format!("mpicc.{mpi}")).args(["-E", "mpi.c"])).expect(0).out;
        let mut names: Vec<&str> = Vec::new();
        for (position, start) in header.match_indices("MPI_") {
            let before = header[..position].chars().next_back();
            let rest = &header[position + start.len()..];
            let name = rest.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            let name = name.into_iter().next().unwrap_or("");
            let is_call = rest[name.len()..].trim_start().starts_with('(')
                && name.starts_with(char::is_uppercase)
                && name.contains(char::is_lowercase)
                && before.is_some_and(|before| !before.is_ascii_alphanumeric() && before != '_');
            // Those with large counts are of MPI-4.
            if is_call && !name.ends_with("_c") {
                names.push(name);
            }
        }
        names.sort_unstable();
        names.dedup();
        assert!(names.len() > 300, "{mpi}: {names:?}");
        let is_known = |name: &str| {
            Op::named(name).is_some()
                || is_local(name)
                || COUNTED.contains(&name)
                || ADDED.contains(&name)
                || name.starts_with("Session_")
        };
        let missing: Vec<&&str> = names.iter().filter(|name| !is_known(name)).collect();
        assert!(missing.is_empty(), "{mpi}: {missing:?}");
        // No name stands for a call that is recorded.
        let is_double = |name: &&&str| Op::named(name).is_some() && is_local(name);
        assert_eq!(names.iter().filter(is_double).count(), 0, "{mpi}");
    }
}
