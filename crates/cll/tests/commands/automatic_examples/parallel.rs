//! Programs with OpenMP, BSP, PUB and MPI, on one processor.

use super::{Example, MAIN, SEQUENTIAL, check};

#[test]
fn openmp_loops() {
    check(
        8,
        &Example {
            sources: &["examples/openmp_loops/openmp_loops.c"],
            replaced: &[
                MAIN,
                ("LARGEST = 2000", "LARGEST = 300"),
                ("N = 500", "N = atoi(argv[argc - 1])"),
            ],
            options: &["-n", "1"],
            sizes: "N=41:300:*1.35",
            annotated: ("sweep", "N*N/P"),
            function: "sweep",
            term: ("N", &["N^2"]),
            apart: 0.1,
            is_most: true,
            ..SEQUENTIAL
        },
    );
}

#[test]
fn openmp_sort() {
    check(
        9,
        &Example {
            sources: &["examples/openmp_sort/openmp_sort.c"],
            replaced: &[
                MAIN,
                ("LARGEST = 600000", "LARGEST = 70000"),
                ("VOLUME = 20000", "VOLUME = 0"),
                ("N = 100000", "N = atoi(argv[argc - 1])"),
                // One thread merges nothing.
                (" + sort[2]*N*(P-1)/P", ""),
            ],
            options: &["-n", "1"],
            sizes: "N=1000:64000:*2",
            annotated: ("sort", "N/P*log(N/P)"),
            function: "parallel_sort",
            term: ("N", &["N*log2(N)"]),
            ..SEQUENTIAL
        },
    );
}

#[test]
fn bsp_sample_sort() {
    check(
        10,
        &Example {
            sources: &["examples/bsp/sample_sort.c"],
            replaced: &[
                // The function that begins and ends the processors is no region: what it calls is.
                (
                    "static void spmd(void)\n",
                    "static void sort_part(int *v, int count)\n{\n    qsort(v, count, sizeof *v, compare);\n}\n\n\
                 static void spmd(void)\n",
                ),
                (
                    "    qsort(v, count, sizeof *v, compare);\n    for (int k",
                    "    sort_part(v, count);\n    for (int k",
                ),
                (" + sort[2]*n*(P-1)/P", ""),
            ],
            options: &["-n", "1"],
            sizes: "N=2000:64000:*2",
            annotated: ("sort", "n/P*log(n)"),
            function: "sort_part",
            term: ("count", &["count*log2(count)"]),
            apart: 0.2,
            says: Some("sample_sort: sorted"),
            ..SEQUENTIAL
        },
    );
}

#[test]
fn pub_fft() {
    check(
        11,
        &Example {
            sources: &["examples/pub/fft.c"],
            // It looks at some numbers of the result only, as it does with many.
            replaced: &[("N <= 4096 ? 1 : N / 100", "N / 32")],
            options: &["-n", "1", "--libs=-lm"],
            sizes: "N=64:8192:*2",
            annotated: ("G", "N*log(N)"),
            function: "seqDandCFFT",
            term: ("N", &["N*log2(N)"]),
            apart: 0.2,
            is_most: false,
            says: Some("processors, right;"),
            ..SEQUENTIAL
        },
    );
}

#[test]
fn mpi_heat() {
    check(
        12,
        &Example {
            sources: &["examples/mpi/heat.c"],
            replaced: &[("N = 4096, me", "N = atoi(argv[argc - 1]), me")],
            options: &["-n", "1", "--libs=-lm"],
            sizes: "N=4096:32768:*2",
            annotated: ("heat", "N/P"),
            function: "step",
            term: ("n", &["n"]),
            // The start of MPI executes more.
            is_most: false,
            passages: 20.0,
            says: Some("heat: the temperature decays as it should"),
            ..SEQUENTIAL
        },
    );
}
