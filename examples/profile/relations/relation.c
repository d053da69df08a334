/*
 * relation.c: rows, how many there are, and where they lie.
 */
#include "inside.h"

#include <bsp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static long before;

void *inside_new(long count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL)
        bsp_abort("relations: no memory for %ld times %lu bytes\n", count, (unsigned long)size);
    return memory;
}

long inside_message(void **data)
{
    void *tag;
    long bytes = bsp_hpmove(&tag, data);
    if (bytes < 0)
        bsp_abort("relations: a message is missing\n");
    return bytes;
}

struct relation relation_new(int columns, long rows)
{
    struct relation relation = { columns, rows, 0, NULL };
    relation.cells = inside_new(rows * columns, sizeof(cell));
    return relation;
}

void relation_free(struct relation *relation)
{
    free(relation->cells);
    relation->cells = NULL;
    relation->rows = 0;
}

cell *relation_row(const struct relation *relation, long row)
{
    return relation->cells + row * relation->columns;
}

void relation_count(struct relation *relation)
{
    int p = bsp_nprocs(), s = bsp_pid();
    int64_t rows = relation->rows;
    for (int q = 0; q < p; q++)
        bsp_send(q, NULL, &rows, sizeof rows);
    bsp_sync();
    before = relation->total = 0;
    for (int q = 0; q < p; q++) {
        void *data;
        inside_message(&data);
        memcpy(&rows, data, sizeof rows);
        before += q < s ? rows : 0;
        relation->total += rows;
    }
}

long relation_before(void)
{
    return before;
}

/* Sends rows to a processor. */
static void send_rows(int to, const struct relation *relation, long from, long rows)
{
    long bytes = rows * relation->columns * (long)sizeof(cell);
    if (bytes > INT_MAX)
        bsp_abort("relations: %ld rows are too many for a message\n", rows);
    if (rows > 0)
        bsp_send(to, NULL, relation_row(relation, from), (int)bytes);
}

/* The rows that have come, in the order of their senders. */
static struct relation received(int columns, long total)
{
    int messages;
    int bytes;
    bsp_qsize(&messages, &bytes);
    struct relation relation = relation_new(columns, bytes / (columns * (long)sizeof(cell)));
    char *to = (char *)relation.cells;
    for (int k = 0; k < messages; k++) {
        void *data;
        long size = inside_message(&data);
        memcpy(to, data, (size_t)size);
        to += size;
    }
    relation.total = total;
    return relation;
}

void relation_balance(struct relation *relation)
{
    int p = bsp_nprocs();
    relation_count(relation);
    for (int q = 0; q < p; q++) {
        /* Rows of processor q, by their number among all, and those of them that are here. */
        long low = relation->total * q / p - before, high = relation->total * (q + 1) / p - before;
        low = low < 0 ? 0 : low;
        high = high > relation->rows ? relation->rows : high;
        send_rows(q, relation, low, high - low);
    }
    bsp_sync();
    struct relation balanced = received(relation->columns, relation->total);
    relation_free(relation);
    *relation = balanced;
}

struct relation relation_gather(const struct relation *relation)
{
    send_rows(0, relation, 0, relation->rows);
    bsp_sync();
    return received(relation->columns, relation->total);
}
