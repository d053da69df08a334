/* A megabyte of stack, much of it never touched, registered and put into. */
#include "situation.h"

void situation_a_large_array_on_the_stack(void)
{
    double block[100000];
    double value = 1000 + me();
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    for (int i = 0; i < 100000; i += 9999)
        bsp_put(right(), &value, block, i * sizeof value, sizeof value);
    bsp_sync();
    for (int i = 0; i < 100000; i += 9999)
        CHECK(block[i] == 1000 + left());
    bsp_pop_reg(block);
    bsp_sync();
}
