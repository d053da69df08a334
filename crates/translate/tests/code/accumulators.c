/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5000;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = (i * 37) % 101;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, p = 1, q = 0; long c0 = 0, c1 = 1, c2 = 2, c3 = 3, c4 = 4;
    for (int r = 0; r < 20; r++) {
#pragma cll acc acc[0] + acc[1]*n
        for (int i = 0; i + 3 < n; i += 4) {
            s0 += a[i]; s1 += a[i + 1] * p; s2 += a[i + 2] * s0; s3 += a[i + 3] - q;
            p = p * 0.5 + 0.5; q += p;
            c0 += i; c1 ^= c0; c2 += c1 >> 3; c3 += c2 & 7; c4 += c3 * c0;
        }
#pragma cll end acc
    }
    printf("%g %g %g %g %g %g %ld %ld %ld %ld %ld\n", s0, s1, s2, s3, p, q, c0, c1, c2, c3, c4);
    return 0;
}
