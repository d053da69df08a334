/* events COUNT: a library that counts its own steps and bytes as events of PAPI. */
#include <stdlib.h>
#include <sde_lib.h>
#include "cll.h"

static const char *const variables[] = { "N" };
static const struct cll_place places[] = {
    { "f", "f[0]*N", "events.c", "main", 10, 20, 1, 1, variables, 0, 0 },
    { "g", "g[0]", "events.c", "main", 12, 18, 0, 1, 0, 0, 0 }
};
static struct cll_unit unit = { CLL_VERSION, 2, places, "events.c", "sequential", "gcc", 0, 0 };
__attribute__((constructor(101))) static void register_unit(void)
{
    cll_register_unit(&unit);
}

static long long steps, bytes;

static void take(int count)
{
    steps += count;
    bytes += 100 * count;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1, i;
    papi_handle_t mine = papi_sde_init("mine");
    papi_sde_register_counter(mine, "steps", PAPI_SDE_RO, PAPI_SDE_long_long, &steps);
    papi_sde_register_counter(mine, "bytes", PAPI_SDE_RO, PAPI_SDE_long_long, &bytes);
    for (i = 1; i <= count; i++) {
        struct cll_frame f = CLL_FRAME_INIT, g = CLL_FRAME_INIT;
        double n = i;
        cll_enter(&f, &unit, 0);
        take(i);
        cll_enter(&g, &unit, 1);
        take(10);
        cll_leave(&g, &unit, 1, 0, 0, 0);
        cll_leave(&f, &unit, 0, &n, 1, 0);
    }
    return 0;
}
