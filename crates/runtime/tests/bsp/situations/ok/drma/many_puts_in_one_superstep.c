/* Ten thousand puts of a few bytes to each processor. */
#include "situation.h"

void situation_many_puts_in_one_superstep(void)
{
    enum { COUNT = 10000 };
    int *v = calloc(COUNT, sizeof *v);
    bsp_push_reg(v, COUNT * sizeof *v);
    bsp_sync();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) {
            int value = round * COUNT + i + me();
            bsp_put((right() + i) % procs(), &value, v, i * sizeof value, sizeof value);
        }
        bsp_sync();
        for (int i = 0; i < COUNT; i++) {
            int from = ((me() - 1 - i) % procs() + procs()) % procs();
            CHECK_EQUAL(v[i], round * COUNT + i + from);
        }
        bsp_sync();
    }
    bsp_pop_reg(v);
    bsp_sync();
    free(v);
}
