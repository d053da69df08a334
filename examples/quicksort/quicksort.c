/*
 * quicksort.c: sorts N integers; median of three, short parts by insertion.
 *
 * Shows: N log N with a linear term; the constant is mostly mispredicted
 * branches, so it hardly notices the caches. Each repetition sorts other
 * numbers: a processor learns the branches of a short array by heart.
 *
 *   cll model examples/quicksort/quicksort.c --predict N=3000000
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1500000, SHORT = 16, VOLUME = 200000 };

static void insertion_sort(int *v, int n)
{
    int i, j;
    for (i = 1; i < n; i++) {
        int x = v[i];
        for (j = i; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

static int median(int a, int b, int c)
{
    if (a < b)
        return b < c ? b : a < c ? c : a;
    return a < c ? a : b < c ? c : b;
}

static void quicksort(int *v, int n)
{
    while (n > SHORT) {
        int pivot = median(v[0], v[n / 2], v[n - 1]);
        int i = 0, j = n - 1;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                int t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        if (j + 1 < n - i) { /* the shorter part by recursion: log n deep at most */
            quicksort(v, j + 1);
            v += i;
            n -= i;
        } else {
            quicksort(v + i, n - i);
            n = j + 1;
        }
    }
    insertion_sort(v, n);
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
    uint64_t state = 2003;
    int N = 100000, r, right = 1;
    if (v == NULL) {
        perror("quicksort");
        return 2;
    }
    shuffle(v, LARGEST, &state); /* every page is touched before anything is timed */

#pragma cll for (N = 200; N < LARGEST; N += N / 4)
    for (r = 0; r < 3 + VOLUME / N; r++) { /* short arrays differ more: sort more of them */
        uint64_t sum = shuffle(v, N, &state);
#pragma cll sort sort[0] + sort[1]*N + sort[2]*N*log(N)
        quicksort(v, N);
#pragma cll end sort
        right &= is_sorted(v, N, sum);
    }
#pragma cll end for

    free(v);
    puts(right ? "quicksort: sorted" : "quicksort: WRONG");
    return right ? 0 : 1;
}
