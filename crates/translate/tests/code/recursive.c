/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void quick(int *a, int lo, int hi)
{
    if (lo >= hi) return;
    int p = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < p) i++;
        while (a[j] > p) j--;
        if (i <= j) swap(&a[i++], &a[j--]);
    }
    quick(a, lo, j);
    quick(a, i, hi);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = (i * 7919L) % n;
#pragma cll q q[0] + q[1]*n*log2(n)
    quick(a, 0, n - 1);
#pragma cll end q
    printf("%d\n", a[n / 3]);
    return 0;
}
