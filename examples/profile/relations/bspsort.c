/*
 * bspsort.c: sorting by a sample, in seven stages.
 *
 * 1 each processor sorts its rows; 2 takes a sample, which is collected by processor 0; 3 that sorts it and
 * picks regular pivots; 4 all are told the pivots; 5 each cuts its rows by them; 6 sends each part to where
 * it belongs; 7 merges what it has got. Equal keys are told apart by where they came from, so that also a
 * value that most rows have is cut evenly.
 */
#include "inside.h"

#include <bsp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum sampling sampling = BY_EXPERIMENT;

int place_order(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->key != y->key)
        return (x->key > y->key) - (x->key < y->key);
    return (x->from > y->from) - (x->from < y->from);
}

/* Where a row of this processor comes from. */
static int64_t origin(int s, long row)
{
    return (int64_t)s << 40 | row;
}

/* Rows in the order of their places; `from` of a place is the row's number here. */
static void arrange(struct relation *relation, const struct place *order)
{
    size_t width = (size_t)relation->columns * sizeof(cell);
    struct relation sorted = relation_new(relation->columns, relation->rows);
    for (long k = 0; k < relation->rows; k++)
        memcpy(relation_row(&sorted, k), relation_row(relation, (long)order[k].from), width);
    free(relation->cells);
    relation->cells = sorted.cells;
}

/* Stage 1. */
static void sort_here(struct relation *relation, int column)
{
    long n = relation->rows;
    struct place *order = inside_new(n, sizeof *order);
#pragma cll local local[0] + local[1]*n + local[2]*n*log(n)
    for (long k = 0; k < n; k++)
        order[k] = (struct place){ relation_row(relation, k)[column], k };
    qsort(order, (size_t)n, sizeof *order, place_order);
    arrange(relation, order);
#pragma cll end local
    free(order);
}

/* Rows of each processor's sample, the same on all. By theory (Chernoff's bound), pn parts in all are none
 * of them a fifth too large with k rows in the sample for each if k = 3 ln(pn) / 0.2^2. */
static int sample_size(long total)
{
    int p = bsp_nprocs();
    double all = (double)total / p, size = p;
    if (sampling == BY_THEORY || sampling == BY_NETWORK)
        size = 3 * log((double)p * (double)total) / 0.04;
    else if (sampling == REGULAR)
        size = 8.0 * p;
    size = size > all ? all : size;
    return size < 1 ? 1 : (int)size;
}

