/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
static int find(const int *a, int n, int x)
{
#pragma cll f f[0] + f[1]*n
    for (int i = 0; i < n; i++)
        if (a[i] == x) return i;
#pragma cll end f
    return -1;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = (i * 7919) % n;
    long s = 0;
    for (int r = 0; r < 20; r++) s += find(a, n, (r * 131) % n);
    printf("%ld\n", s);
    return 0;
}
