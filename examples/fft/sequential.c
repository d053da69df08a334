/*
 * sequential.c: the divide and conquer transform that each processor of figure 5 of
 * the CALL paper runs in the end, seqDandCFFT, with its roots of unity.
 *
 * Shows: the experiment G as the paper has it, N log N on powers of two; and an
 * experiment inside the recursion (F, figure 5's combine), timed at each 64th
 * passage.
 *
 *   cll model examples/fft/sequential.c --predict N=2097152
 */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

enum { LARGEST = 262144, VOLUME = 20000 };

typedef struct {
    double re, im;
} Complex;

/* W[k] = exp(-2 pi i k / (2n)), k = 0 .. n-1 */
static void Roots(int n, Complex *W)
{
    int k;
    for (k = 0; k < n; k++) {
        W[k].re = cos(-M_PI * k / n);
        W[k].im = sin(-M_PI * k / n);
    }
}

/* A = the transform of 2n elements, from those of the even (B) and the odd (C) ones.
   B and C are the halves of A. */
static void combine(Complex *A, const Complex *B, const Complex *C, const Complex *W, int n,
                    int stride)
{
    int k;
    for (k = 0; k < n; k++) {
        Complex w = W[(size_t)k * stride], b = B[k], c = C[k], t;
        t.re = w.re * c.re - w.im * c.im;
        t.im = w.re * c.im + w.im * c.re;
        A[k].re = b.re + t.re;
        A[k].im = b.im + t.im;
        A[k + n].re = b.re - t.re;
        A[k + n].im = b.im - t.im;
    }
}

static void seqDandCFFT(Complex *A, const Complex *a, const Complex *W, int N, int stride)
{
    if (N == 1) {
        A[0] = a[0];
    } else {
        int n = N / 2;
        Complex *B = A, *C = A + n;
        seqDandCFFT(B, a, W, n, stride * 2);
        seqDandCFFT(C, a + stride, W, n, stride * 2);
        if (n >= 16) {
#pragma cll F every(64) F[0] + F[1]*n
            combine(A, B, C, W, n, stride);
#pragma cll end F
        } else
            combine(A, B, C, W, n, stride);
    }
}

/* A wave of frequency 3 and one of frequency N/4, of heights 1 and 2. */
static void initialize(int N, Complex *a)
{
    int k;
    for (k = 0; k < N; k++) {
        a[k].re = cos(2 * M_PI * 3 * k / N) + 2 * cos(M_PI * k / 2);
        a[k].im = sin(2 * M_PI * 3 * k / N) + 2 * sin(M_PI * k / 2);
    }
}

/* So the transform is N at 3, 2N at N/4, and zero elsewhere. */
static int is_right(const Complex *A, int N)
{
    int k;
    for (k = 0; k < N; k++) {
        double expected = (k == 3 ? N : 0) + (k == N / 4 ? 2.0 * N : 0);
        if (fabs(A[k].re - expected) > 1e-9 * N || fabs(A[k].im) > 1e-9 * N)
            return 0;
    }
    return 1;
}

int main(void)
{
    Complex *a = malloc(sizeof *a * LARGEST);
    Complex *A = malloc(sizeof *A * LARGEST);
    Complex *W = malloc(sizeof *W * LARGEST / 2);
    int N = 4096, r, right = 1;
    if (a == NULL || A == NULL || W == NULL) {
        perror("fft");
        return 2;
    }

#pragma cll for (N = 32; N <= LARGEST; N *= 2)
    initialize(N, a);
    Roots(N / 2, W);
    seqDandCFFT(A, a, W, N, 1); /* touches A before anything is timed */
    for (r = 0; r < 3 + VOLUME / N; r++) {
#pragma cll G G[0] + G[1]*N*log(N)
        seqDandCFFT(A, a, W, N, 1);
#pragma cll end G
        right &= is_right(A, N);
    }
#pragma cll end for

    free(a);
    free(A);
    free(W);
    puts(right ? "fft: two peaks, where they belong" : "fft: WRONG");
    return right ? 0 : 1;
}