static uint64_t chance(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Stage 2: rows by chance, none twice as long as there are enough; or one of each stretch. */
static void take_sample(struct place *sample, int size, const struct relation *relation, int column)
{
    static uint64_t state;
    int s = bsp_pid();
    long n = relation->rows, taken = 0;
    if (state == 0)
        state = 2002 + 77777 * (uint64_t)s;
    for (long k = 0; k < size; k++) {
        long row;
        if (n == 0) {
            /* Nothing to show; at the end it does no harm. */
            sample[k] = (struct place){ INT64_MAX, INT64_MAX };
            continue;
        }
        if (n < size || sampling == REGULAR) {
            long low = n * k / size, high = n * (k + 1) / size;
            row = high > low ? low + (long)(chance(&state) % (uint64_t)(high - low)) : low;
        } else {
            /* The k-th of `size` out of n, each set of rows as likely as any other. */
            while ((long)(chance(&state) % (uint64_t)(n - taken)) >= size - k)
                taken++;
            row = taken++;
        }
        sample[k] = (struct place){ relation_row(relation, row)[column], origin(s, row) };
    }
}

/* Stages 2 to 4 by way of processor 0. */
static void pivots_of_one(struct place *sample, int size, struct place *pivots)
{
    int p = bsp_nprocs(), s = bsp_pid();
    bsp_send(0, NULL, sample, size * (int)sizeof *sample);
    bsp_sync(); /* stage 2: the sample goes to one processor */
    if (s == 0) {
        struct place *all = inside_new((long)p * size, sizeof *all);
        for (int q = 0; q < p; q++) {
            void *data;
            inside_message(&data);
            memcpy(all + (long)q * size, data, (size_t)size * sizeof *all);
        }
        qsort(all, (size_t)p * (size_t)size, sizeof *all, place_order);
        for (int q = 1; q < p; q++)
            pivots[q - 1] = all[(long)q * size];
        for (int q = 0; q < p; q++)
            bsp_send(q, NULL, pivots, (p - 1) * (int)sizeof *pivots);
        free(all);
    }
    bsp_sync(); /* stage 4: the pivots go to all, when stage 3 has sorted the sample */
    void *data;
    inside_message(&data);
    memcpy(pivots, data, (size_t)(p - 1) * sizeof *pivots);
}

/* Stages 2 to 4 by all processors: the pivots are where the blocks of the sorted sample begin. */
static void pivots_of_all(struct place *sample, int size, struct place *pivots)
{
    int p = bsp_nprocs();
    bitonic_sort(sample, size);
    for (int q = 0; q < p; q++)
        bsp_send(q, NULL, sample, sizeof *sample);
    bsp_sync(); /* stage 4: each tells its pivot */
    for (int q = 0; q < p; q++) {
        void *data;
        inside_message(&data);
        if (q > 0)
            memcpy(&pivots[q - 1], data, sizeof *pivots);
    }
}

/* The first row that does not lie before a pivot. */
static long cut(const struct relation *relation, int column, struct place pivot)
{
    int s = bsp_pid();
    long low = 0, high = relation->rows;
    while (low < high) {
        long middle = low + (high - low) / 2;
        struct place here = { relation_row(relation, middle)[column], origin(s, middle) };
        if (place_order(&here, &pivot) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Merges sorted runs in pairs until one is left, which lies in `order` or in `room`. */
static struct place *merge_runs(struct place *order, struct place *room, long *ends, int runs)
{
    for (; runs > 1; runs = (runs + 1) / 2) {
        for (int k = 0; k < runs; k += 2) {
            long a = ends[k], middle = ends[k + 1], high = k + 1 < runs ? ends[k + 2] : middle;
            long b = middle, to = a;
            ends[k / 2] = a;
            while (a < middle && b < high)
                room[to++] = order[a].key <= order[b].key ? order[a++] : order[b++];
            memcpy(room + to, order + a, (size_t)(middle - a) * sizeof *room);
            memcpy(room + to + (middle - a), order + b, (size_t)(high - b) * sizeof *room);
            ends[k / 2 + 1] = high;
        }
        struct place *kept = order;
        order = room;
        room = kept;
    }
    return order;
}

/* Stage 7: one run from each processor. */
static void merge_here(struct relation *relation, int column)
{
    int runs, bytes;
    bsp_qsize(&runs, &bytes);
    size_t width = (size_t)relation->columns * sizeof(cell);
    long n = bytes / (long)width;
    struct relation merged = relation_new(relation->columns, n);
    struct place *order = inside_new(n, sizeof *order), *room = inside_new(n, sizeof *room);
    long *ends = inside_new(runs + 1, sizeof *ends);
    for (int k = 0; k < runs; k++) {
        void *data;
        long size = inside_message(&data) / (long)width;
        memcpy(relation_row(&merged, ends[k]), data, (size_t)size * width);
        ends[k + 1] = ends[k] + size;
    }
#pragma cll merge merge[0] + merge[1]*n*log(runs + 1)
    for (long k = 0; k < n; k++)
        order[k] = (struct place){ relation_row(&merged, k)[column], k };
    struct place *sorted = merge_runs(order, room, ends, runs);
    arrange(&merged, sorted);
#pragma cll end merge
    free(order);
    free(room);
    free(ends);
    merged.total = relation->total;
    relation_free(relation);
    *relation = merged;
}

void bspsort(struct relation *relation, int column)
{
    int p = bsp_nprocs(), size = sample_size(relation->total);
    struct place *sample = inside_new(size, sizeof *sample), *pivots = inside_new(p, sizeof *pivots);
    sort_here(relation, column);
    take_sample(sample, size, relation, column);
    if (sampling == BY_NETWORK || sampling == REGULAR)
        pivots_of_all(sample, size, pivots);
    else
        pivots_of_one(sample, size, pivots);
    long from = 0;
    for (int q = 0; q < p; q++) {
        long to = q == p - 1 ? relation->rows : cut(relation, column, pivots[q]);
        long bytes = (to - from) * relation->columns * (long)sizeof(cell);
        if (bytes > INT32_MAX)
            bsp_abort("relations: %ld rows are too many for a message\n", to - from);
        bsp_send(q, NULL, relation_row(relation, from), (int)bytes);
        from = to;
    }
    bsp_sync(); /* stage 6: each row to its processor */
    merge_here(relation, column);
    relation_count(relation); /* its bsp_sync ends stage 7 */
    free(sample);
    free(pivots);
}
