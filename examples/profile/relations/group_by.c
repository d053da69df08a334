/*
 * group_by.c: the rows with one value in a column become one row.
 *
 * The rows are sorted, so that those of a value lie together; a group that begins on one processor and ends
 * on a later one is the first one's, who is told the others' sums. Cost: that of the sort, and 40(p-1)g + l.
 */
#include "inside.h"

#include <bsp.h>
#include <stdlib.h>
#include <string.h>

/* The ends of a processor's groups. */
struct ends {
    int64_t groups;
    cell first, first_sum, last, last_sum;
};

static struct relation sums(const struct relation *rows, int key, int sum)
{
    struct relation groups = relation_new(2, rows->rows);
    groups.rows = 0;
    for (long k = 0; k < rows->rows; k++) {
        const cell *row = relation_row(rows, k);
        if (k == 0 || relation_row(&groups, groups.rows - 1)[0] != row[key]) {
            cell *group = relation_row(&groups, groups.rows++);
            group[0] = row[key];
            group[1] = 0;
        }
        relation_row(&groups, groups.rows - 1)[1] += row[sum];
    }
    return groups;
}

struct relation group_by(struct relation *relation, int key, int sum)
{
    int p = bsp_nprocs(), s = bsp_pid();
    bspsort(relation, key);
    struct relation groups = sums(relation, key, sum);
    struct ends mine = { groups.rows, 0, 0, 0, 0 }, *all = inside_new(p, sizeof *all);
    if (groups.rows > 0) {
        const cell *first = relation_row(&groups, 0), *last = relation_row(&groups, groups.rows - 1);
        mine = (struct ends){ groups.rows, first[0], first[1], last[0], last[1] };
    }
    for (int q = 0; q < p; q++)
        bsp_send(q, NULL, &mine, sizeof mine);
    bsp_sync();
    for (int q = 0; q < p; q++) {
        void *data;
        inside_message(&data);
        memcpy(&all[q], data, sizeof *all);
    }
    /* What goes on after this processor is added to its last group ... */
    for (int q = s + 1; groups.rows > 0 && q < p; q++) {
        if (all[q].groups > 0 && all[q].first == mine.last)
            relation_row(&groups, groups.rows - 1)[1] += all[q].first_sum;
        if (all[q].groups > 1 || (all[q].groups == 1 && all[q].first != mine.last))
            break;
    }
    /* ... and what began before it is not its own. */
    int q = s - 1;
    while (q >= 0 && all[q].groups == 0)
        q--;
    if (q >= 0 && groups.rows > 0 && all[q].last == mine.first)
        memmove(groups.cells, relation_row(&groups, 1), (size_t)(--groups.rows) * 2 * sizeof(cell));
    free(all);
    relation_count(&groups);
    return groups;
}
