/*
 * many BATCHES: more processors than cores. The reference is a barrier of as many processes that
 * yield while they wait.
 */
#include "figures.h"

static void reference_sync(int iterations)
{
    uint64_t p = (uint64_t)bsp_nprocs();
    for (int i = 0; i < iterations; i++) {
        uint64_t round = atomic_load(&shared->passed.round);
        if (atomic_fetch_add(&shared->arrived.round, 1) + 1 == p) {
            atomic_store(&shared->arrived.round, 0);
            atomic_store(&shared->passed.round, round + 1);
        } else {
            while (atomic_load(&shared->passed.round) == round)
                sched_yield();
        }
    }
}

static void our_sync(int iterations)
{
    for (int i = 0; i < iterations; i++)
        bsp_sync();
}

int main(int argc, char **argv)
{
    batches = argc > 1 ? atoi(argv[1]) : 31;
    map_shared();
    bsp_begin(bsp_nprocs());
    compare("yield", bsp_nprocs(), 10e6, reference_sync, our_sync);
    bsp_end();
    return 0;
}
