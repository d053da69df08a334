use super::*;

/// For any message and any way to end.
fn find_message(printed: &str) -> Option<LauncherMessage> {
    super::find_message(printed, LauncherKind::Any, None)
}

fn named(
    rank: u32,
    pid: Option<u32>,
    host: Option<&str>,
    how: EndCause,
) -> Option<LauncherMessage> {
    Some(LauncherMessage::First(FailedProcess {
        rank: Some(rank),
        pid,
        host: host.map(str::to_owned),
        how,
    }))
}

const LINE: &str = "--------------------------------------------------------------------------\n";
const KILLED: &str =
    "mpirun noticed that process rank 2 with PID 0 on node vm exited on signal 9 (Killed).\n";
const HYDRA: &str = "
===================================================================================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 623 RUNNING AT vm
=   EXIT CODE: 9
=   CLEANING UP REMAINING PROCESSES
=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES
===================================================================================
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)
This typically refers to a problem with your application.
Please see the FAQ page for debugging suggestions
";

#[test]
fn open_mpi_names_the_first() {
    let primary = "Primary job  terminated normally, but 1 process returned\n\
                   a non-zero exit code. Per user-direction, the job has been aborted.\n";
    let vm = Some("vm");
    for (text, expected) in [
        (KILLED.to_owned(), named(2, None, vm, EndCause::Signal(9))),
        // Version 5 breaks the lines elsewhere and has another name.
        (
            "prterun noticed that process rank 1 with PID 4711 on node node3.site exited on\n\
             signal 11 (Segmentation fault: 11).\n"
                .to_owned(),
            named(1, Some(4711), Some("node3.site"), EndCause::Signal(11)),
        ),
        (
            "mpirun.openmpi detected that one or more processes exited with non-zero status, thus causing\n\
             the job to be terminated. The first process to do so was:\n\n  Process name: [[28295,1],2]\n  \
             Exit code:    3\n"
                .to_owned(),
            named(2, None, None, EndCause::Status(3)),
        ),
        (
            "prterun detected that one or more processes exited with non-zero status,\nthus causing the job \
             to be terminated. The first process to do so was:\n\n   Process name: \
             [prterun-vm-7@1,12]\n   Exit code:    255\n"
                .to_owned(),
            named(12, None, None, EndCause::Status(255)),
        ),
        (
            "mpirun.openmpi has exited due to process rank 2 with PID 0 on\nnode vm exiting improperly. \
             There are three reasons this could occur:\n"
                .to_owned(),
            named(2, None, vm, EndCause::Early),
        ),
        (
            "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD\nwith errorcode 3.\n\n\
             NOTE: invoking MPI_ABORT causes Open MPI to kill all MPI processes.\n"
                .to_owned(),
            named(2, None, None, EndCause::Abort(3)),
        ),
        (
            "MPI_ABORT was invoked on rank 0 in communicator MPI COMMUNICATOR 3 SPLIT FROM 0\n  \
             Proc: [[63072,1],2]\n  Errorcode: -1\n"
                .to_owned(),
            named(2, None, None, EndCause::Abort(-1)),
        ),
        (
            "MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_SELF\n  Proc: [[63072,1],2]\n  \
             Errorcode: -1\n"
                .to_owned(),
            named(2, None, None, EndCause::Abort(-1)),
        ),
        (
            "[vm:00799] *** An error occurred in MPI_Send\n[vm:00799] *** reported by process \
             [1877409793,2]\n[vm:00799] *** on communicator MPI_COMM_WORLD\n[vm:00799] *** MPI_ERR_RANK: \
             invalid rank\n[vm:00799] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,\n"
                .to_owned(),
            named(2, None, None, EndCause::Error),
        ),
        // Rank 0 of another communicator may be any process.
        (
            "MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_SELF\nwith errorcode 5.\n"
                .to_owned(),
            None,
        ),
        (primary.to_owned(), None),
    ] {
        assert_eq!(find_message(&text), expected, "{text}");
        let framed = format!("{LINE}{primary}{LINE}{LINE}{text}{LINE}");
        assert_eq!(find_message(&framed), expected, "{framed}");
    }
}

