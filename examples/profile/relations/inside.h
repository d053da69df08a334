/*
 * inside.h: what the parts of the relations' library share.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "relation.h"

#include <stddef.h>

/* A row's place in an order: by key, then by where it came from. */
struct place {
    cell key;
    int64_t from;
};

/* Memory, or the program ends. */
void *inside_new(long count, size_t size);
int place_order(const void *a, const void *b);
/* Sorts equally many places on each processor by a bitonic network over all processors. */
void bitonic_sort(struct place *block, int count);
/* Takes the next message, which lies where it came to until the next bsp_sync; returns its bytes. */
long inside_message(void **data);

#endif
