/*
 * filter.c: rows whose values are among the lowest.
 */
#include "relation.h"

#include <string.h>

struct relation filter_low(struct relation *relation, int column, int percent)
{
    bspsort(relation, column);
    long last = relation->total * percent / 100 - relation_before();
    struct relation low = relation_new(relation->columns, last < 0 ? 0 : last < relation->rows ? last : relation->rows);
    memcpy(low.cells, relation->cells, (size_t)low.rows * (size_t)low.columns * sizeof(cell));
    relation_count(&low);
    return low;
}
