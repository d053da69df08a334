/* std: c99 c11 gnu89; libs: -lm */
/* Figure 5 of the 2003 paper, with a machine of one processor after another. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { double re, im; } Complex;
typedef struct { int nprocs, pid; } t_bsp;
static Complex inbox[64];

static int bsp_nprocs(t_bsp *b) { return b->nprocs; }
static int bsp_pid(t_bsp *b) { return b->pid; }
static void bsp_partition(t_bsp *b, t_bsp *to, int n, int *subgroup)
{
    (void)n;
    to->nprocs = b->pid < subgroup[0] ? subgroup[0] : subgroup[1] - subgroup[0];
    to->pid = b->pid < subgroup[0] ? b->pid : b->pid - subgroup[0];
}
static void bsp_done(t_bsp *b) { (void)b; }
static void bsp_hpsend(t_bsp *b, int to, void *what, int size)
{
    (void)b, (void)to;
    memcpy(inbox, what, (unsigned long)size);
}
static void bsp_oblsync(t_bsp *b, int n) { (void)b, (void)n; }
static int bsp_getmsg(t_bsp *b, int n) { (void)b; return n; }
static void *bspmsg_data(int n) { return inbox + n; }
static void seqDandCFFT(Complex *A, Complex *a, Complex *W, int N, int stride)
{
    int i;
    (void)W;
    for (i = 0; i < N; i++)
        A[i] = a[i * stride];
}
static void combine(Complex *A, Complex *B, Complex *C, Complex *W, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        Complex b = B[i], c = C[i];
        A[i].re = b.re + W[i].re * c.re;
        A[i + n].re = b.re - W[i].re * c.re;
    }
}

static void parDandCFFT(Complex *A, Complex *a, Complex *W, int N, int stride, t_bsp *gbsp) {
    int n, size, subgroup[2], partner; Complex *B, *C; t_bsp bsp_new;
    if (bsp_nprocs(gbsp) > 1) {
        if (N==1) {A[0].re = a[0].re; A[0].im = a[0].im;}
        else {
            #pragma cll A A[0]
            n = N/2; size = n * (int)sizeof(Complex); B = A; C = A + n;
            #pragma cll end A
            #pragma cll B B[0]
            subgroup[1] = bsp_nprocs(gbsp);
            subgroup[0] = (bsp_nprocs(gbsp)/2);
            bsp_partition(gbsp, &bsp_new, 2, subgroup);
            #pragma cll end B
            if(bsp_pid(gbsp)<subgroup[0]) {
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

int main(void)
{
    static Complex a[16], A[16], W[16];
    t_bsp machine = { 4, 3 };
    int i, N = 16;
    for (i = 0; i < N; i++) {
        a[i].re = i;
        W[i].re = cos(i);
    }
#pragma cll f f[0]+f[1]*log(P)+\
   f[2]*(N/P)*log(N/P)+f[3]*N*(P-1)/P
    parDandCFFT(A, a, W, N, 1, &machine);
#pragma cll end f
    for (i = 0; i < N; i++)
        printf("%.3f ", A[i].re);
    printf("\n");
#pragma cll report all
    return 0;
}
