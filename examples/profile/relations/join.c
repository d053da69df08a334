/*
 * join.c: rows of two relations side by side.
 */
#include "inside.h"

#include <bsp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A row of a sorted union: its order, which puts the right row of a value before the left ones, and its cells. */
enum { ORDER, CELLS };

static void put_in(struct relation *all, long at, const struct relation *rows, int key, int after)
{
    for (long k = 0; k < rows->rows; k++) {
        cell *to = relation_row(all, at + k);
        const cell *from = relation_row(rows, k);
        to[ORDER] = 2 * from[key] + after;
        memcpy(to + CELLS, from, (size_t)rows->columns * sizeof(cell));
    }
}

/* The last right row before this processor's rows, to `to`: each tells its own, if it has one, to all. */
static int last_before(const struct relation *all, cell *to)
{
    int p = bsp_nprocs(), s = bsp_pid(), found = 0;
    size_t width = (size_t)all->columns * sizeof(cell);
    cell *mine = inside_new(all->columns + 1, sizeof *mine);
    for (long k = 0; k < all->rows; k++)
        if (relation_row(all, k)[ORDER] % 2 == 0) {
            mine[0] = 1;
            memcpy(mine + 1, relation_row(all, k), width);
        }
    for (int q = 0; q < p; q++)
        bsp_send(q, NULL, mine, (int)(width + sizeof *mine));
    bsp_sync();
    for (int q = 0; q < p; q++) {
        void *data;
        inside_message(&data);
        const cell *of = data;
        if (q < s && of[0]) {
            memcpy(to, of + 1, width);
            found = 1;
        }
    }
    free(mine);
    return found;
}

struct relation join_equal(const struct relation *left, int key, const struct relation *right, int other)
{
    int wide = left->columns > right->columns ? left->columns : right->columns;
    struct relation all = relation_new(CELLS + wide, left->rows + right->rows);
    all.total = left->total + right->total;
    put_in(&all, 0, right, other, 0);
    put_in(&all, right->rows, left, key, 1);
    bspsort(&all, ORDER);
    cell *before = inside_new(all.columns, sizeof *before);
    const cell *last = last_before(&all, before) ? before : NULL;
    struct relation joined = relation_new(left->columns + right->columns, all.rows);
    joined.rows = 0;
    for (long k = 0; k < all.rows; k++) {
        const cell *row = relation_row(&all, k);
        if (row[ORDER] % 2 == 0) {
            last = row;
        } else if (last != NULL && last[ORDER] + 1 == row[ORDER]) {
            cell *to = relation_row(&joined, joined.rows++);
            memcpy(to, row + CELLS, (size_t)left->columns * sizeof(cell));
            memcpy(to + left->columns, last + CELLS, (size_t)right->columns * sizeof(cell));
        }
    }
    relation_free(&all);
    free(before);
    relation_count(&joined);
    return joined;
}

/* All rows of a small relation, on every processor. */
static struct relation everywhere(const struct relation *small)
{
    int p = bsp_nprocs();
    long bytes = small->rows * small->columns * (long)sizeof(cell);
    if (bytes > INT_MAX)
        bsp_abort("relations: %ld rows are too many to be everywhere\n", small->rows);
    for (int q = 0; q < p; q++)
        bsp_send(q, NULL, small->cells, (int)bytes);
    bsp_sync();
    struct relation whole = relation_new(small->columns, small->total);
    char *to = (char *)whole.cells;
    for (int q = 0; q < p; q++) {
        void *data;
        long size = inside_message(&data);
        memcpy(to, data, (size_t)size);
        to += size;
    }
    return whole;
}

struct relation join_less(const struct relation *left, int column, const struct relation *right,
                          int other)
{
    struct relation whole = everywhere(left);
    long pairs = 0;
    for (long k = 0; k < right->rows; k++)
        for (long i = 0; i < whole.rows; i++)
            pairs += relation_row(&whole, i)[column] < relation_row(right, k)[other];
    struct relation joined = relation_new(left->columns + right->columns, pairs);
    joined.rows = 0;
    for (long k = 0; k < right->rows; k++)
        for (long i = 0; i < whole.rows; i++) {
            const cell *a = relation_row(&whole, i), *b = relation_row(right, k);
            if (a[column] < b[other]) {
                cell *to = relation_row(&joined, joined.rows++);
                memcpy(to, a, (size_t)left->columns * sizeof(cell));
                memcpy(to + left->columns, b, (size_t)right->columns * sizeof(cell));
            }
        }
    relation_free(&whole);
    relation_count(&joined);
    return joined;
}
