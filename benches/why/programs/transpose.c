/* b = transposed a; a is read by rows, b is written by columns. */
#include <stdio.h>

enum { LARGEST = 420 };
static double a[LARGEST * LARGEST], b[LARGEST * LARGEST];

static void transpose(double *to, const double *from, int N)
{
    int i, j;
#pragma cll transpose transpose[0] + transpose[1]*N + transpose[2]*N*N
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            to[j * N + i] = from[i * N + j];
#pragma cll end transpose
}

int main(void)
{
    int N = 0, r;
#pragma cll for (N = 17; N < LARGEST; N += N / 8 * 2)
    for (r = 0; r < 3; r++)
        transpose(b, a, N);
#pragma cll end for
    printf("%g\n", b[7]);
    return 0;
}
