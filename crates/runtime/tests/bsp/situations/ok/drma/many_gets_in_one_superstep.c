/* Ten thousand gets of a few bytes. */
#include "situation.h"

void situation_many_gets_in_one_superstep(void)
{
    enum { COUNT = 10000 };
    int *v = malloc(COUNT * sizeof *v), *got = calloc(COUNT, sizeof *got);
    for (int i = 0; i < COUNT; i++)
        v[i] = 3 * i + me();
    bsp_push_reg(v, COUNT * sizeof *v);
    bsp_sync();
    for (int i = 0; i < COUNT; i++)
        bsp_get((me() + i) % procs(), v, i * sizeof *v, &got[COUNT - 1 - i], sizeof *v);
    bsp_sync();
    for (int i = 0; i < COUNT; i++)
        CHECK_EQUAL(got[COUNT - 1 - i], 3 * i + (me() + i) % procs());
    bsp_pop_reg(v);
    bsp_sync();
    free(v);
    free(got);
}
