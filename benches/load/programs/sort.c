/*
 * sort.c: heap sort of N integers. Branches that no processor foresees, and jumps through the array.
 * Each repetition sorts other numbers.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { VOLUME = 200000, FEWEST = 7 };

static void sift(int *v, long root, long n)
{
    int x = v[root];
    long child;
    while ((child = 2 * root + 1) < n) {
        if (child + 1 < n && v[child] < v[child + 1])
            child++;
        if (v[child] <= x)
            break;
        v[root] = v[child];
        root = child;
    }
    v[root] = x;
}

static void heap_sort(int *v, long n)
{
    long i;
    for (i = n / 2; i-- > 0;)
        sift(v, i, n);
    for (i = n; i-- > 1;) {
        int t = v[0];
        v[0] = v[i];
        v[i] = t;
        sift(v, 0, i);
    }
}

static uint64_t shuffle(int *v, long n, uint64_t *state)
{
    uint64_t sum = 0;
    long i;
    for (i = 0; i < n; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        v[i] = (int)(*state >> 33);
        sum += (uint64_t)v[i];
    }
    return sum;
}

static int is_sorted(const int *v, long n, uint64_t sum)
{
    long i;
    for (i = 0; i < n; i++) {
        if (i > 0 && v[i - 1] > v[i])
            return 0;
        sum -= (uint64_t)v[i];
    }
    return sum == 0;
}

int main(int argc, char **argv)
{
    long N = argc == 2 ? atol(argv[1]) : 0, r;
    uint64_t state = 2003;
    int *v, right = 1;
    if (N < 2 || (v = malloc(sizeof *v * (size_t)N)) == NULL) {
        fputs("usage: sort N\n", stderr);
        return 2;
    }
    for (r = 0; r < FEWEST + VOLUME / N; r++) {
        uint64_t sum = shuffle(v, N, &state);
#pragma cll sort sort[0] + sort[1]*N + sort[2]*N*log(N)
        heap_sort(v, N);
#pragma cll end sort
        right &= is_sorted(v, N, sum);
    }
    free(v);
    puts(right ? "sorted" : "WRONG");
    return right ? 0 : 1;
}
