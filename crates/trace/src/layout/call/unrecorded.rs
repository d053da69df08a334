//! Calls of MPI that have no records: how often each was made.

/// Payload: how often the process has made calls that have no records. One entry a function, from
/// its first call on.
pub const KIND_UNRECORDED: u16 = 5;
/// Size of an entry: the number of calls (`u64`), then the name, filled up with zeros.
pub const UNRECORDED_SIZE: usize = 64;
/// Where its name begins.
const NAME: usize = 8;

/// An entry without calls; `None`: the name is too long.
pub fn unrecorded_entry(name: &str) -> Option<[u8; UNRECORDED_SIZE]> {
    let mut entry = [0; UNRECORDED_SIZE];
    // A zero follows it.
    let room = entry[NAME..UNRECORDED_SIZE - 1].get_mut(..name.len())?;
    room.copy_from_slice(name.as_bytes());
    Some(entry)
}

/// The functions of a payload, with their calls.
pub fn unrecorded(payload: &[u8]) -> impl Iterator<Item = (String, u64)> {
    payload.chunks_exact(UNRECORDED_SIZE).map(|entry| {
        let (calls, name) = entry.split_at(NAME);
        let length = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
        let calls = u64::from_le_bytes(calls.try_into().unwrap_or_default());
        (String::from_utf8_lossy(&name[..length]).into_owned(), calls)
    })
}

/// Functions of MPI that move no data and wait for nobody, by their names without `MPI_`; a star
/// stands for any end. They need no records. `_c` at the end, for large counts, is left out.
const LOCAL: &[&str] = &[
    "Add_error_*",
    "Address",
    "Aint*",
    "Alloc_mem",
    "Attr_*",
    "Buffer_attach",
    "Cart_coords",
    "Cart_get",
    "Cart_map",
    "Cart_rank",
    "Cart_shift",
    "Cartdim_get",
    "Close_port",
    "Comm_attach_buffer",
    "Comm_call_errhandler",
    "Comm_compare",
    "Comm_create_errhandler",
    "Comm_create_keyval",
    "Comm_delete_attr",
    "Comm_f2c",
    "Comm_c2f",
    "Comm_fromint",
    "Comm_toint",
    "Comm_free_keyval",
    "Comm_get_*",
    "Comm_group",
    "Comm_rank",
    "Comm_remote_*",
    "Comm_set_*",
    "Comm_size",
    "Comm_test_inter",
    "Dims_create",
    "Dist_graph_neighbors*",
    "Errhandler_*",
    "Error_*",
    "File_c2f",
    "File_call_errhandler",
    "File_create_errhandler",
    "File_f2c",
    "File_fromint",
    "File_get_*",
    "File_seek",
    "File_set_errhandler",
    "File_toint",
    "Finalized",
    "Free_mem",
    "Get_address",
    "Get_count",
    "Get_elements*",
    "Get_hw_resource_info",
    "Get_library_version",
    "Get_processor_name",
    "Get_version",
    "Graph_get",
    "Graph_map",
    "Graph_neighbors*",
    "Graphdims_get",
    "Grequest_*",
    "Group_*",
    "Info_*",
    "Initialized",
    "Is_thread_main",
    "Keyval_*",
    "Lookup_name",
    "Message_*",
    "Op_*",
    "Open_port",
    "Pack*",
    "Pcontrol",
    "Publish_name",
    "Query_thread",
    "Reduce_local",
    "Register_datarep",
    "Remove_error_*",
    "Request_c2f",
    "Request_f2c",
    "Request_fromint",
    "Request_toint",
    "Session_c2f",
    "Session_call_errhandler",
    "Session_create_errhandler",
    "Session_f2c",
    "Session_fromint",
    "Session_get_*",
    "Session_set_*",
    "Session_toint",
    "Status_*",
    "T_*",
    "Test_cancelled",
    "Topo_test",
    "Type_*",
    "Unpack*",
    "Unpublish_name",
    "Win_attach",
    "Win_c2f",
    "Win_call_errhandler",
    "Win_create_errhandler",
    "Win_create_keyval",
    "Win_delete_attr",
    "Win_detach",
    "Win_f2c",
    "Win_free_keyval",
    "Win_fromint",
    "Win_get_*",
    "Win_set_*",
    "Win_shared_query",
    "Win_sync",
    "Win_toint",
    "Wtick",
    "Wtime",
];

/// Extensions of one MPI (`MPIX_`) are local if their names have one of these words.
const LOCAL_WORDS: [&str; 6] = ["query", "get", "class", "code", "string", "grequest"];

/// Whether a function of MPI moves no data and waits for nobody.
pub fn is_local(name: &str) -> bool {
    if let Some(extension) = name.strip_prefix("MPIX_") {
        let words = extension.to_ascii_lowercase();
        return words.split('_').any(|word| LOCAL_WORDS.contains(&word));
    }
    let name = name.strip_prefix("MPI_").unwrap_or(name);
    let name = name.strip_suffix("_c").unwrap_or(name);
    LOCAL.iter().any(|local| match local.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => *local == name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let mut payload = Vec::new();
        for (name, calls) in [("MPI_Send_c", 24_u64), ("MPI_Isendrecv", 1)] {
            let mut entry = unrecorded_entry(name).expect("a short name");
            entry[..8].copy_from_slice(&calls.to_le_bytes());
            payload.extend(entry);
        }
        // A piece of an entry is none.
        payload.extend([0; 20]);
        let read: Vec<(String, u64)> = unrecorded(&payload).collect();
        assert_eq!(read, [("MPI_Send_c".to_owned(), 24), ("MPI_Isendrecv".to_owned(), 1)]);
        assert_eq!(unrecorded_entry(&"x".repeat(56)), None);
        assert!(unrecorded_entry(&"x".repeat(55)).is_some());
    }

    #[test]
    fn what_asks_is_local_and_what_moves_is_not() {
        for name in ["MPI_Comm_rank", "MPI_Type_size_c", "MPI_Wtime", "MPIX_Query_cuda_support"] {
            assert!(is_local(name), "{name}");
        }
        for name in ["MPI_Send_c", "MPI_Bcast_init", "MPI_Pready", "MPIX_Comm_agree"] {
            assert!(!is_local(name), "{name}");
        }
    }
}
