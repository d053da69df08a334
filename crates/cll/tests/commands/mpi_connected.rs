//! Two programs that were started apart and have connected (`MPI_Open_port`, `MPI_Comm_accept`, `MPI_Comm_connect`): their
//! logs are one run.

use std::process::{Child, Stdio};

use crate::mpi_arrows::exported;
use crate::mpi_calls::{OPEN_MPI, compile, ready};
use crate::support::{Place, from_output, have, until};

/// join server|client FILE: FILE has the name of the port. Rank 0 of the server sends five messages to rank 0 of the client,
/// each 50 ms later than it could; then all come to a barrier.
const JOIN: &str = r#"#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void give(const char *port, const char *path)
{
    char before[4096];
    FILE *file;
    snprintf(before, sizeof before, "%s.new", path);
    file = fopen(before, "w");
    fputs(port, file);
    fclose(file);
    rename(before, path);
}
int main(int argc, char **argv)
{
    int rank, i, x = 0, is_server = strcmp(argv[1], "server") == 0;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is_server) {
        if (rank == 0) {
            MPI_Open_port(MPI_INFO_NULL, port);
            give(port, argv[2]);
        }
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    } else {
        if (rank == 0) {
            FILE *file;
            while (!(file = fopen(argv[2], "r")))
                usleep(10000);
            if (!fgets(port, sizeof port, file))
                return 1;
            fclose(file);
        }
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    }
    /* One process may leave the accept much later than the other. */
    if (is_server)
        MPI_Barrier(MPI_COMM_WORLD);
    for (i = 0; rank == 0 && i < 5; i++)
        if (is_server) {
            usleep(50000);
            MPI_Send(&x, 1, MPI_INT, 0, i, other);
        } else
            MPI_Recv(&x, 1, MPI_INT, 0, i, other, MPI_STATUS_IGNORE);
    MPI_Barrier(other);
    MPI_Comm_disconnect(&other);
    if (is_server && rank == 0)
        MPI_Close_port(port);
    MPI_Finalize();
    return 0;
}
"#;

/// Opens a port and ends.
const PORT: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Init(&argc, &argv);
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Close_port(port);
    MPI_Finalize();
    return 0;
}
"#;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the server and the client at the same time by a launcher, and checks the logs of both.
fn connected(place: &Place, mpi: &str, launcher: &str) {
    compile(place, &format!("mpicc.{mpi}"), "join.c", "join");
    let mut server = place.command(crate::support::CLL);
    server.args(["run", "-n", "2", "--log", "-o", "server", "./join", "server", "port"]);
    server.envs(OPEN_MPI).env("CLL_MPIRUN", launcher).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = Running(server.spawn().expect("a server"));
    // Ranks are in the order in which the programs began.
    until("the server has a port", || place.exists("port"));
    let client = ["run", "-n", "1", "--log", "-o", "client", "./join", "client", "port"];
    let with = [&OPEN_MPI[..], &[("CLL_MPIRUN", launcher)]].concat();
    place.cll_with(&with, &client).expect(0);
    assert!(server.0.wait().expect("the server's end").success(), "{mpi}");

    // Ranks 0 and 1 are the server, rank 2 is the client.
    let text = place.cll(&["mpi", "stats", "server", "client"]).expect(0);
    text.prints(&["ranks 0-1: join, rank 2: join"]);
    let stats = place.cll(&["mpi", "stats", "--json", "server", "client"]).expect(0).json();
    assert_eq!((&stats["ranks"], &stats["unreceived"]), (&3.into(), &0.into()), "{mpi}");
    let messages = stats["messages"].as_array().expect("a list");
    assert_eq!(messages.len(), 1, "{mpi}: {messages:?}");
    let of_pair = ["from", "to", "messages"].map(|name| messages[0][name].as_u64());
    assert_eq!(of_pair, [Some(0), Some(2), Some(5)], "{mpi}");
    let waits = stats["waits"].as_array().expect("a list");
    let waited = |kind: &str| {
        let entry = waits.iter().find(|wait| wait["kind"] == kind);
        entry.and_then(|value| value["time_s"].as_f64()).unwrap_or(0.0)
    };
    assert!(waited("late sender") >= 0.2, "{mpi}: {waits:?}");
    // The server's other rank waits for all of it at the barrier of both, from when it has a core.
    assert!(waited("collective") >= 0.1, "{mpi}: {waits:?}");
    let graph = place.cll(&["mpi", "graph", "--json", "server", "client"]).expect(0).json();
    assert!(graph["messages"].as_array().is_some_and(|all| !all.is_empty()), "{mpi}");
    for name in place.list("client") {
        let to = place.path(&format!("server/client-{name}"));
        std::fs::copy(place.path(&format!("client/{name}")), to).expect("a copy");
    }
    let (_, arrows) = exported(place, "server");
    let ends: Vec<(u64, u64)> = arrows.iter().map(|[from, to]| (from.0.0, to.0.0)).collect();
    assert_eq!(ends, [(0, 2); 5], "{mpi}");
}

#[test]
fn programs_that_have_connected_are_one_run() {
    let test = "programs_that_have_connected";
    if !ready(test) || !have("ompi-server", test) {
        return;
    }
    // Programs of two launches of Open MPI find each other by a server.
    let place = Place::new();
    place.write("join.c", JOIN);
    let mut names = place.command("ompi-server");
    let file = place.path("names").display().to_string();
    names.args(["--no-daemonize", "-r", &file]).stdout(Stdio::null()).stderr(Stdio::null());
    let _names = Running(names.envs(OPEN_MPI).spawn().expect("ompi-server"));
    until("ompi-server has written its address", || {
        std::fs::read_to_string(place.path("names")).is_ok_and(|text| text.contains('\n'))
    });
    connected(&place, "openmpi", &format!("mpirun.openmpi --ompi-server file:{file}"));

    // Debian's MPICH 4.0 is built for a network whose ports it does not support.
    let place = Place::new();
    place.write("port.c", PORT);
    compile(&place, "mpicc.mpich", "port.c", "port");
    let mut command = place.command("mpirun.mpich");
    let opened = from_output(&command.args(["-n", "1", "./port"]).output().expect("mpirun.mpich"));
    if opened.code != 0 && [opened.out, opened.err].concat().contains("not supported") {
        return eprintln!("this MPICH has no MPI_Open_port, and no package adds it");
    }
    place.write("join.c", JOIN);
    connected(&place, "mpich", "mpirun.mpich");
}
