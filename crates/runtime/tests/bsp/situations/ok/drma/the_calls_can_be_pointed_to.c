/* The names are functions: their addresses may be taken and called. */
#include "situation.h"

void situation_the_calls_can_be_pointed_to(void)
{
    void (*push)(const void *, bsp_size_t) = bsp_push_reg;
    void (*pop)(const void *) = &bsp_pop_reg;
    void (*put)(bsp_pid_t, const void *, void *, bsp_size_t, bsp_size_t) = bsp_put;
    void (*get)(bsp_pid_t, const void *, bsp_size_t, void *, bsp_size_t) = &bsp_get;
    void (*sync)(void) = bsp_sync;
    bsp_pid_t (*pid)(void) = bsp_pid;
    int x = -1, got = -1, s = (int)pid();
    push(&x, sizeof x);
    sync();
    put(right(), &s, &x, 0, sizeof s);
    sync();
    get(right(), &x, 0, &got, sizeof got);
    pop(&x);
    (bsp_sync)();
    CHECK_EQUAL(x, left());
    CHECK_EQUAL(got, me());
}
