/*
 * sort.c: rows sorted by a sample, in seven stages, with the sample taken in four ways.
 *
 * Shows: how a profile leads from a sort that is quick by the clock to one that is balanced. With a small
 * sample that served in experiments the parts are unequal, in the exchange and in the merge after it; with
 * the sample that theory asks for they are equal, but processor 0 collects and sorts it; sorted by all
 * processors in a bitonic network nothing is left to one of them; and a regular sample can be small.
 *
 *   cd examples/profile
 *   cll cc -O2 -g sort.c relations/[a-z]*.c -o sort -lm
 *   cll run -n 16 --log ./sort 100000 experiment
 *   cll profile show sort.cll.0.log --path imbalance:h-relation
 */
#include "relations/relation.h"

#include <bsp.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 12

static const char *const ways[] = { "experiment", "theory", "network", "regular" };

/* Rows in all, and how to sample; on processor 0 until the others have got them. */
static int asked[2] = { 100000, BY_EXPERIMENT };
static int right = 1;

/* Rows that look like chance; the sum of all their cells must not change. */
static struct relation rows_here(long n, int p, int s, int64_t *sum)
{
    struct relation rows = relation_new(COLUMNS, n * (s + 1) / p - n * s / p);
    uint64_t state = 2002 + 77777 * (uint64_t)s;
    for (long k = 0; k < rows.rows * COLUMNS; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        rows.cells[k] = (cell)(state >> 33);
        *sum += rows.cells[k];
    }
    rows.total = n;
    return rows;
}

struct account {
    int64_t before, after, rows, first, last, in_order;
};

static int is_sorted(const struct account *of, int p, long n)
{
    int64_t before = 0, after = 0, rows = 0, last = INT64_MIN;
    int good = 1;
    for (int q = 0; q < p; q++) {
        before += of[q].before;
        after += of[q].after;
        rows += of[q].rows;
        good &= of[q].in_order && (of[q].rows == 0 || of[q].first >= last);
        last = of[q].rows > 0 ? of[q].last : last;
    }
    return good && before == after && rows == n;
}

static void check(const struct relation *rows, struct account mine, long n, double passed)
{
    int p = bsp_nprocs(), s = bsp_pid();
    mine.rows = rows->rows;
    mine.in_order = 1;
    for (long k = 0; k < rows->rows * COLUMNS; k++)
        mine.after += rows->cells[k];
    for (long k = 1; k < rows->rows; k++)
        mine.in_order &= relation_row(rows, k - 1)[0] <= relation_row(rows, k)[0];
    if (rows->rows > 0) {
        mine.first = relation_row(rows, 0)[0];
        mine.last = relation_row(rows, rows->rows - 1)[0];
    }
    bsp_send(0, NULL, &mine, sizeof mine);
    bsp_sync();
    if (s > 0)
        return;
    struct account *all = calloc((size_t)p, sizeof *all);
    int64_t largest = 0;
    for (int q = 0; q < p && all != NULL; q++) {
        bsp_move(&all[q], sizeof *all);
        largest = all[q].rows > largest ? all[q].rows : largest;
    }
    right = all != NULL && is_sorted(all, p, n);
    printf("sort: %ld rows, sample by %s: %.1f ms; the largest part is %.2f of the mean\n", n,
           ways[sampling], 1e3 * passed, n > 0 ? (double)largest * p / (double)n : 1.0);
    puts(right ? "sort: sorted" : "sort: WRONG");
    free(all);
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid();
    bsp_push_reg(asked, sizeof asked);
    bsp_sync();
    bsp_get(0, asked, 0, asked, sizeof asked);
    bsp_sync();
    sampling = (enum sampling)asked[1];
    struct account mine = { 0 };
    struct relation rows = rows_here(asked[0], p, s, &mine.before);
    bsp_sync();
    double begin = bsp_time();
    bspsort(&rows, 0);
    check(&rows, mine, asked[0], bsp_time() - begin);
    relation_free(&rows);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    int known = argc <= 2;
    if (argc > 1)
        asked[0] = atoi(argv[1]);
    for (int k = 0; argc == 3 && k < 4; k++)
        if (strcmp(argv[2], ways[k]) == 0) {
            asked[1] = k;
            known = 1;
        }
    if (!known || asked[0] < 0 || asked[0] > 100000000) {
        fputs("usage: sort [ROWS [experiment | theory | network | regular]]\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
