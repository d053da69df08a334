/* Written to be compared with itself without markers, by instructions. */
#include <stdio.h>
#include <stdlib.h>
#define M 64
static double A[M][M], B[M][M], C[M][M];
static void product(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += A[i][k] * B[k][j];
            C[i][j] = s;
        }
}
int main(int argc, char **argv)
{
    for (int i = 0; i < M; i++) for (int j = 0; j < M; j++) { A[i][j] = i + j; B[i][j] = i - j; }
    for (int n = 16; n <= M; n += 16) {
#pragma cll mm mm[0] + mm[1]*n*n*n
        product(n);
#pragma cll end mm
    }
    printf("%g\n", C[3][4]);
    return 0;
}