#[test]
fn mpich_names_some_processes_but_the_rank_of_an_abort() {
    assert_eq!(find_message(HYDRA), Some(LauncherMessage::Some(Some(11))));
    let call = "Abort(3) on node 2 (rank 0 in comm 16): application called \
                MPI_Abort(MPI_COMM_SELF, 3) - process 0\n";
    assert_eq!(find_message(call), named(2, None, None, EndCause::Abort(3)));
    assert_eq!(find_message(&format!("{HYDRA}{call}")), named(2, None, None, EndCause::Abort(3)));
    assert_eq!(find_message(&format!("{call}{HYDRA}")), named(2, None, None, EndCause::Abort(3)));
    let error = "Abort(604654086) on node 2 (rank 2 in comm 0): Fatal error in internal_Send: Invalid \
                 rank, error stack:\ninternal_Send(120): MPI_Send(buf=0x7ffe, count=1) failed\n";
    assert_eq!(find_message(error), named(2, None, None, EndCause::Error));
    // Those of derivatives, one for each process.
    let intel = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n\
                 =   RANK 0 PID 5490 RUNNING AT gn59\n=   KILLED BY SIGNAL: 9 (Killed)\n";
    assert_eq!(find_message(&format!("{intel}{intel}")), Some(LauncherMessage::Some(None)));
}

#[test]
fn the_launcher_speaks_last() {
    let other = KILLED.replace("rank 2", "rank 0");
    let all = format!("{other}step 7 of 100{LINE}{KILLED}{LINE}");
    assert_eq!(find_message(&all), named(2, None, Some("vm"), EndCause::Signal(9)));
    // An unknown message after a known one.
    for broken in [
        "mpirun noticed that process rank ",
        "mpirun noticed that process rank -1 with PID 0 on node vm exited on signal 9",
        "noticed that process rank 99999999999999999999 with PID 0 on node vm exited on signal 9",
        "noticed that process rank 2 with PID 0 on node  exited on signal",
        "noticed that process rank 2 with PID 0 on node \u{1F980}",
        "The first process to do so was: Process name: [",
        "The first process to do so was: Process name: [,] Exit code: ",
        "The first process to do so was: Process name: [[1,1],2] Exit code: -",
        "BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
        "Abort(",
        "Abort(3) on node 2",
        "Abort(3) on node 2 (rank 0 in comm 16): \u{FFFD}",
        "MPI_ABORT was invoked on rank 1",
        "*** reported by process []",
    ] {
        assert_eq!(find_message(broken), None, "{broken}");
        let all = format!("{KILLED}{broken}");
        assert_eq!(find_message(&all), named(2, None, Some("vm"), EndCause::Signal(9)), "{all}");
        for cut in (0..broken.len()).filter(|&index| broken.is_char_boundary(index)) {
            let all = format!("{}\n{KILLED}", &broken[..cut]);
            assert!(find_message(&all).is_some(), "{all}");
        }
    }
}

#[test]
fn words_cut_anywhere_are_no_panic() {
    for text in [KILLED, HYDRA] {
        for from in 0..text.len() {
            for to in from..text.len() {
                find_message(&text[from..to]);
            }
        }
    }
}

#[test]
fn words_of_another_launcher_or_of_another_end_are_the_program_s() {
    let hydra = |text: &str| super::find_message(text, LauncherKind::Hydra, Some(9));
    assert_eq!(hydra(&format!("{HYDRA}{KILLED}")), Some(LauncherMessage::Some(Some(11))));
    assert_eq!(hydra(KILLED), None);
    let open_mpi = |text: &str, code| super::find_message(text, LauncherKind::OpenMpi, Some(code));
    let killed = named(2, None, Some("vm"), EndCause::Signal(9));
    assert_eq!(open_mpi(&format!("{KILLED}{HYDRA}"), 137), killed);
    assert_eq!(open_mpi(KILLED, 139), None);
    let crashed = KILLED.replace("rank 2", "rank 0").replace("signal 9", "signal 11");
    assert_eq!(open_mpi(&format!("{KILLED}{crashed}"), 137), killed);
    // The launcher prints no message after an abort.
    let call =
        "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 3.\n";
    let aborted = named(1, None, None, EndCause::Abort(3));
    assert_eq!(find_message(&format!("{KILLED}{call}")), aborted);
    assert_eq!(find_message(&format!("{call}{KILLED}")), killed);
}
