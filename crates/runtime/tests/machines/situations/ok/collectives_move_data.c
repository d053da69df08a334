/* Broadcast, gather, scatter, all-gather, total exchange, with every root. */
#include "situation.h"

void situation_collectives_move_data(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int row[64], mine[64], value;
    for (int root = 0; root < p; root++) {
        value = me == root ? 70 + root : -1;
        bsp_bcast(all, root, &value, &value, sizeof value);
        CHECK_EQUAL(value, 70 + root);
        value = 10 * me;
        memset(row, 0, sizeof row);
        bsp_gather(all, root, &value, row, sizeof value);
        for (int i = 0; i < p; i++)
            CHECK_EQUAL(row[i], me == root ? 10 * i : 0);
        for (int i = 0; i < p; i++)
            row[i] = me == root ? 100 + i : -1;
        bsp_scatter(all, root, row, &value, sizeof value);
        CHECK_EQUAL(value, 100 + me);
    }
    value = 3 * me;
    bsp_allgather(all, &value, row, sizeof value);
    for (int i = 0; i < p; i++) {
        CHECK_EQUAL(row[i], 3 * i);
        mine[i] = 100 * me + i;
    }
    bsp_total_exchange(all, mine, row, sizeof *row);
    for (int i = 0; i < p; i++)
        CHECK_EQUAL(row[i], 100 * i + me);
    bsp_bcast(all, p - 1, NULL, NULL, 0);
}
