/* The names are functions, too. */
#include "situation.h"

void situation_functions_have_addresses(t_bsp *all)
{
    int p = bsp_nprocs(all), me = bsp_pid(all);

    int (*nprocs)(t_bsp *) = bsp_nprocs;
    void (*send)(t_bsp *, int, const void *, int) = bsp_send;
    void (*oblsync)(t_bsp *, int) = &bsp_oblsync;
    int value = 5;
    send(all, (me + 1) % nprocs(all), &value, sizeof value);
    oblsync(all, 1);
    CHECK_EQUAL(got_int(all, 0), 5);
    CHECK_EQUAL(p, nprocs(all));
}
