/* bsp_fold combines the values of all processors in their order, bsp_scan those up to the own. */
#include "situation.h"

static void add_doubles(double *result, double *left, double *right, bsp_size_t *size)
{
    for (size_t i = 0; i < *size / sizeof(double); i++)
        result[i] = left[i] + right[i];
}

/* x -> a x + b after x -> c x + d: associative, but the order counts. */
static void compose(long *result, long *left, long *right, bsp_size_t *size)
{
    CHECK_EQUAL(*size, 2 * sizeof(long));
    result[0] = left[0] * right[0] % 10007;
    result[1] = (left[1] * right[0] + right[1]) % 10007;
}

void situation_fold_and_scan(void)
{
    double mine[3] = { 1, me(), me() * me() }, sum[3] = { 0 };
    int p = procs(), s = me();
    bsp_fold(add_doubles, mine, sum, sizeof sum);
    CHECK(sum[0] == p && sum[1] == p * (p - 1) / 2 && sum[2] == (p - 1) * p * (2 * p - 1) / 6);
    bsp_scan(add_doubles, mine, sum, sizeof sum);
    CHECK(sum[0] == s + 1 && sum[1] == s * (s + 1) / 2 && sum[2] == s * (s + 1) * (2 * s + 1) / 6);

    long map[2] = { 3 + s, 7 + 2 * s }, all[2], up_to_me[2], expected[2] = { 3, 7 };
    bsp_fold(compose, map, all, sizeof all);
    bsp_scan(compose, map, up_to_me, sizeof up_to_me);
    for (int q = 0; q < p; q++) {
        long right_map[2] = { 3 + q, 7 + 2 * q };
        if (q > 0) {
            expected[1] = (expected[1] * right_map[0] + right_map[1]) % 10007;
            expected[0] = expected[0] * right_map[0] % 10007;
        }
        if (q == s)
            CHECK(up_to_me[0] == expected[0] && up_to_me[1] == expected[1]);
    }
    CHECK(all[0] == expected[0] && all[1] == expected[1]);
    bsp_fold(add_doubles, mine, mine, sizeof mine); /* in place */
    CHECK(mine[0] == p);
}
