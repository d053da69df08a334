/*
 * openmp_sort.c: sorts N integers in parallel. Each thread sorts its part with
 * qsort; then pairs of sorted parts are merged until one is left.
 *
 * Shows: two terms that scale differently with P. The parts are sorted in
 * (N/P)*log(N/P), all at once; of the merging, N*(P-1)/P is done one after the
 * other, on a power of two of threads.
 *
 *   cll model examples/openmp_sort/openmp_sort.c --hold-out N=419954,559938 --predict N=4000000,P=2
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 1; }
#endif

#pragma cll parallel OpenMP procs = 1,2

enum { LARGEST = 600000, VOLUME = 20000 };

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void merge(int *to, const int *a, size_t na, const int *b, size_t nb)
{
    while (na > 0 && nb > 0)
        if (*a <= *b) {
            *to++ = *a++;
            na--;
        } else {
            *to++ = *b++;
            nb--;
        }
    memcpy(to, a, na * sizeof *a);
    memcpy(to + na, b, nb * sizeof *b);
}

/* Sorts v[0 .. N-1] in P parts; spare has as many elements. */
static void parallel_sort(int *v, int *spare, size_t N, int P)
{
    int part, width;
#define START(k) (N * (size_t)((k) < P ? (k) : P) / (size_t)P)
#pragma omp parallel for schedule(static, 1)
    for (part = 0; part < P; part++)
        qsort(v + START(part), START(part + 1) - START(part), sizeof *v, compare);
    for (width = 1; width < P; width *= 2) {
#pragma omp parallel for schedule(static, 1)
        for (part = 0; part < P; part += 2 * width) {
            size_t low = START(part), middle = START(part + width), high = START(part + 2 * width);
            merge(spare + low, v + low, middle - low, v + middle, high - middle);
            memcpy(v + low, spare + low, (high - low) * sizeof *v);
        }
    }
#undef START
}

/* Returns the sum, which sorting must not change. */
static uint64_t shuffle(int *v, int n, uint64_t *state)
{
    uint64_t sum = 0;
    int i;
    for (i = 0; i < n; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        v[i] = (int)(*state >> 33);
        sum += (uint64_t)v[i];
    }
    return sum;
}

static int is_sorted(const int *v, int n, uint64_t sum)
{
    int i;
    for (i = 0; i < n; i++) {
        if (i > 0 && v[i - 1] > v[i])
            return 0;
        sum -= (uint64_t)v[i];
    }
    return sum == 0;
}

int main(void)
{
    int *v = malloc(sizeof *v * LARGEST);
    int *spare = malloc(sizeof *spare * LARGEST);
    int P = omp_get_max_threads(), N = 100000, r, right = 1;
    uint64_t state = 2003;
    if (v == NULL || spare == NULL) {
        perror("openmp_sort");
        return 2;
    }
    memset(spare, 0, sizeof *spare * LARGEST);
    shuffle(v, LARGEST, &state);

#pragma cll for (N = 1000; N < LARGEST; N += N / 3)
    for (r = 0; r < 3 + VOLUME / N; r++) {
        uint64_t sum = shuffle(v, N, &state);
#pragma cll sort sort[0] + sort[1]*(N/P)*log(N/P) + sort[2]*N*(P-1)/P
        parallel_sort(v, spare, N, P);
#pragma cll end sort
        right &= is_sorted(v, N, sum);
    }
#pragma cll end for

    free(v);
    free(spare);
    puts(right ? "openmp_sort: sorted" : "openmp_sort: WRONG");
    return right ? 0 : 1;
}
