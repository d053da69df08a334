/*
 * waiting BATCHES: all processors but 0 wait in bsp_sync while that sleeps for 100 ms. Prints, per batch,
 *
 *     share 100 BATCH 100 PERCENT       the largest share of a core that one who waits has used
 *     wake  100 BATCH BARE NANOSECONDS  from the last one's call of bsp_sync to the last return; BARE is
 *                                       the same for a futex on which the others sleep
 */
#include "figures.h"
#include <linux/futex.h>
#include <sys/syscall.h>

static double own_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* From the call that wakes all who sleep on one word to the last who is awake; on processor 0. */
static double bare_wake(int p, int s, int batch, const struct timespec *pause)
{
    _Atomic int *word = &shared->iterations;
    if (s == 0) {
        nanosleep(pause, NULL);
        shared->times[0] = now();
        atomic_store(word, batch + 1);
        syscall(SYS_futex, word, FUTEX_WAKE, p, NULL, NULL, 0);
    } else {
        while (atomic_load(word) != batch + 1)
            syscall(SYS_futex, word, FUTEX_WAIT, batch, NULL, NULL, 0);
        shared->times[s] = now();
    }
    bsp_sync();
    double woken_at = 0;
    for (int q = 1; q < p; q++)
        woken_at = shared->times[q] > woken_at ? shared->times[q] : woken_at;
    return woken_at - shared->times[0];
}

int main(int argc, char **argv)
{
    struct timespec pause = { 0, 100000000 };
    batches = argc > 1 ? atoi(argv[1]) : 31;
    map_shared();
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid();
    double shares[64] = { 0 };
    bsp_push_reg(shares, sizeof shares);
    bsp_sync();
    for (int batch = 0; batch < batches; batch++) {
        double bare = bare_wake(p, s, batch, &pause);
        bsp_sync();
        double begin = now(), cpu = own_cpu();
        if (s == 0)
            nanosleep(&pause, NULL);
        double called = now();
        bsp_sync();
        double woken = now(), share = 100 * (own_cpu() - cpu) / (woken - begin);
        shared->times[s] = s == 0 ? called : woken;
        bsp_put(0, &share, shares, s * (int)sizeof share, sizeof share);
        bsp_sync();
        if (s == 0) {
            double most = 0, last = 0;
            for (int q = 1; q < p; q++) {
                most = shares[q] > most ? shares[q] : most;
                last = shared->times[q] > last ? shared->times[q] : last;
            }
            printf("share %d %d 100 %.4f\n", p, batch, most);
            printf("wake %d %d %.0f %.0f\n", p, batch, bare, last - shared->times[0]);
        }
        bsp_sync();
    }
    bsp_end();
    return 0;
}
