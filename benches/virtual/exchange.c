/* What a superstep costs in which each of two processors puts so many bytes to the other: from when the last
 * has come to bsp_sync until the last leaves it. Prints lines `b BYTES SECONDS`. */
#include <bsp.h>
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
    static double came[TIMES], left[TIMES], others[2 * TIMES], took[TIMES];
    static char from[LARGEST];
    char *area;
    int s, n, i, j, at;
    bsp_begin(2);
    s = bsp_pid();
    area = calloc(LARGEST, 1);
    bsp_push_reg(area, LARGEST);
    bsp_push_reg(others, sizeof others);
    bsp_sync();
    for (at = 0; at <= 11; at++) {
        int sum = 0;
        n = at == 0 ? 0 : 4 << 2 * (at - 1);
        for (i = 0; i < TIMES; i++) {
            memset(from, i, n);
            if (n > 0)
                bsp_put(1 - s, from, area, 0, n);
            came[i] = now();
            bsp_sync();
            left[i] = now();
            for (j = 0; j < n; j += 64)
                sum += area[j];
        }
        from[0] = (char)sum;
        if (s == 1) {
            bsp_put(0, came, others, 0, sizeof came);
            bsp_put(0, left, others, sizeof came, sizeof left);
        }
        bsp_sync();
        if (s == 0) {
            for (i = 0; i < TIMES; i++) {
                double first = came[i] > others[i] ? came[i] : others[i];
                double last = left[i] > others[TIMES + i] ? left[i] : others[TIMES + i];
                took[i] = last - first;
            }
            qsort(took, TIMES, sizeof *took, ascending);
            printf("b %d %.9f\n", n, took[TIMES / 2]);
        }
    }
    bsp_end();
    return 0;
}
