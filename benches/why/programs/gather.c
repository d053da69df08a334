/* y = A x for a sparse matrix of seven elements in each row, columns at random. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 12000, EACH = 7 };

static double value[LARGEST * EACH], x[LARGEST], y[LARGEST];
static int column[LARGEST * EACH];

int main(void)
{
    uint64_t state = 3;
    int N = 0, i, k, r;
#pragma cll for (N = 100; N < LARGEST; N += N / 5)
    for (i = 0; i < N * EACH; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        column[i] = (int)((state >> 33) % (uint64_t)N);
        value[i] = (double)column[i];
        x[column[i]] += 0.5;
    }
    for (r = 0; r < 3; r++) {
#pragma cll gather gather[0] + gather[1]*N
        for (i = 0; i < N; i++) {
            double sum = 0;
            for (k = 0; k < EACH; k++)
                sum += value[i * EACH + k] * x[column[i * EACH + k]];
            y[i] = sum;
        }
#pragma cll end gather
    }
#pragma cll end for
    printf("%g\n", y[3]);
    return 0;
}
