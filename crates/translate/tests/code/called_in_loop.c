/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
static double kernel(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 9000;
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) { a[i] = i * 7; b[i] = i & 3; }
    double s = 0;
    for (int r = 0; r < 20; r++) {
#pragma cll dot dot[0] + dot[1]*N
        s += kernel(a, b, N);
#pragma cll end dot
    }
    printf("%g\n", s);
    return 0;
}
