/* Areas on the stack of functions that return, one frame upon another. */
#include "situation.h"

static int sum_of_all(int value, int depth)
{
    int all[64] = { 0 }, sum = 0;
    bsp_push_reg(all, sizeof all);
    bsp_sync();
    for (int q = 0; q < procs(); q++)
        bsp_put(q, &value, all, me() * sizeof value, sizeof value);
    if (depth > 0)
        sum = sum_of_all(value + 1, depth - 1);
    else
        bsp_sync();
    for (int q = 0; q < procs(); q++)
        sum += all[q];
    bsp_pop_reg(all);
    bsp_sync();
    return sum;
}

void situation_registered_in_a_function(void)
{
    int p = procs(), all = p * (p - 1) / 2;
    for (int i = 0; i < 10; i++)
        CHECK_EQUAL(sum_of_all(me(), 3), 4 * all + p * (1 + 2 + 3));
}
