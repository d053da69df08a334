/* A put or get of 0 bytes does nothing and is no error, whatever its other arguments. */
#include "situation.h"

void situation_nothing_of_0_bytes_has_an_effect(void)
{
    int x = 5, unregistered = 6;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(right(), &unregistered, &x, 0, 0);
    bsp_put(right(), &unregistered, &x, 1000, 0);
    bsp_put(procs() + 7, &unregistered, &x, 0, 0);
    bsp_put((bsp_pid_t)-1, NULL, NULL, 0, 0);
    bsp_put(right(), NULL, &unregistered, 0, 0);
    bsp_get(right(), &x, 1000, &unregistered, 0);
    bsp_get((bsp_pid_t)-1, NULL, 0, NULL, 0);
    bsp_get(right(), &unregistered, 0, &x, 0);
    bsp_hpput(procs(), NULL, NULL, 0, 0);
    bsp_hpput(right(), &unregistered, &unregistered, 0, 0);
    bsp_hpget(procs(), NULL, 0, NULL, 0);
    bsp_hpget(right(), &unregistered, 3, &x, 0);
    bsp_sync();
    CHECK(x == 5 && unregistered == 6);
    bsp_pop_reg(&x);
    bsp_sync();
}
