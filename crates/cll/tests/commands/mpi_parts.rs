//! Communicators of some processes as machine objects: programs of MPI that are logged, on both MPIs.

use std::collections::BTreeMap;

use crate::mpi_calls::{MPIS, logged, ready, with};
use crate::support::Place;

/// A grid of 2 x 3: in each of 4 steps a norm of each row, a sum of each column, and halos along the row.
const GRID: &str = r#"#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, i, left, right, size[2] = {2, 3}, open[2] = {0, 0}, rows[2] = {0, 1}, columns[2] = {1, 0};
    double x[4] = {0}, y[4] = {0};
    MPI_Comm grid, row, column;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, size, open, 0, &grid);
    MPI_Cart_sub(grid, rows, &row);
    MPI_Cart_sub(grid, columns, &column);
    MPI_Comm_rank(row, &rank);
    MPI_Cart_shift(row, 0, 1, &left, &right);
    for (i = 0; i < 4; i++) {
        MPI_Allreduce(x, y, 3, MPI_DOUBLE, MPI_SUM, row);
        MPI_Sendrecv(x, 4, MPI_DOUBLE, left, 0, y, 4, MPI_DOUBLE, right, 0, row, MPI_STATUS_IGNORE);
        MPI_Allreduce(x, y, 2, MPI_DOUBLE, MPI_SUM, column);
    }
    MPI_Finalize();
    return 0;
}
"#;

/// Conjugate gradients on the first half of the processes; the others compute alone, and all learn the result.
const HALF: &str = r#"#include <math.h>
#include <mpi.h>
#include <stdio.h>
#define ROWS 500
static double x[ROWS], r[ROWS], p[ROWS + 2], q[ROWS];

static double dot(const double *a, const double *b, MPI_Comm comm)
{
    double own = 0, all;
    int i;
    for (i = 0; i < ROWS; i++)
        own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all;
}

static int solve(MPI_Comm comm)
{
    int rank, size, i, step;
    double rho, before, alpha;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (i = 0; i < ROWS; i++)
        p[i + 1] = r[i] = 4 - (i > 0 || rank > 0) - (i + 1 < ROWS || rank + 1 < size);
    rho = dot(r, r, comm);
    for (step = 0; step < 100 && sqrt(rho) > 1e-9; step++) {
        MPI_Sendrecv(p + 1, 1, MPI_DOUBLE, left, 0, p + ROWS + 1, 1, MPI_DOUBLE, right, 0, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv(p + ROWS, 1, MPI_DOUBLE, right, 1, p, 1, MPI_DOUBLE, left, 1, comm, MPI_STATUS_IGNORE);
        for (i = 0; i < ROWS; i++)
            q[i] = 4 * p[i + 1] - p[i] - p[i + 2];
        alpha = rho / dot(p + 1, q, comm);
        for (i = 0; i < ROWS; i++) {
            x[i] += alpha * p[i + 1];
            r[i] -= alpha * q[i];
        }
        before = rho;
        rho = dot(r, r, comm);
        for (i = 0; i < ROWS; i++)
            p[i + 1] = r[i] + rho / before * p[i + 1];
    }
    for (i = 0; i < ROWS; i++)
        if (fabs(x[i] - 1) > 1e-6)
            MPI_Abort(MPI_COMM_WORLD, 1);
    return step;
}

int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2 ? 0 : MPI_UNDEFINED, 0, &half);
    if (half != MPI_COMM_NULL)
        steps = solve(half);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", steps);
    MPI_Finalize();
    return 0;
}
"#;

/// A machine's supersteps: of each its ending, and h by process.
type Supersteps = BTreeMap<u64, (String, Vec<(u64, u64)>)>;
type Machines = BTreeMap<String, Supersteps>;

fn machines(place: &Place, files: &[String]) -> Machines {
    let line = with(&["export", "--supersteps", "--format", "json"], files);
    let export = place.cll(&line).expect(0).json();
    let mut all = Machines::new();
    for row in export["supersteps"].as_array().expect("a list") {
        let number = |name: &str| row[name].as_u64().expect("a number");
        let machine = all.entry(row["machine"].as_str().expect("a key").to_owned()).or_default();
        let ending = row["ending"].as_str().expect("a word").to_owned();
        let superstep = machine.entry(number("superstep")).or_insert((ending.clone(), vec![]));
        assert_eq!(superstep.0, ending, "{row}");
        superstep.1.push((number("of_program"), number("h_bytes")));
    }
    all
}

