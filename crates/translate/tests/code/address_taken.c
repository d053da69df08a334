/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
static void read_size(const char *text, int *n) { *n = atoi(text); }
__attribute__((noinline)) static void fill(int *a, int n, unsigned *seed)
{
    for (int i = 0; i < n; i++) { *seed = *seed * 1103515245u + 12345u; a[i] = *seed >> 16; }
}
int main(int argc, char **argv)
{
    int n = 10000; unsigned seed = 1;
    if (argc > 1) read_size(argv[1], &n);
    int *a = malloc(n * sizeof *a);
    fill(a, n, &seed);
    long sum = 0, odd = 0;
    int most = 0;
    for (int r = 0; r < 10; r++) {
#pragma cll scan scan[0] + scan[1]*n
        for (int i = 0; i < n; i++) {
            sum += a[i];
            if (a[i] & 1) odd++;
            if (a[i] > most) most = a[i];
            seed ^= a[i];
        }
#pragma cll end scan
    }
    printf("%ld %ld %d %u\n", sum, odd, most, seed);
    return 0;
}
