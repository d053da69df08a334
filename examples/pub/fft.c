/*
 * fft.c: the parallel transform of figure 5 of the CALL paper, whole.
 *
 * Shows: a divide and conquer algorithm in machine objects. Each level divides its processors into
 * halves, which transform the even and the odd elements at their own pace; then every processor
 * swaps its half of the result with a partner, and waits for that one message alone (bsp_oblsync).
 * N numbers on P processors, both powers of two: (N/P) log(N/P) + O(N) operations, and 1 message of
 * n = N/2, N/4 .. numbers in each of log P levels.
 *
 *   cll cc -O2 examples/pub/fft.c -o fft -lm
 *   cll run -n 8 ./fft 65536
 *   cll run -n 4 ./fft signal.txt         # a line `re im` for each of N numbers
 *
 * parDandCFFT is the paper's, with its `#pragma cll` lines (a misprint in one of them is corrected).
 */
#include <math.h>
#include <pub.h>
#include <stdlib.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

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

/* Numbers that look random and are the same on all processors. */
static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / (double)(1 << 24) - 0.5;
}

/* All processors run main, so each reads the signal itself. */
static Complex *input(const char *what, int *N)
{
    char *end;
    unsigned state = 2003;
    Complex *a;
    FILE *file;
    long size = strtol(what, &end, 10), room = 1024;
    if (*end == '\0' && size > 0 && size <= 1 << 26) {
        if (!(a = malloc(size * sizeof *a)))
            bsp_abort(NULL, "fft: no memory for %ld numbers\n", size);
        for (*N = 0; *N < size; ++*N) {
            a[*N].re = noise(&state);
            a[*N].im = noise(&state);
        }
        return a;
    }
    if (!(file = fopen(what, "r")))
        bsp_abort(NULL, "fft: %s is neither a number of elements nor a file\n", what);
    for (*N = 0, a = malloc(room * sizeof *a);; ++*N) {
        if (*N == room)
            a = realloc(a, (room *= 2) * sizeof *a);
        if (!a)
            bsp_abort(NULL, "fft: no memory for %ld numbers\n", room);
        if (fscanf(file, "%lf %lf", &a[*N].re, &a[*N].im) != 2)
            break;
    }
    fclose(file);
    return a;
}

/* Against the sum that a transform is: all elements, or a hundred of them where there are many. */
static double error(const Complex *A, const Complex *a, int N)
{
    int k, j, step = N <= 4096 ? 1 : N / 100;
    double worst = 0;
    for (k = 0; k < N; k += step) {
        double re = 0, im = 0, d;
        for (j = 0; j < N; j++) {
            double x = -2 * M_PI * (double)((long)k * j % N) / N, c = cos(x), s = sin(x);
            re += a[j].re * c - a[j].im * s;
            im += a[j].re * s + a[j].im * c;
        }
        d = hypot(re - A[k].re, im - A[k].im) / sqrt(N);
        worst = d > worst ? d : worst;
    }
    return worst;
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    Complex *a, *A, *W;
    double time, off;
    int N, k, right;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);

    a = input(argc > 1 ? argv[1] : "4096", &N);
    if (N < 1 || (N & (N - 1)))
        bsp_abort(&bsp, "fft: %d numbers; their number must be a power of two\n", N);
    if (bsp_nprocs(&bsp) & (bsp_nprocs(&bsp) - 1))
        bsp_abort(&bsp, "fft: %d processors; their number must be a power of two\n",
                  bsp_nprocs(&bsp));
    A = malloc(N * sizeof *A);
    W = malloc((N / 2 + 1) * sizeof *W);
    if (!A || !W)
        bsp_abort(&bsp, "fft: no memory for %d numbers\n", N);
    whole = N;
    for (k = 0; k < N / 2; k++) {
        W[k].re = cos(-2 * M_PI * k / N);
        W[k].im = sin(-2 * M_PI * k / N);
    }

    bsp_sync(&bsp);
    time = bsp_time(&bsp);
    parDandCFFT(A, a, W, N, 1, &bsp);
    time = bsp_time(&bsp) - time;

    /* Every processor has the whole result, and checks it. */
    off = error(A, a, N);
    right = off < 1e-9;
    if (!right)
        printf("fft: processor %d: WRONG by %g\n", bsp_pid(&bsp), off);
    if (bsp_pid(&bsp) == 0 && right)
        printf("fft: %d numbers on %d processors, right; %.3f ms\n", N, bsp_nprocs(&bsp),
               1e3 * time);
    bsplib_done();
    free(a);
    free(A);
    free(W);
    return right ? 0 : 1;
}
