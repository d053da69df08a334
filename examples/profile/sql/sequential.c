/*
 * sequential.c: what the queries have to give, found in the plainest way by one processor.
 */
#include "sql.h"

#include <stdlib.h>
#include <string.h>

static struct relation sums(const struct relation *rows, int key, int sum, cell values)
{
    struct relation groups = relation_new(2, values);
    char *seen = calloc((size_t)values + 1, 1);
    for (long k = 0; k < rows->rows; k++) {
        const cell *row = relation_row(rows, k);
        cell *group = relation_row(&groups, row[key]);
        group[0] = row[key];
        group[1] += row[sum];
        seen[row[key]] = 1;
    }
    groups.rows = 0;
    for (cell value = 0; value < values; value++)
        if (seen[value])
            memmove(relation_row(&groups, groups.rows++), relation_row(&groups, value), 2 * sizeof(cell));
    free(seen);
    return groups;
}

/* Pairs for which the left value is equal to the right one, or less than it. */
static struct relation pairs(const struct relation *left, int column, const struct relation *right, int other,
                             int less)
{
    struct relation joined = relation_new(left->columns + right->columns, 0);
    for (int counting = 1; counting >= 0; counting--) {
        joined.rows = 0;
        for (long i = 0; i < left->rows; i++)
            for (long k = 0; k < right->rows; k++) {
                const cell *a = relation_row(left, i), *b = relation_row(right, k);
                if (less ? a[column] >= b[other] : a[column] != b[other])
                    continue;
                if (!counting) {
                    cell *to = relation_row(&joined, joined.rows);
                    memcpy(to, a, (size_t)left->columns * sizeof(cell));
                    memcpy(to + left->columns, b, (size_t)right->columns * sizeof(cell));
                }
                joined.rows++;
            }
        if (counting) {
            long rows = joined.rows;
            relation_free(&joined);
            joined = relation_new(left->columns + right->columns, rows);
        }
    }
    return joined;
}

static int columns, by;

static int order(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (by >= 0 && x[by] != y[by])
        return (x[by] > y[by]) - (x[by] < y[by]);
    for (int k = 0; k < columns; k++)
        if (x[k] != y[k])
            return (x[k] > y[k]) - (x[k] < y[k]);
    return 0;
}

static void sort(struct relation *relation, int column)
{
    columns = relation->columns;
    by = column;
    qsort(relation->cells, (size_t)relation->rows, (size_t)columns * sizeof(cell), order);
}

int same_rows(struct relation *a, struct relation *b)
{
    sort(a, -1);
    sort(b, -1);
    return a->columns == b->columns && a->rows == b->rows
        && memcmp(a->cells, b->cells, (size_t)(a->rows * a->columns) * sizeof(cell)) == 0;
}

void sequentially(long records, struct relation made[QUERIES])
{
    long items = table_rows(ITEM, records), groups = table_rows(QNT, records);
    struct relation tran = table_make(TRAN, records, 0, records);
    struct relation item = table_make(ITEM, records, 0, items);
    struct relation qnt = table_make(QNT, records, 0, groups);
    made[0] = sums(&tran, TRAN_ITEM, TRAN_QUANTITY, items);
    made[1] = pairs(&made[0], 0, &item, ITEM_NUMBER, 0);
    made[2] = sums(&made[1], 2 + ITEM_GROUP, 1, groups);
    made[3] = pairs(&made[2], 0, &qnt, QNT_GROUP, 0);
    made[4] = pairs(&made[3], 2 + QNT_WANTED, &item, ITEM_STOCK, 1);
    /* Of rows with equal prices any may be among the lowest: the prices are what is determined. */
    int price = 2 + QNT_COLUMNS + ITEM_PRICE;
    sort(&made[4], price);
    made[5] = relation_new(1, made[4].rows / 100);
    for (long k = 0; k < made[5].rows; k++)
        made[5].cells[k] = relation_row(&made[4], k)[price];
    relation_free(&tran);
    relation_free(&item);
    relation_free(&qnt);
}
