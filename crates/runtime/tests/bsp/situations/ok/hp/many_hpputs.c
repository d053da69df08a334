/* A matrix of small rows is transposed by unbuffered puts. */
#include "situation.h"

void situation_many_hpputs(void)
{
    enum { EACH = 500 };
    int p = procs(), *from = malloc(p * EACH * sizeof *from), *into = malloc(p * EACH * sizeof *into);
    for (int i = 0; i < p * EACH; i++)
        from[i] = 100000 * me() + i;
    bsp_push_reg(into, p * EACH * sizeof *into);
    bsp_sync();
    for (int i = 0; i < p * EACH; i++)
        bsp_hpput(i % p, &from[i], into, (i / p * p + me()) * sizeof *from, sizeof *from);
    bsp_sync();
    for (int i = 0; i < p * EACH; i++)
        CHECK_EQUAL(into[i], 100000 * (i % p) + i / p * p + me());
    bsp_pop_reg(into);
    bsp_sync();
    free(from);
    free(into);
}
