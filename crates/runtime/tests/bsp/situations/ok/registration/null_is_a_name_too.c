/* Who takes no part in a registration still has a name for it, NULL, and reaches the others by
 * it: as with the arrays of a processor that has no element, which programs do not allocate. */
#include "situation.h"

void situation_null_is_a_name_too(void)
{
    int count = me() == 0 && procs() > 1 ? 0 : 3; /* elements of this processor */
    double *x = count > 0 ? malloc(count * sizeof *x) : NULL, got = -1;
    for (int i = 0; i < count; i++)
        x[i] = 10 * me() + i;
    bsp_push_reg(x, count * sizeof *x);
    bsp_sync();
    int from = procs() - 1;
    bsp_get(from, x, sizeof *x, &got, sizeof got);
    bsp_sync();
    CHECK(got == 10 * from + 1);
    if (me() == 0)
        bsp_put(from, &got, x, 2 * sizeof *x, sizeof got);
    bsp_sync();
    if (me() == from)
        CHECK(x[2] == 10 * from + 1);
    bsp_pop_reg(x);
    bsp_sync();
    free(x);
}
