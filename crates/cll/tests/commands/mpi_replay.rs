//! `smpirun -replay` of an exported run takes as long as the longest path with the same parameters.

use std::fs::File;
use std::path::PathBuf;

use cll_calls::Overview;
use cll_model::messages::{Free, Primitives, of_logs};

use crate::mpi_calls::{cll, compile, ready};
use crate::support::{Place, have, run};

/// Programs by their name: heat with blocking and with non-blocking exchange, a pipeline, a matrix product, a farm that takes
/// results from any rank, the collectives in which all ranks have one size, and those in which each may have another one.
/// Messages are on both sides of the machine's eager limit.
const PROGRAMS: &str = r#"#include <mpi.h>
#include <string.h>
#include <stdlib.h>
static int rank, size;
static double a[20000], b[80000], c[80000];
static void work(int n)
{
    volatile double x = 0;
    for (int i = 0; i < 1000 * n; i++)
        x += i;
}
static void heat(int n, int is_blocking)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < 20; step++) {
        if (is_blocking) {
            MPI_Sendrecv(a, n, MPI_DOUBLE, up, 1, b, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(a, n, MPI_DOUBLE, down, 2, c, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            work(50 + 20 * rank);
        } else {
            MPI_Request r[4];
            MPI_Irecv(b, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[0]);
            MPI_Irecv(c, n, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &r[1]);
            MPI_Isend(a, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[2]);
            MPI_Isend(a, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &r[3]);
            work(50 + 20 * rank);
            MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        }
        if (step % 5 == 4)
            MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
}
static void pipeline(int n)
{
    for (int step = 0; step < 20; step++) {
        if (rank > 0)
            MPI_Recv(b, n, MPI_DOUBLE, rank - 1, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(40);
        if (rank + 1 < size)
            MPI_Send(a, n, MPI_DOUBLE, rank + 1, step, MPI_COMM_WORLD);
    }
}
static void matrix(void)
{
    if (rank == 0) {
        for (int to = 1; to < size; to++) {
            MPI_Send(a, 5000, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
            MPI_Send(b, 20000, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
        }
        work(2000);
        for (int from = 1; from < size; from++)
            MPI_Recv(c, 5000, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(a, 5000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 20000, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(2000);
        MPI_Ssend(a, 5000, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
}
static void farm(void)
{
    int task = 0, open = 0, stop = -1;
    MPI_Status s;
    if (rank > 0) {
        for (;;) {
            MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (task < 0)
                return;
            work(20 * (task % 5 + 1));
            MPI_Send(a, 10 + 300 * (task % 3), MPI_DOUBLE, 0, task, MPI_COMM_WORLD);
        }
    }
    for (int to = 1; to < size; to++, task++, open++)
        MPI_Send(&task, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    while (open > 0) {
        MPI_Recv(b, 20000, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
        if (task < 40)
            MPI_Send(&task, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD), task++;
        else
            MPI_Send(&stop, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD), open--;
    }
}
static void collectives(int n)
{
    MPI_Request r;
    work(30 * (rank + 1));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(a, n, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    work(10 * (size - rank));
    MPI_Reduce(a, b, n, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
    MPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scatter(b, n, MPI_DOUBLE, a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    work(10 * rank);
    MPI_Gather(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgather(a, n, MPI_DOUBLE, b, n, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoall(b, n, MPI_DOUBLE, c, n, MPI_DOUBLE, MPI_COMM_WORLD);
    work(10 * rank);
    MPI_Reduce_scatter_block(b, c, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}
/* Rank i has n * (i + 1) numbers; in an exchange rank i sends n * (1 + (i + to) % size) to each other one. */
static void uneven(int n)
{
    int counts[16], starts[16], sent[16], sent_at[16], all = 0, sum = 0;
    MPI_Request r;
    for (int i = 0; i < size; i++) {
        counts[i] = n * (i + 1), starts[i] = all, all += counts[i];
        sent[i] = n * (1 + (rank + i) % size), sent_at[i] = sum, sum += sent[i];
    }
    for (int step = 0; step < 3; step++) {
        work(20 * (rank + 1));
        MPI_Scatterv(b, counts, starts, MPI_DOUBLE, a, counts[rank], MPI_DOUBLE, step, MPI_COMM_WORLD);
        work(10 * (size - rank));
        MPI_Gatherv(a, counts[rank], MPI_DOUBLE, b, counts, starts, MPI_DOUBLE, step, MPI_COMM_WORLD);
        MPI_Allgatherv(a, counts[rank], MPI_DOUBLE, b, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD);
        work(10 * rank);
        MPI_Alltoallv(b, sent, sent_at, MPI_DOUBLE, c, sent, sent_at, MPI_DOUBLE, MPI_COMM_WORLD);
        MPI_Reduce_scatter(b, c, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Iallgatherv(a, counts[rank], MPI_DOUBLE, b, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}
int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(name, "blocking") == 0)
        heat(200, 1), heat(2000, 1);
    else if (strcmp(name, "non-blocking") == 0)
        heat(200, 0), heat(2000, 0);
    else if (strcmp(name, "pipeline") == 0)
        pipeline(100), pipeline(3000);
    else if (strcmp(name, "matrix") == 0)
        matrix();
    else if (strcmp(name, "farm") == 0)
        farm();
    else if (strcmp(name, "uneven") == 0)
        uneven(20), uneven(1500);
    else
        collectives(20), collectives(1500);
    MPI_Finalize();
    return 0;
}
"#;

/// A machine whose messages are dear beside the computation. Above the eager limit SimGrid has the link
/// only; with the same link below it, all factors of latency and bandwidth are 1.
const MACHINE: &str = r#"cll-machine = 3
name = "dear messages"
[origin]
by = "hand"
[[mpi]]
name = "MPICH 4"
eager = "4040 B"
[[message]]
mpi = "MPICH 4"
call = "total"
pieces = [{ from = "8 B", to = "1 MiB", L = "100 us", g = "7 ns/B" }]
[[message]]
mpi = "MPICH 4"
call = "emission"
pieces = [
  { from = "8 B", to = "4040 B", L = "8 us", g = "1 ns/B" },
  { from = "4041 B", to = "1 MiB", L = "1 ps", g = "0 s/B" },
]
[[message]]
mpi = "MPICH 4"
call = "transit"
pieces = [{ from = "8 B", to = "1 MiB", L = "100 us", g = "7 ns/B" }]
[[message]]
mpi = "MPICH 4"
call = "reception"
pieces = [
  { from = "8 B", to = "4040 B", L = "12 us", g = "2 ns/B" },
  { from = "4041 B", to = "1 MiB", L = "1 ps", g = "0 s/B" },
]
"#;

#[test]
fn a_replay_takes_as_long_as_the_longest_path() {
    let test = "a_replay_takes_as_long";
    if !ready(test) || !have("smpirun", test) {
        return;
    }
    let place = Place::new();
    place.write("programs.c", PROGRAMS);
    place.write("machine.toml", MACHINE);
    let line = "machine export machine.toml --to simgrid --speed 1e9 --out platform.xml -n 4";
    place.cll(&line.split(' ').collect::<Vec<_>>()).expect(0);
    let platform = place.read("platform.xml");
    for factor in ["lat-factor", "bw-factor"] {
        let line = platform.lines().find(|line| line.contains(factor)).expect("its line");
        let values = line.split('"').nth(3).expect("its value").split(';');
        let all: Vec<&str> = values.filter_map(|one| one.split(':').nth(1)).collect();
        assert!(all.iter().all(|one| one.parse() == Ok(1.0)), "{line}");
    }
    place.write("hosts", "process-0\nprocess-1\nprocess-2\nprocess-3\n");
    let machine = cll_machine::read(&place.bytes("machine.toml")).machine.unwrap();
    compile(&place, "mpicc.mpich", "programs.c", "programs");
    let mut wrong = Vec::new();
    let programs =
        ["blocking", "non-blocking", "pipeline", "matrix", "farm", "collectives", "uneven"];
    for program in programs {
        cll(&place, &["run", "-n", "4", "--log", "-o", program, "./programs", program]).expect(0);
        let trace = format!("{program}.tit");
        cll(&place, &["mpi", "export", program, "--format", "simgrid", "--out", &trace]).expect(0);
        place.write("list", format!("{trace}\n"));
        let mut command = place.command("smpirun");
        let words =
            ["-np", "4", "-platform", "platform.xml", "-hostfile", "hosts", "-replay", "list"];
        let done = run(command.args(words).arg("--log=root.fmt:%m%n")).expect(0);
        let said = [done.out.as_str(), done.err.as_str()].concat();
        let time = said.lines().find_map(|line| line.strip_prefix("Simulation time "));
        let time = time.unwrap_or_else(|| panic!("{said}"));
        let replayed: f64 = time.trim().parse().expect("seconds");
        let files: Vec<PathBuf> =
            place.list(program).iter().map(|name| place.path(program).join(name)).collect();
        let open = |at: usize| File::open(&files[at]).map_err(cll_trace::TraceError::Io);
        let mut logs: Vec<Overview> =
            (0..files.len()).map(|at| Overview::read(open(at).unwrap()).unwrap()).collect();
        cll_calls::relate(&mut logs);
        let costs = Primitives::of(&machine, "MPICH").unwrap();
        let own = of_logs(&logs, open, &costs, 1.0).unwrap();
        assert!(own.evaluated.complete && own.left_out.all() == 0, "{program}");
        let own = own.evaluated.last().end.get();
        let free = of_logs(&logs, open, &Free, 1.0).unwrap().evaluated.last().end.get();
        println!("{program}: {own:.6} s, replayed {replayed:.6} s, {free:.6} s without messages");
        // Else the comparison would say nothing of messages.
        assert!(own > 1.02 * free, "{program}: {own} s, {free} s without messages");
        if (replayed - own).abs() > 0.02 * own {
            wrong.push(format!("{program}: {own} s, replayed {replayed} s"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
