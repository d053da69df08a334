/*
 * main.c: six database queries on relations that are spread over the processors.
 *
 * Shows: how a program is made balanced with a call-graph profile (docs/profiling.md tells it step by step).
 * The tables are spread unevenly, or balanced first; the sort takes its sample in four ways. What each query
 * makes is checked against a sequential computation.
 *
 *   cd examples/profile
 *   cll cc -O2 -g sql/[a-z]*.c relations/[a-z]*.c -o sql_queries -lm
 *   cll run -n 16 --log ./sql_queries 12000 unbalanced experiment
 *   cll profile show sql_queries.cll.0.log --path imbalance:h-relation
 */
#include "sql.h"

#include <bsp.h>
#include <stdlib.h>
#include <string.h>

static const char *const ways[] = { "experiment", "theory", "network", "regular" };

/* Records of TRAN, whether to balance, how to sample; on processor 0 until the others have got them. */
static int asked[3] = { 12000, 0, BY_EXPERIMENT };
static int right = 1;

/* Where the rows of processor s begin as the tables are read: the first has most, the last least. */
static long uneven(long rows, int p, int s)
{
    double left = (double)(p - s) / p;
    return rows - (long)((double)rows * left * left * (1 + 3 * left) / 4);
}

/* This processor's part of a table, as if it had read its part of a file. */
static struct relation load(enum table table, long records, int balanced)
{
    int p = bsp_nprocs(), s = bsp_pid();
    long rows = table_rows(table, records), first = uneven(rows, p, s);
    struct relation part = table_make(table, records, first, uneven(rows, p, s + 1) - first);
    if (balanced)
        relation_balance(&part);
    return part;
}

/* The answer's prices alone: which of the rows with equal prices are in it is not determined. */
static struct relation prices(const struct relation *rows)
{
    struct relation one = relation_new(1, rows->rows);
    for (long k = 0; k < rows->rows; k++)
        one.cells[k] = relation_row(rows, k)[2 + QNT_COLUMNS + ITEM_PRICE];
    return one;
}

static void check(long records, struct relation made[QUERIES])
{
    struct relation expected[QUERIES];
    if (bsp_pid() == 0)
        sequentially(records, expected);
    for (int k = 0; k < QUERIES; k++) {
        struct relation rows = k < QUERIES - 1 ? made[k] : prices(&made[k]);
        struct relation whole = relation_gather(&rows);
        if (bsp_pid() == 0) {
            int same = same_rows(&whole, &expected[k]);
            printf("%s%d: %ld rows%s\n", k < QUERIES - 1 ? "TEMP" : "answer ", k + 1, whole.rows,
                   same ? "" : ": WRONG");
            right &= same;
            relation_free(&expected[k]);
        }
        relation_free(&whole);
        if (k == QUERIES - 1)
            relation_free(&rows);
    }
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_push_reg(asked, sizeof asked);
    bsp_sync();
    bsp_get(0, asked, 0, asked, sizeof asked);
    bsp_sync();
    long records = asked[0];
    sampling = (enum sampling)asked[2];
    struct relation tran = load(TRAN, records, asked[1]);
    struct relation item = load(ITEM, records, asked[1]);
    struct relation qnt = load(QNT, records, asked[1]);
    struct relation made[QUERIES];
    bsp_sync();
    double begin = bsp_time();
    sql_process(&tran, &item, &qnt, made);
    double passed = bsp_time() - begin;
    check(records, made);
    if (bsp_pid() == 0) {
        printf("sql_queries: %ld records, %s, sample by %s: %.2f ms\n", records,
               asked[1] ? "balanced" : "unbalanced", ways[sampling], 1e3 * passed);
        puts(right ? "sql_queries: right" : "sql_queries: WRONG");
    }
    for (int k = 0; k < QUERIES; k++)
        relation_free(&made[k]);
    relation_free(&tran);
    relation_free(&item);
    relation_free(&qnt);
    bsp_end();
}

/* The number of a word among others, or -1. */
static int which(const char *word, const char *const *words, int count)
{
    for (int k = 0; k < count; k++)
        if (strcmp(word, words[k]) == 0)
            return k;
    return -1;
}

int main(int argc, char **argv)
{
    static const char *const spread[] = { "unbalanced", "balanced" };
    bsp_init(spmd, argc, argv);
    if (argc > 1)
        asked[0] = atoi(argv[1]);
    if (argc > 2)
        asked[1] = which(argv[2], spread, 2);
    if (argc > 3)
        asked[2] = which(argv[3], ways, 4);
    if (argc > 4 || asked[0] < 1 || asked[0] > 10000000 || asked[1] < 0 || asked[2] < 0) {
        fputs("usage: sql_queries [RECORDS [unbalanced | balanced [experiment | theory | network | regular]]]\n",
              stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
