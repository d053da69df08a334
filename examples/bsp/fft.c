/*
 * fft.c: the transform of n complex numbers, n a power of two, with one exchange.
 *
 * Shows: how far a distribution can save communication. The numbers are seen as a matrix of n1 x n2,
 * n1 n2 = n. Processors begin with columns, transform them, multiply by roots of unity, exchange so that
 * they have rows, and transform these. So element j begins with the owner of column j mod n2, and
 * element k of the result ends with the owner of row k mod n1: 5 n log2(n)/p + 2 (n/p) 2 g + l.
 *
 *   cll cc -O2 examples/bsp/fft.c -o fft -lm
 *   cll run -n 4 ./fft 262144
 *
 * Any number of processors up to the root of n.
 */
#include <bsp.h>
#include <math.h>
#include <stdlib.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

typedef struct {
    double re, im;
} Complex;

static int n = 65536; /* on processor 0 until the others have got it */
static int right = 1;

static Complex root(double k, double of)
{
    Complex w = { cos(2 * M_PI * k / of), -sin(2 * M_PI * k / of) };
    return w;
}

static Complex times(Complex x, Complex y)
{
    Complex z = { x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re };
    return z;
}

/* A = the transform of the N numbers a[0], a[stride] ...; W has the N/2 roots, a power of two apart. */
static void transform(Complex *A, const Complex *a, const Complex *W, int N, int stride, int step)
{
    if (N == 1) {
        A[0] = a[0];
        return;
    }
    transform(A, a, W, N / 2, 2 * stride, 2 * step);
    transform(A + N / 2, a + stride, W, N / 2, 2 * stride, 2 * step);
    for (int k = 0; k < N / 2; k++) {
        Complex x = A[k], y = times(A[k + N / 2], W[k * step]);
        A[k].re = x.re + y.re;
        A[k].im = x.im + y.im;
        A[k + N / 2].re = x.re - y.re;
        A[k + N / 2].im = x.im - y.im;
    }
}

static Complex *new_complex(size_t count)
{
    Complex *array = malloc((count + 1) * sizeof *array);
    if (array == NULL)
        bsp_abort("fft: no memory for %lu numbers\n", (unsigned long)count);
    return array;
}

static Complex *roots(int N)
{
    Complex *W = new_complex(N / 2);
    for (int k = 0; k < N / 2; k++)
        W[k] = root(k, N);
    return W;
}

static int begin_of(int q, int range) { return (int)((long)range * q / bsp_nprocs()); }

/* A wave of frequency 3 and one of n/4, of heights 1 and 2: so the transform is n at 3, 2n at n/4, and
 * zero elsewhere. */
static Complex wave(long j)
{
    Complex x = root(-3.0 * j, n), y = root(-(double)(j % 4), 4);
    Complex sum = { x.re + 2 * y.re, x.im + 2 * y.im };
    return sum;
}

static int is_right(long k, Complex x)
{
    double expected = (k == 3 % n ? n : 0) + (k == n / 4 ? 2.0 * n : 0);
    return fabs(x.re - expected) <= 1e-9 * n && fabs(x.im) <= 1e-9 * n;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid(), rights = 0;
    bsp_push_reg(&n, sizeof n);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();

    int n1 = 1;
    while ((long)n1 * n1 < n)
        n1 *= 2;
    int n2 = n / n1; /* n1, or half of it */
    if (p > n2)
        bsp_abort("fft: %d numbers are for at most %d processors\n", n, n2);
    int column = begin_of(s, n2), columns = begin_of(s + 1, n2) - column;
    int row = begin_of(s, n1), rows = begin_of(s + 1, n1) - row;
    Complex *a = new_complex((size_t)columns * n1), *by_column = new_complex(n1);
    Complex *A = new_complex((size_t)rows * n2), *result = new_complex((size_t)rows * n2);
    Complex *part = new_complex((size_t)columns * n1), *W1 = roots(n1), *W2 = roots(n2);
    for (int c = 0; c < columns; c++)
        for (int j = 0; j < n1; j++)
            a[(size_t)c * n1 + j] = wave((long)j * n2 + column + c);
    bsp_push_reg(A, rows * n2 * (int)sizeof *A);
    bsp_sync();
    double begin = bsp_time();

    for (int c = 0; c < columns; c++) {
        transform(by_column, a + (size_t)c * n1, W1, n1, 1, 1);
        for (int k = 0; k < n1; k++)
            part[(size_t)k * columns + c] =
                times(by_column[k], root((double)k * (column + c), n));
    }
    for (int q = 0; q < p; q++)
        for (int k = begin_of(q, n1); k < begin_of(q + 1, n1); k++)
            bsp_hpput(q, part + (size_t)k * columns, A,
                      ((k - begin_of(q, n1)) * n2 + column) * (int)sizeof *A,
                      columns * (int)sizeof *A);
    bsp_sync();
    for (int r = 0; r < rows; r++)
        transform(result + (size_t)r * n2, A + (size_t)r * n2, W2, n2, 1, 1);
    double passed = bsp_time() - begin;

    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n2; k++)
            right &= is_right(row + r + (long)n1 * k, result[(size_t)r * n2 + k]);
    bsp_pop_reg(A);
    if (right)
        bsp_send(0, NULL, NULL, 0); /* one message from each who is content */
    bsp_sync();
    if (s == 0) {
        bsp_qsize(&rights, NULL);
        right = rights == p;
        printf("fft: %d numbers, %d processors: %.1f us\n", n, p, 1e6 * passed);
        puts(right ? "fft: two peaks, where they belong" : "fft: WRONG");
    }
    free(a);
    free(by_column);
    free(A);
    free(result);
    free(part);
    free(W1);
    free(W2);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2 || n < 16 || n > 1 << 24 || (n & (n - 1)) != 0) {
        fputs("usage: fft [NUMBERS], a power of two from 16 to 16777216\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
