//! Which calls of MPI are logged, and why the others are not.

use crate::mpi_calls::{MPIS, ready};
use crate::support::{Place, run};

/// Calls that are not logged, by why; a name with a star stands for all that begin so.
const LEFT_OUT: [(&str, &[&str]); 5] = [
    (
        "they ask or make something of this process alone",
        &[
            "Add_error_*",
            "Address",
            "Aint*",
            "Alloc_mem",
            "Attr_*",
            "Buffer_*",
            "Cart_coords",
            "Cart_get",
            "Cart_map",
            "Cart_rank",
            "Cart_shift",
            "Cartdim_get",
            "Comm_call_errhandler",
            "Comm_compare",
            "Comm_create_errhandler",
            "Comm_create_keyval",
            "Comm_delete_attr",
            "Comm_free_keyval",
            "Comm_get_*",
            "Comm_group",
            "Comm_rank",
            "Comm_remote_*",
            "Comm_set_*",
            "Comm_size",
            "Comm_test_inter",
            "Comm_c2f",
            "Comm_f2c",
            "Dims_create",
            "Dist_graph_neighbors*",
            "Errhandler_*",
            "Error_*",
            "File_c2f",
            "File_call_errhandler",
            "File_create_errhandler",
            "File_delete",
            "File_f2c",
            "File_get_*",
            "File_seek",
            "File_set_atomicity",
            "File_set_errhandler",
            "File_set_info",
            "Finalized",
            "Free_mem",
            "Get_address",
            "Get_count",
            "Get_elements",
            "Get_elements_x",
            "Get_library_version",
            "Get_processor_name",
            "Get_version",
            "Graph_get",
            "Graph_map",
            "Graph_neighbors*",
            "Graphdims_get",
            "Group_*",
            "Info_*",
            "Initialized",
            "Is_thread_main",
            "Keyval_*",
            "Message_*",
            "Op_*",
            "Pack*",
            "Pcontrol",
            "Query_thread",
            "Reduce_local",
            "Register_datarep",
            "Request_c2f",
            "Request_f2c",
            "Status_*",
            "Test_cancelled",
            "Topo_test",
            "Type_*",
            "Unpack*",
            "Win_attach",
            "Win_c2f",
            "Win_call_errhandler",
            "Win_create_errhandler",
            "Win_create_keyval",
            "Win_delete_attr",
            "Win_detach",
            "Win_f2c",
            "Win_free_keyval",
            "Win_get_*",
            "Win_set_*",
            "Win_shared_query",
            "Win_sync",
            "Wtick",
            "Wtime",
        ],
    ),
    ("they look at a request and complete none", &["Request_get_status", "Grequest_*"]),
    (
        "they speak with a name service or over a socket of the program's own",
        &["Close_port", "Comm_join", "Lookup_name", "Open_port", "Publish_name", "Unpublish_name"],
    ),
    ("they are of the interface for tools", &["T_*"]),
    (
        "MPI-4 has added them",
        &[
            "Allgather_init",
            "Allgatherv_init",
            "Allreduce_init",
            "Alltoall_init",
            "Alltoallv_init",
            "Alltoallw_init",
            "Barrier_init",
            "Bcast_init",
            "Comm_create_from_group",
            "Comm_idup_with_info",
            "Exscan_init",
            "Gather_init",
            "Gatherv_init",
            "Intercomm_create_from_groups",
            "Isendrecv",
            "Isendrecv_replace",
            "Neighbor_allgather_init",
            "Neighbor_allgatherv_init",
            "Neighbor_alltoall_init",
            "Neighbor_alltoallv_init",
            "Neighbor_alltoallw_init",
            "Parrived",
            "Pready*",
            "Precv_init",
            "Psend_init",
            "Reduce_init",
            "Reduce_scatter_block_init",
            "Reduce_scatter_init",
            "Scan_init",
            "Scatter_init",
            "Scatterv_init",
            "Session_*",
        ],
    ),
];

#[test]
fn no_call_of_mpi_3_is_missing_but_for_a_reason() {
    if !ready("no_call_of_mpi_3_is_missing") {
        return;
    }
    let place = Place::new();
    place.write("mpi.c", "#include <mpi.h>\n");
    let is_left_out = |name: &str| {
        LEFT_OUT.iter().flat_map(|(_, names)| *names).any(|one| match one.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => *one == name,
        })
    };
    for mpi in MPIS {
        let header = run(place.command(format!("mpicc.{mpi}")).args(["-E", "mpi.c"])).expect(0).out;
        let mut names: Vec<&str> = Vec::new();
        for (at, start) in header.match_indices("MPI_") {
            let before = header[..at].chars().next_back();
            let rest = &header[at + start.len()..];
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
        let missing: Vec<&&str> = (names.iter())
            .filter(|name| cll_trace::layout::call::Op::named(name).is_none() && !is_left_out(name))
            .collect();
        assert!(missing.is_empty(), "{mpi}: {missing:?}");
    }
}
