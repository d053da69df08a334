/* The same for machine objects and bsp_oblsync: each of two processors sends the other a message, which
 * the other reads where it was written: what that takes longer the first time counts, too. Prints lines
 * `o BYTES SECONDS`. */
#include <pub.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMES = 101, LARGEST = 4 << 20 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static double came[TIMES], left[TIMES], took[TIMES];
    static char from[LARGEST];
    t_bsp all;
    int s, n, i, j, at;
    bsplib_init(BSPLIB_STDPARAMS, &all);
    s = bsp_pid(&all);
    for (at = 1; at <= 11; at++) {
        int sum = 0;
        n = 4 << 2 * (at - 1);
        for (i = 0; i < TIMES; i++) {
            const char *got;
            double first, again;
            memset(from, i, n);
            bsp_sync(&all);
            bsp_send(&all, 1 - s, from, n);
            came[i] = now();
            bsp_oblsync(&all, 1);
            left[i] = now();
            got = bspmsg_data(bsp_getmsg(&all, 0));
            first = now();
            for (j = 0; j < n; j += 64)
                sum += got[j];
            again = now();
            for (j = 0; j < n; j += 64)
                sum += got[j];
            /* What reading it takes longer the first time: the way from the other core's cache. */
            left[i] += 2 * again - first - now();
        }
        from[0] = (char)sum;
        bsp_send(&all, 0, came, sizeof came);
        bsp_send(&all, 0, left, sizeof left);
        bsp_sync(&all);
        if (s == 0) {
            const double *entries = bspmsg_data(bsp_findmsg(&all, 1, 0));
            const double *exits = bspmsg_data(bsp_findmsg(&all, 1, 1));
            for (i = 0; i < TIMES; i++) {
                double first = came[i] > entries[i] ? came[i] : entries[i];
                double last = left[i] > exits[i] ? left[i] : exits[i];
                took[i] = last - first;
            }
            qsort(took, TIMES, sizeof *took, ascending);
            printf("o %d %.9f\n", n, took[TIMES / 2]);
        }
    }
    bsplib_done();
    return 0;
}
