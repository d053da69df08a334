/*
 * relation.h: relations of a database that are spread over the processors of a BSP program.
 *
 * Each processor has some of the rows, in no order that is of all. A row is a number of cells. All functions
 * are called by all processors, and end their supersteps themselves; costs are for n rows of w bytes in all
 * that are spread evenly.
 */
#ifndef RELATION_H
#define RELATION_H

#include <stdint.h>

typedef int64_t cell;

/* What a processor has of a relation. */
struct relation {
    int columns;
    long rows;  /* here */
    long total; /* on all processors */
    cell *cells;
};

/* How the sort finds out where to cut: how large a sample it takes, of what, and who sorts it. */
enum sampling {
    BY_EXPERIMENT, /* p random rows of each processor, sorted by processor 0 */
    BY_THEORY,     /* as many as make a part that is a fifth too large unlikely, sorted by processor 0 */
    BY_NETWORK,    /* as many, sorted by all processors in a bitonic network */
    REGULAR        /* one of each of 8p stretches of the sorted rows, sorted by all processors */
};

extern enum sampling sampling;

/* Room for rows; no communication. */
struct relation relation_new(int columns, long rows);
void relation_free(struct relation *relation);
cell *relation_row(const struct relation *relation, long row);

/* Tells every processor how many rows there are. Cost: 8(p-1)g + l. */
void relation_count(struct relation *relation);
/* The number of rows on the processors before this one; as the last function left them. */
long relation_before(void);

/* Spreads the rows evenly: row k of all goes to processor kp/n. Cost: at most nwg + 2l. */
void relation_balance(struct relation *relation);
/* Processor 0 gets all rows, the others none. Cost: nwg + l. */
struct relation relation_gather(const struct relation *relation);

/* Sorts by a column: processor 0 has the least, and each has its rows in order. */
void bspsort(struct relation *relation, int column);

/* One row for each value of the column `key`: the value, and the sum of the column `sum`. */
struct relation group_by(struct relation *relation, int key, int sum);
/* Rows of both where two columns are equal; no value is twice in `right`. The right row follows the left. */
struct relation join_equal(const struct relation *left, int key, const struct relation *right, int other);
/* Rows of both where the column of `left` is less than that of `right`; `left` is small. */
struct relation join_less(const struct relation *left, int column, const struct relation *right,
                          int other);
/* The rows whose column is among the lowest `percent` % of all. */
struct relation filter_low(struct relation *relation, int column, int percent);

#endif
