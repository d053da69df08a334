/* Several pieces from each processor, over and over: where destinations overlap, the highest processor's
 * stays, and of one processor's the last. */
#include "situation.h"

void situation_the_same_is_got_by_all_from_all(void)
{
    int p = procs(), area[4], *got = calloc((size_t)p * 4 + 1, sizeof *got), last[3];
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int round = 0; round < 7; round++) {
        for (int i = 0; i < 4; i++)
            area[i] = 100 * round + 10 * me() + i;
        for (int from = 0; from < p; from++) {
            if (from == me() && round < 6)
                continue; /* at home another way */
            for (int i = 3; i >= 0; i--)
                bsp_get((bsp_pid_t)from, area, (bsp_size_t)(i * (int)sizeof *area),
                        &got[4 * from + i], sizeof *got);
            bsp_get((bsp_pid_t)from, area, 0, last, 2 * sizeof *last);
            bsp_get((bsp_pid_t)from, area, 0, &last[1], 2 * sizeof *last);
        }
        bsp_sync();
        for (int from = 0; from < p; from++)
            for (int i = 0; i < 4 && (from != me() || round == 6); i++)
                CHECK_EQUAL(got[4 * from + i], 100 * round + 10 * from + i);
        int highest = round < 6 && me() == p - 1 ? p - 2 : p - 1;
        if (highest >= 0) {
            CHECK_EQUAL(last[0], 100 * round + 10 * highest);
            CHECK_EQUAL(last[1], 100 * round + 10 * highest);
            CHECK_EQUAL(last[2], 100 * round + 10 * highest + 1);
        }
    }
    bsp_pop_reg(area);
    bsp_sync();
    free(got);
}
