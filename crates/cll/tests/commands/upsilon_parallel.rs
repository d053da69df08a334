//! `cll upsilon propose --counts` of programs of several files and of several processes.

use crate::support::{Place, have};
use crate::upsilon::statement;

/// A part of the BSP program in another file, with a region of its own.
const TABLE: &str = r##"#include "table.h"

/* Marks the multiples of each number that is not marked: the work is n*log(n), as the harmonic numbers. */
long fill(long *table, int n)
{
    long marks = 0;
    int i, j;
#pragma cll table table[0] + table[1]*n
    for (i = 0; i < n; i++)
        table[i] = 0;
#pragma cll end table
    for (i = 1; i < n; i++)
        for (j = 2 * i; j < n; j += i)
            marks += table[j]++;
    return marks;
}
"##;

const EXCHANGE: &str = r##"/* Each processor sends its part to all others, which add up what they get. */
#include <bsp.h>
#include <stdlib.h>
#include "table.h"

#pragma cll parallel BSP

static long part[4096], table[4096];
static long got[4096];

static void spmd(void)
{
    int P, s, n, i, q;
    long sum = 0;
    bsp_begin(bsp_nprocs());
    P = bsp_nprocs();
    s = bsp_pid();
    bsp_push_reg(got, sizeof got);
    bsp_sync();
    for (n = 64; n <= 1024; n *= 2) {
        int size = n / P;
        for (i = 0; i < size; i++)
            part[i] = s + i;
#pragma cll exchange exchange[0] + exchange[1]*P + exchange[2]*n
        for (q = 0; q < P; q++)
            bsp_put(q, part, got, s * size * (int)sizeof(long), size * (int)sizeof(long));
        bsp_sync();
        for (i = 0; i < size * P; i++)
            sum += got[i];
#pragma cll end exchange
        sum += fill(table, n);
    }
    if (sum < 0)
        bsp_abort("wrong");
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    spmd();
    return 0;
}
"##;

const ROWS: &str = r##"/* Rows of a triangle of which each process has every P-th one; the first also adds up all sums. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI

static double sums[512], all[512];

static double row(int i)
{
    double sum = 0;
    int k;
    for (k = 0; k < i; k++)
        sum += 1.0 / (k + 1);
    return sum;
}

int main(int argc, char **argv)
{
    int n, P, rank, i;
    double total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &P);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (n = 16; n <= 256; n *= 2) {
#pragma cll rows rows[0] + rows[1]*n + rows[2]*n*n/P
        for (i = rank; i < n; i += P)
            sums[i] = row(i);
        MPI_Reduce(sums, all, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            for (i = 0; i < n; i++)
                total += all[i];
#pragma cll end rows
    }
    if (rank == 0)
        printf("%g\n", total);
    MPI_Finalize();
    return 0;
}
"##;

/// Who says so, and the constants of a statement.
fn origin(answer: &serde_json::Value, experiment: &str, text: &str) -> String {
    let value = statement(answer, experiment, text);
    let constants: Vec<&str> =
        value["constants"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    format!("{} {}", constants.join(" "), value["by"].as_str().unwrap())
}

#[test]
fn lines_of_bsp_programs_of_several_files_are_counted_in_all_processes() {
    if !have("valgrind", "lines_of_bsp_programs_of_several_files_are_counted_in_all_processes") {
        return;
    }
    let place = Place::new();
    place.write("exchange.c", EXCHANGE);
    place.write("src/table.c", TABLE);
    place.write("src/table.h", "long fill(long *table, int n);\n");
    let counted = |words: &[&str]| {
        let all = ["upsilon", "propose"].iter().chain(words).copied();
        place.cll(&all.collect::<Vec<&str>>()).expect(0)
    };
    let done = counted(&["exchange.c", "--counts", "-n", "2,4", "--", "-Isrc", "src/table.c"]);
    done.says(&["exchange: 10 passages counted; lines confirmed: 3, corrected: 0, unclear: 0"]);
    let answer = place.cll(&["upsilon", "show", "exchange.c", "--json"]).expect(0).json();
    for (text, constant) in [
        ("q < P", "exchange[1] both"),
        ("bsp_sync()", "exchange[0] both"),
        // The processors' parts are known while the program runs.
        ("sum += got[i]", "exchange[2] counts"),
    ] {
        assert_eq!(origin(&answer, "exchange", text), constant, "{text}");
    }
    // The region of the other file, whose model is in this one.
    let done = counted(&["src/table.c", "--counts", "--json", "--", "exchange.c", "-Isrc"]);
    assert_eq!(origin(&done.json(), "table", "table[i] = 0"), "table[1] both");
}

#[test]
fn lines_of_mpi_programs_are_counted_where_they_are_executed_most() {
    let name = "lines_of_mpi_programs_are_counted_where_they_are_executed_most";
    if !have("valgrind", name) || !have("mpicc", name) || !have("mpirun", name) {
        return;
    }
    let place = Place::new();
    place.write("rows.c", ROWS);
    let words = ["upsilon", "propose", "rows.c", "--counts", "--json", "-n", "2"];
    let root = [("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")];
    let answer = place.cll_with(&root, &words).expect(0).json();
    assert_eq!(origin(&answer, "rows", "sum += 1.0 / (k + 1)"), "rows[2] counts");
    assert_eq!(origin(&answer, "rows", "rank == 0"), "rows[0] both");
    // Only one process does this.
    assert_eq!(origin(&answer, "rows", "total += all[i]"), "rows[1] both");
}
