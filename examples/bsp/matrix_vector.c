/*
 * matrix_vector.c: u = A v for a dense matrix of n rows and columns, in blocks on a grid of M x N
 * processors.
 *
 * Shows: a distribution in two dimensions. Processor (s, t) has block (s, t) of the matrix; v is dealt
 * out so that the processors of a column have its block of v between them, u so that those of a row have
 * theirs. In three steps: everybody puts its piece of v to its column (fan-out); multiplies; sends
 * its sums to their owners in its row (fan-in), who add them up. 2 n^2/p + (n/M + n/N) g + 2 l for a
 * square grid, where whole rows would take n g. Puts for what has a place, messages for what is to be added.
 *
 *   cll cc -O2 examples/bsp/matrix_vector.c -o matrix_vector
 *   cll run -n 4 ./matrix_vector 2000
 *
 * Any number of processors; best where it is a square, or nearly.
 */
#include <bsp.h>
#include <stdlib.h>

static int n = 1000; /* on processor 0 until the others have got it */
static int right = 1;

/* Small integers, so that every order of adding gives the same. */
static double a(int i, int j) { return (i + 3 * j) % 11 - 5; }
static double v_of(int j) { return j % 7 - 2; }

/* The first of part k of a range that is divided into so many parts. */
static int begin_of(int k, int parts, int range)
{
    return (int)((long)range * k / parts);
}

/* Rows of the grid: the largest divisor of p that is at most its root. */
static int grid_rows(int p)
{
    int rows = 1;
    for (int m = 2; m * m <= p; m++)
        if (p % m == 0)
            rows = m;
    return rows;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), M = grid_rows(p), N = p / M, s = bsp_pid() / N, t = bsp_pid() % N;
    int tag_size = sizeof(int), rights = 0;
    bsp_set_tagsize(&tag_size);
    bsp_push_reg(&n, sizeof n);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();

    /* The block: rows and columns. */
    int row = begin_of(s, M, n), rows = begin_of(s + 1, M, n) - row;
    int column = begin_of(t, N, n), columns = begin_of(t + 1, N, n) - column;
    double *A = malloc(((size_t)rows * columns + 1) * sizeof *A);
    double *v = calloc(columns + 1, sizeof *v), *u = calloc(rows + 1, sizeof *u);
    if (A == NULL || v == NULL || u == NULL)
        bsp_abort("matrix_vector: no memory for %d x %d elements\n", rows, columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            A[(size_t)i * columns + j] = a(row + i, column + j);
    /* The piece of v here: part s of the columns of the block. */
    int piece = begin_of(s, M, columns), piece_end = begin_of(s + 1, M, columns);
    for (int j = piece; j < piece_end; j++)
        v[j] = v_of(column + j);
    bsp_push_reg(v, columns * (int)sizeof *v);
    bsp_sync();
    double begin = bsp_time();

    for (int m = 0; m < M; m++)
        bsp_put(m * N + t, v + piece, v, piece * (int)sizeof *v,
                (piece_end - piece) * (int)sizeof *v);
    bsp_sync();

    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++)
            sum += A[(size_t)i * columns + j] * v[j];
        u[i] = sum;
    }
    for (int k = 0; k < N; k++) {
        int first = begin_of(k, N, rows), end = begin_of(k + 1, N, rows);
        bsp_send(s * N + k, &first, u + first, (end - first) * (int)sizeof *u);
    }
    bsp_sync();

    /* The piece of u here: part t of the rows of the block. */
    int mine = begin_of(t, N, rows), mine_end = begin_of(t + 1, N, rows), status, first;
    for (int i = mine; i < mine_end; i++)
        u[i] = 0;
    for (bsp_get_tag(&status, &first); status != -1; bsp_get_tag(&status, &first)) {
        void *tag, *payload;
        int sums = bsp_hpmove(&tag, &payload) / (int)sizeof *u;
        right &= first == mine && sums == mine_end - mine;
        for (int i = 0; i < sums; i++)
            u[first + i] += ((double *)payload)[i];
    }
    double passed = bsp_time() - begin;

    for (int i = mine; i < mine_end; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += a(row + i, j) * v_of(j);
        right &= u[i] == sum;
    }
    bsp_send(0, &right, NULL, 0);
    bsp_sync();
    if (bsp_pid() == 0) {
        for (int q = 0; q < p; q++) {
            int it_is;
            bsp_get_tag(&status, &it_is);
            bsp_move(NULL, 0);
            rights += it_is;
        }
        right = rights == p;
        printf("matrix_vector: %d x %d, %d x %d processors: %.1f us\n", n, n, M, N, 1e6 * passed);
        puts(right ? "matrix_vector: right" : "matrix_vector: WRONG");
    }
    free(A);
    free(u);
    free(v);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2 || n < 1 || n > 40000) {
        fputs("usage: matrix_vector [ROWS], at most 40000\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
