/*
 * fft.c: figures 4 and 5 of the CALL paper: the parallel transform, sampled over its sizes and
 * numbers of processors.
 *
 * Shows: a BSP program with machine objects that is measured whole (f, after a barrier) and in its
 * blocks (A to G), on 1 to 32 processors. The machine is divided on each level; the halves transform the
 * even and the odd elements, and every processor swaps its half of the result with a partner.
 *
 *   cll model examples/fft/fft.c --engine virtual --predict N=2097152,P=32
 *   cll model examples/fft/fft.c -n 1,2              # on this machine's cores
 */
#define _DEFAULT_SOURCE
#include <math.h>
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

#pragma cll parallel PUB gbsp \
    procs = 1:32:2

enum { LARGEST = 131072 };

typedef struct {
    double re, im;
} Complex;

static int whole; /* of how many numbers W has the roots */

/* A = the transform of 2n numbers, from those of the even (B) and the odd ones (C). */
static void combine(Complex *A, const Complex *B, const Complex *C, const Complex *W, int n)
{
    int k, stride = whole / (2 * n);
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
        combine(A, B, C, W, n);
    }
}

static void parDandCFFT(Complex *A, Complex *a, Complex *W, int N, int stride, t_bsp *gbsp)
{
    t_bsp bsp_new;
    Complex *B, *C;
    int n, size, partner, subgroup[2];
    if (bsp_nprocs(gbsp) > 1) {
        if (N == 1) { A[0].re = a[0].re; A[0].im = a[0].im; }
        else {
#pragma cll A A[0]
            n = N / 2; size = n * sizeof(Complex); B = A; C = A + n;
#pragma cll end A
#pragma cll B B[0]
            subgroup[1] = bsp_nprocs(gbsp);
            subgroup[0] = (bsp_nprocs(gbsp) / 2);
            bsp_partition(gbsp, &bsp_new, 2, subgroup);
#pragma cll end B
            if (bsp_pid(gbsp) < subgroup[0]) {
                parDandCFFT(B, a, W, n, stride * 2, &bsp_new);
#pragma cll C C[0]
                partner = bsp_pid(&bsp_new) + subgroup[0];
                bsp_done(&bsp_new);
#pragma cll end C
#pragma cll D D[0] + D[1] * size
                bsp_hpsend(gbsp, partner, B, size);
                bsp_oblsync(gbsp, 1);
#pragma cll end D
#pragma cll E E[0] + E[1] * n
                C = (Complex *)bspmsg_data(bsp_getmsg(gbsp, 0));
#pragma cll end E
            } else {
                parDandCFFT(C, a + stride, W, n, stride * 2, &bsp_new);
#pragma cll C C[0]
                partner = bsp_pid(&bsp_new);
                bsp_done(&bsp_new);
#pragma cll end C
#pragma cll D D[0] + D[1] * size
                bsp_hpsend(gbsp, partner, C, size);
                bsp_oblsync(gbsp, 1);
#pragma cll end D
#pragma cll E E[0] + E[1] * n
                B = (Complex *)bspmsg_data(bsp_getmsg(gbsp, 0));
#pragma cll end E
            }
#pragma cll F F[0] + F[1] * n
            combine(A, B, C, W, n);
#pragma cll end F
        }
    } else
#pragma cll G G[0] + G[1] * N * log(N)
        seqDandCFFT(A, a, W, N, stride);
#pragma cll end G
}

/* W[k] = exp(-2 pi i k / (2n)), k = 0 .. n-1 */
static void Roots(int n, Complex *W)
{
    int k;
    for (k = 0; k < n; k++) {
        W[k].re = cos(-M_PI * k / n);
        W[k].im = sin(-M_PI * k / n);
    }
    whole = 2 * n;
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

/* They are all there is in the result. */
static int is_right(int N, const Complex *A)
{
    int k;
    for (k = 0; k < N; k++) {
        double height = k == 3 ? 1 : k == N / 4 ? 2 : 0;
        if (hypot(A[k].re / N - height, A[k].im / N) > 1e-9)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    t_bsp whole_machine, *gbsp = &whole_machine;
    Complex *a, *A, *W;
    int N = 4096, wrong = 0;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, gbsp);
    if (bsp_nprocs(gbsp) & (bsp_nprocs(gbsp) - 1))
        bsp_abort(gbsp, "fft: %d processors; their number must be a power of two\n",
                  bsp_nprocs(gbsp));
    a = malloc(LARGEST * sizeof *a);
    A = malloc(LARGEST * sizeof *A);
    W = malloc(LARGEST / 2 * sizeof *W);
    if (!a || !A || !W)
        bsp_abort(gbsp, "fft: no memory for %d numbers\n", LARGEST);

#pragma cll for (N = 1024; N <= LARGEST; N *= 2)
    initialize(N, a);
    Roots(N / 2, W);
#pragma cll sync f f[0] + f[1]*log(P) + \
    f[2]*(N/P)*log(N/P) + f[3]*N*(P-1)/P
    parDandCFFT(A, a, W, N, 1, gbsp);
#pragma cll end f
    /* Every processor has the whole result. */
    wrong += !is_right(N, A);
#pragma cll end for

#pragma cll report all
    if (wrong)
        printf("fft: processor %d: WRONG\n", bsp_pid(gbsp));
    free(a);
    free(A);
    free(W);
    bsplib_done();
    return wrong > 0;
}
