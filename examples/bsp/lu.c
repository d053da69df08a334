/*
 * lu.c: P A = L U for a dense matrix of n rows and columns, with partial pivoting. Blocks of b x b
 * elements are dealt out cyclically to a grid of M x N processors.
 *
 * Shows: a program of many supersteps, four for each of n stages, whose work moves over the matrix: the
 * cyclic distribution keeps all processors busy until the end, larger blocks use caches
 * better and balance worse. About 2 n^3/(3p) + (n^2/M + n^2/N) g + 4 n l; which of the three counts,
 * and from which n on, is for the model to tell.
 *
 *   cll cc -O2 examples/bsp/lu.c -o lu -lm
 *   cll run -n 4 ./lu 400 8
 *
 * Any number of processors; best where it is a square, or nearly.
 */
#include <bsp.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int sizes[2] = { 200, 4 }; /* n and b, on processor 0 until the others have got them */
static int right = 1;

/* The grid, and this processor's place in it. */
static int M, N, s, t;
static int n, b;

/* Whose element i is, and which of theirs, where k processors deal blocks of b. */
static int owner(int i, int k) { return i / b % k; }
static int place(int i, int k) { return i / b / k * b + i % b; }
/* How many of the first `count` elements processor q has. */
static int share(int count, int q, int k)
{
    int whole = count / (b * k), rest = count % (b * k) - q * b;
    return whole * b + (rest < 0 ? 0 : rest < b ? rest : b);
}
static int pid_of(int row, int column) { return row * N + column; }

/* The matrix, without a file: numbers in -1 .. 1 that look like chance. */
static double a(int i, int j)
{
    uint64_t x = ((uint64_t)i << 32 | (unsigned)j) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
    return (double)(int64_t)(x ^ x >> 32) * 0x1p-63;
}

struct candidate {
    double value;
    int row; /* of the whole matrix; -1: none */
};

/* What the stages need of others; all are registered. */
static struct candidate *candidates; /* one for each row of the grid */
static int pivot;                    /* its row */
static double *A;                    /* rows x columns of this processor */
static int rows, columns;
static double *multipliers; /* of the column of a stage, by local row */
static double *pivot_row;   /* of a stage, by local column */
static double *other_row;   /* one that comes here in exchange */

static void find_pivot(int k)
{
    if (t == owner(k, N)) {
        struct candidate best = { 0, -1 };
        int column = place(k, N);
        for (int i = share(k, s, M); i < rows; i++) {
            double value = A[(size_t)i * columns + column];
            if (best.row < 0 || fabs(value) > fabs(best.value)) {
                best.value = value;
                best.row = (i / b * M + s) * b + i % b;
            }
        }
        for (int m = 0; m < M; m++)
            bsp_put(pid_of(m, t), &best, candidates, s * (int)sizeof best, sizeof best);
    }
    bsp_sync();
    if (t == owner(k, N)) {
        struct candidate best = { 0, -1 };
        for (int m = 0; m < M; m++)
            if (candidates[m].row >= 0
                && (best.row < 0 || fabs(candidates[m].value) > fabs(best.value)))
                best = candidates[m];
        for (int c = 0; c < N; c++)
            bsp_put(pid_of(s, c), &best.row, &pivot, 0, sizeof pivot);
    }
    bsp_sync();
}

/* Rows k and pivot change places; where they are on different processors, through other_row. */
static void exchange_rows(int k)
{
    int bytes = columns * (int)sizeof *A, r = pivot;
    int here[2] = { k, r }, there[2] = { r, k };
    if (owner(k, M) == owner(r, M)) {
        if (s == owner(k, M) && k != r) {
            double *x = A + (size_t)place(k, M) * columns, *y = A + (size_t)place(r, M) * columns;
            for (int j = 0; j < columns; j++) {
                double kept = x[j];
                x[j] = y[j];
                y[j] = kept;
            }
        }
        bsp_sync();
        return;
    }
    for (int i = 0; i < 2; i++)
        if (s == owner(here[i], M))
            bsp_put(pid_of(owner(there[i], M), t), A + (size_t)place(here[i], M) * columns, other_row,
                    0, bytes);
    bsp_sync();
    for (int i = 0; i < 2; i++)
        if (s == owner(here[i], M))
            memcpy(A + (size_t)place(here[i], M) * columns, other_row, bytes);
}

/* Row k goes down the columns of the grid, the multipliers go along its rows. */
static void spread(int k)
{
    int from = share(k + 1, s, M), first = share(k, t, N);
    int bytes = (columns - first) * (int)sizeof *A;
    if (s == owner(k, M))
        for (int m = 0; m < M; m++)
            bsp_put(pid_of(m, t), A + (size_t)place(k, M) * columns + first, pivot_row,
                    first * (int)sizeof *A, bytes);
    if (t == owner(k, N)) {
        /* The pivot itself is known here from the search. */
        double value = 0;
        for (int m = 0; m < M; m++)
            if (candidates[m].row == pivot)
                value = candidates[m].value;
        for (int i = from; i < rows && value != 0; i++)
            multipliers[i] = A[(size_t)i * columns + place(k, N)] /= value;
        for (int c = 0; c < N; c++)
            if (c != t)
                bsp_put(pid_of(s, c), multipliers + from, multipliers, from * (int)sizeof *A,
                        (rows - from) * (int)sizeof *A);
    }
    bsp_sync();
}

