/*
 * life.c: Conway's life on a grid whose edges meet, in blocks on M x N processors.
 *
 * Shows: computation on a grid with a border of what the neighbours have. A generation is two
 * supersteps: first the columns at the edges go left and right, then the rows at the edges, with their
 * new ends, go up and down, so that corners come by themselves: 2 (r + c) g + 2 l and r c work for a block
 * of r x c cells.
 *
 *   cll cc -O2 examples/bsp/life.c -o life
 *   cll run -n 4 ./life 500 700 200
 *
 * Any number of processors, if each has a row and a column. The grid is full of gliders; a glider
 * moves by one row and one column in four generations: so the result is known.
 */
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

/* Rows, columns, generations: on processor 0 until the others have got them. */
static int sizes[3] = { 240, 320, 100 };
static int right = 1;

typedef unsigned char cell;

/* One glider in each square of 8 x 8. */
static int is_alive_at_first(int i, int j)
{
    static const cell glider[3][3] = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 1 } };
    return i % 8 < 3 && j % 8 < 3 && glider[i % 8][j % 8];
}

static int begin_of(int q, int parts, int range) { return (int)((long)range * q / parts); }

static int M, N, s, t;           /* the grid of processors, and the place in it */
static int r, c, width;          /* the block, and its width with both borders */
static cell *now, *next;         /* cells by row, with a border all around */
static cell *from_left, *from_right, *column; /* columns on their way */

static int pid_of(int row, int column_) { return (row + M) % M * N + (column_ + N) % N; }
static cell *at(cell *of, int i, int j) { return of + (size_t)(i + 1) * width + j + 1; }

static void send_column(int j, int to, cell *name)
{
    for (int i = 0; i < r; i++)
        column[i] = *at(now, i, j);
    bsp_put(pid_of(s, to), column, name, 0, r);
}

static void exchange_borders(void)
{
    send_column(0, t - 1, from_right); /* the left one there has it on its right */
    send_column(c - 1, t + 1, from_left);
    bsp_sync();
    for (int i = 0; i < r; i++) {
        *at(now, i, -1) = from_left[i];
        *at(now, i, c) = from_right[i];
    }
    /* Whose block is above or below has the same columns, but perhaps another number of rows: the
     * row above the first one begins the block; that below the last one is put by its place there. */
    int rows_above = begin_of((s + M - 1) % M + 1, M, sizes[0]) - begin_of((s + M - 1) % M, M, sizes[0]);
    bsp_put(pid_of(s - 1, t), at(now, 0, -1), now, (rows_above + 1) * width, width);
    bsp_put(pid_of(s + 1, t), at(now, r - 1, -1), now, 0, width);
    bsp_sync();
}

/* `now` and `next` change places on all processors alike: so the names that they are registered by. */
static void generation(void)
{
    exchange_borders();
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            const cell *up = at(now, i - 1, j), *here = at(now, i, j), *down = at(now, i + 1, j);
            int alive = up[-1] + up[0] + up[1] + here[-1] + here[1] + down[-1] + down[0] + down[1];
            *at(next, i, j) = alive == 3 || (alive == 2 && *here);
        }
    cell *kept = now;
    now = next;
    next = kept;
}

static cell *new_cells(size_t count)
{
    cell *cells = calloc(count, 1);
    if (cells == NULL)
        bsp_abort("life: no memory for %lu cells\n", (unsigned long)count);
    bsp_push_reg(cells, (int)count);
    return cells;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), content;
    bsp_push_reg(sizes, sizeof sizes);
    bsp_sync();
    bsp_get(0, sizes, 0, sizes, sizeof sizes);
    bsp_sync();

    for (M = 1; (M + 1) * (M + 1) <= p; M++)
        ;
    while (p % M != 0)
        M--;
    N = p / M;
    s = bsp_pid() / N;
    t = bsp_pid() % N;
    if (M > sizes[0] || N > sizes[1])
        bsp_abort("life: %d x %d cells are too few for %d x %d processors\n", sizes[0], sizes[1], M, N);
    int row = begin_of(s, M, sizes[0]), first = begin_of(t, N, sizes[1]);
    r = begin_of(s + 1, M, sizes[0]) - row;
    c = begin_of(t + 1, N, sizes[1]) - first;
    width = c + 2;
    now = new_cells((size_t)(r + 2) * width);
    next = new_cells((size_t)(r + 2) * width);
    from_left = new_cells(r);
    from_right = new_cells(r);
    column = new_cells(r);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++)
            *at(now, i, j) = (cell)is_alive_at_first(row + i, first + j);
    bsp_sync();

    double begin = bsp_time();
    for (int k = 0; k < sizes[2]; k++)
        generation();
    double passed = bsp_time() - begin;

    int moved = sizes[2] / 4, alive = 0;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            int was_row = ((row + i - moved) % sizes[0] + sizes[0]) % sizes[0];
            int was_column = ((first + j - moved) % sizes[1] + sizes[1]) % sizes[1];
            right &= *at(now, i, j) == is_alive_at_first(was_row, was_column);
            alive += *at(now, i, j);
        }
    if (right)
        bsp_send(0, NULL, &alive, sizeof alive);
    bsp_sync();
    if (bsp_pid() == 0) {
        bsp_qsize(&content, NULL);
        right = content == p;
        for (alive = 0; content > 0; content--) {
            int there;
            bsp_move(&there, sizeof there);
            alive += there;
        }
        printf("life: %d x %d cells, %d alive, %d generations, %d x %d processors: %.1f us each\n",
               sizes[0], sizes[1], alive, sizes[2], M, N, sizes[2] ? 1e6 * passed / sizes[2] : 0);
        puts(right ? "life: all gliders are where they belong" : "life: WRONG");
    }
    bsp_end();
    free(now);
    free(next);
    free(from_left);
    free(from_right);
    free(column);
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    for (int i = 1; i < argc && i <= 3; i++)
        sizes[i - 1] = atoi(argv[i]);
    if (argc > 4 || sizes[0] < 8 || sizes[1] < 8 || sizes[0] % 8 || sizes[1] % 8 || sizes[2] < 0
        || sizes[2] % 4 || (long)sizes[0] * sizes[1] > 1000000000) {
        fputs("usage: life [ROWS [COLUMNS [GENERATIONS]]]; rows and columns are multiples of 8,\n"
              "generations of 4\n",
              stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
