/* Five points of a grid, from one grid to another. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int LARGEST = 260, N = 0, i, j, r;
    double *old = calloc((size_t)LARGEST * LARGEST, sizeof *old);
    double *new = calloc((size_t)LARGEST * LARGEST, sizeof *new);
    if (old == NULL || new == NULL)
        return 2;
#pragma cll for (N = 16; N < LARGEST; N += N / 6)
    for (r = 0; r < 3; r++) {
#pragma cll stencil stencil[0] + stencil[1]*N + stencil[2]*N*N
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                new[i * N + j] = 0.25 * (old[(i - 1) * N + j] + old[(i + 1) * N + j]
                                         + old[i * N + j - 1] + old[i * N + j + 1]);
#pragma cll end stencil
    }
#pragma cll end for
    printf("%g\n", new[5]);
    return 0;
}
