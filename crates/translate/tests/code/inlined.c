/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
static inline double dot(const double *a, const double *b, int n)
{
    double s = 0;
#pragma cll dot dot[0] + dot[1]*n
    for (int i = 0; i < n; i++) s += a[i] * b[i];
#pragma cll end dot
    return s;
}
static double x[1024], y[1024];
int main(int argc, char **argv)
{
    double s = argc;
    for (int i = 0; i < 1024; i++) { x[i] = i; y[i] = i & 7; }
    for (int r = 0; r < 20; r++) {
        s += dot(x, y, 1024);
        s += dot(x, x, 512);
        s += dot(y, y + 16, 800);
    }
    printf("%g\n", s);
    return 0;
}