fn endings(machine: &Supersteps) -> Vec<&str> {
    machine.values().map(|one| one.0.as_str()).collect()
}

#[test]
fn rows_of_a_grid_are_machines_and_columns_supersteps_of_all() {
    if !ready("rows_of_a_grid") {
        return;
    }
    let place = Place::new();
    place.write("grid.c", GRID);
    for mpi in MPIS {
        let files = logged(&place, mpi, "grid.c", "6");
        let all = machines(&place, &files);
        // Two rows in each of 4 rounds: a reduction, halos, the end. Columns end supersteps of all.
        assert_eq!(all.len(), 1 + 2 * 4, "{mpi}");
        let column = all["0"].values().filter(|one| one.1.iter().all(|h| h.1 == 16)).count();
        assert_eq!(column, 4, "{mpi}: {:?}", all["0"]);
        let empty =
            all["0"].values().filter(|one| one.0 == "oblivious" && one.1.iter().any(|h| h.1 == 0));
        assert_eq!(empty.count(), 0, "{mpi}: {:?}", all["0"]);
        for (key, row) in all.iter().filter(|one| one.0 != "0") {
            assert_eq!(endings(row), ["sync", "oblivious", "end"], "{mpi}: {key}");
            let of: Vec<u64> = row[&1].1.iter().map(|one| one.0).collect();
            assert!([[0, 1, 2], [3, 4, 5]].contains(&[of[0], of[1], of[2]]), "{mpi}: {of:?}");
            let h = |number: u64| row[&number].1.iter().map(|one| one.1).collect::<Vec<_>>();
            assert_eq!((h(1), h(2), h(3)), (vec![24; 3], vec![32; 3], vec![0; 3]), "{mpi}");
        }
        let line = with(&["obsp", "--machine", "sgi-origin-2000", "--json"], &files);
        let done = place.cll(&line).expect(0);
        let priced = done.says(&["3 communicators are not neighbours", "grid.c:16"]).json();
        let account = &priced["predictions"][0]["account"];
        let objects = account["objects"].as_array().expect("a list");
        let of = |name: &str| objects.iter().filter(|one| one["name"] == name).count();
        assert_eq!((of("all"), of("processors 0-2"), of("processors 3-5")), (1, 4, 4), "{mpi}");
        // To people, what the same processors did in all of their stays together is one row.
        let shown = place.cll(&with(&["obsp", "--machine", "sgi-origin-2000"], &files)).expect(0);
        let rows = |name: &str| shown.out.lines().filter(|line| line.contains(name)).count();
        assert_eq!((rows("processors 0-2"), rows("processors 3-5")), (1, 1), "{mpi}");
        place.cll(&with(&["profile", "show"], &files)).expect(0).prints(&[
            "main",
            "grid.c:14",
            "grid.c:16",
        ]);
    }
}

#[test]
fn a_solver_on_half_of_the_processes_gives_the_others_no_supersteps() {
    if !ready("a_solver_on_half") {
        return;
    }
    let place = Place::new();
    place.write("half.c", HALF);
    for mpi in MPIS {
        let files = logged(&place, mpi, "half.c", "4");
        let all = machines(&place, &files);
        assert_eq!(endings(&all["0"]), ["sync", "oblivious", "end"], "{mpi}");
        assert_eq!(all.len(), 2, "{mpi}: one part of all steps");
        let half = all.iter().find(|one| one.0 != "0").expect("a part").1;
        // A step is two exchanges and two reductions; before them is one more.
        let steps = (half.len() - 2) / 4;
        assert!(steps > 5 && half.len() == 4 * steps + 2, "{mpi}: {}", half.len());
        let of = |ending: &str| half.values().filter(|one| one.0 == ending).count();
        assert_eq!((of("sync"), of("oblivious")), (2 * steps + 1, 2 * steps), "{mpi}");
        assert!(half.values().all(|one| one.1.len() == 2), "{mpi}");
        let shown = place.cll(&with(&["profile", "show"], &files)).expect(0);
        shown.prints(&["solve", "dot"]);
        let line = with(&["obsp", "--machine", "sgi-origin-2000"], &files);
        place.cll(&line).expect(0).prints(&["processors 0-1"]);
    }
}
