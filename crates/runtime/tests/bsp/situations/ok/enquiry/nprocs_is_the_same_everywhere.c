/* Inside the SPMD part bsp_nprocs is the number of processors, on all of them and always. */
#include "situation.h"

void situation_nprocs_is_the_same_everywhere(void)
{
    int p = procs(), others[64] = { 0 };
    CHECK(p > 0);
    bsp_push_reg(others, sizeof others);
    bsp_sync();
    for (int q = 0; q < p; q++)
        bsp_put(q, &p, others, me() * sizeof p, sizeof p);
    bsp_sync();
    for (int q = 0; q < p; q++)
        CHECK_EQUAL(others[q], p);
    CHECK_EQUAL(bsp_nprocs(), p);
    bsp_pop_reg(others);
    bsp_sync();
}