static void decompose(int *permutation)
{
    for (int i = 0; i < n; i++)
        permutation[i] = i;
    for (int k = 0; k < n; k++) {
        find_pivot(k);
        exchange_rows(k);
        int kept = permutation[k];
        permutation[k] = permutation[pivot];
        permutation[pivot] = kept;
        spread(k);
        int first = share(k + 1, t, N);
        for (int i = share(k + 1, s, M); i < rows; i++)
            for (int j = first; j < columns; j++)
                A[(size_t)i * columns + j] -= multipliers[i] * pivot_row[j];
    }
}

/* The sum of all processors' arrays of n, on all of them. */
static void add_up(double *array)
{
    int p = M * N;
    double *all = calloc((size_t)p * n, sizeof *all);
    if (all == NULL)
        bsp_abort("lu: no memory to check the result\n");
    bsp_push_reg(all, p * n * (int)sizeof *all);
    bsp_sync();
    for (int q = 0; q < p; q++)
        bsp_put(q, array, all, bsp_pid() * n * (int)sizeof *all, n * (int)sizeof *all);
    bsp_sync();
    for (int i = 0; i < n; i++) {
        array[i] = 0;
        for (int q = 0; q < p; q++)
            array[i] += all[(size_t)q * n + i];
    }
    bsp_pop_reg(all);
    bsp_sync();
    free(all);
}

/* The largest difference between P A x and L (U x), for some x. */
static double difference(const int *permutation)
{
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    double largest = 0;
    if (x == NULL || y == NULL || z == NULL)
        bsp_abort("lu: no memory to check the result\n");
    for (int j = 0; j < n; j++)
        x[j] = a(-1, j);
    for (int pass = 0; pass < 2; pass++) {
        /* First y = U x, then z = L y. */
        double *from = pass == 0 ? x : y, *to = pass == 0 ? y : z;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                int row = (i / b * M + s) * b + i % b, column = (j / b * N + t) * b + j % b;
                if (pass == 0 ? column >= row : column < row)
                    to[row] += A[(size_t)i * columns + j] * from[column];
            }
        add_up(to);
        for (int i = 0; pass == 1 && i < n; i++)
            z[i] += y[i];
    }
    for (int i = bsp_pid(); i < n; i += M * N) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += a(permutation[i], j) * x[j];
        largest = fmax(largest, fabs(sum - z[i]));
    }
    free(x);
    free(y);
    free(z);
    return largest;
}

/* The largest of all processors' values, on processor 0. */
static double largest_of_all(double value)
{
    bsp_send(0, NULL, &value, sizeof value);
    bsp_sync();
    int messages;
    for (bsp_qsize(&messages, NULL); messages > 0; messages--) {
        double other;
        bsp_move(&other, sizeof other);
        value = fmax(value, other);
    }
    return value;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs();
    for (M = 1; (M + 1) * (M + 1) <= p; M++)
        ;
    while (p % M != 0)
        M--;
    N = p / M;
    s = bsp_pid() / N;
    t = bsp_pid() % N;
    bsp_push_reg(sizes, sizeof sizes);
    bsp_sync();
    bsp_get(0, sizes, 0, sizes, sizeof sizes);
    bsp_sync();
    n = sizes[0];
    b = sizes[1];

    rows = share(n, s, M);
    columns = share(n, t, N);
    A = malloc(((size_t)rows * columns + 1) * sizeof *A);
    multipliers = calloc(rows + 1, sizeof *multipliers);
    pivot_row = calloc(columns + 1, sizeof *pivot_row);
    other_row = calloc(columns + 1, sizeof *other_row);
    candidates = calloc(M, sizeof *candidates);
    int *permutation = malloc(n * sizeof *permutation);
    if (!A || !multipliers || !pivot_row || !other_row || !candidates || !permutation)
        bsp_abort("lu: no memory for %d x %d elements\n", rows, columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            A[(size_t)i * columns + j] =
                a((i / b * M + s) * b + i % b, (j / b * N + t) * b + j % b);
    bsp_push_reg(multipliers, rows * (int)sizeof *multipliers);
    bsp_push_reg(pivot_row, columns * (int)sizeof *pivot_row);
    bsp_push_reg(other_row, columns * (int)sizeof *other_row);
    bsp_push_reg(candidates, M * (int)sizeof *candidates);
    bsp_push_reg(&pivot, sizeof pivot);
    bsp_sync();

    double begin = bsp_time();
    decompose(permutation);
    bsp_sync();
    double passed = bsp_time() - begin, wrong = largest_of_all(difference(permutation));
    if (bsp_pid() == 0) {
        right = wrong <= 1e-10 * n;
        printf("lu: %d x %d in blocks of %d, %d x %d processors: %.1f ms, residual %.1e\n", n, n, b, M,
               N, 1e3 * passed, wrong);
        puts(right ? "lu: P A = L U" : "lu: WRONG");
    }
    free(A);
    free(multipliers);
    free(pivot_row);
    free(other_row);
    free(candidates);
    free(permutation);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    for (int i = 1; i < argc && i <= 2; i++)
        sizes[i - 1] = atoi(argv[i]);
    if (argc > 3 || sizes[0] < 1 || sizes[0] > 10000 || sizes[1] < 1 || sizes[1] > 10000) {
        fputs("usage: lu [ROWS [BLOCK]], at most 10000\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
