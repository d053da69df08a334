/*
 * broadcast.c: processor 0 gives an array of n doubles to all, in one stage and in two.
 *
 * Shows: what the model is for. In one stage processor 0 sends everything to everybody, (p-1) n g + l;
 * in two it deals the array out in parts, and each processor hands its part on to all, about
 * 2 n g + 2 l: better from some n on, since h counts what one processor sends or receives.
 *
 *   cll cc -O2 examples/bsp/broadcast.c -o broadcast
 *   cll run -n 4 ./broadcast 100000
 *
 * Any number of processors.
 */
#include <bsp.h>
#include <stdlib.h>

enum { ROUNDS = 5 };

static int n = 100000; /* on processor 0 until the others have got it */
static int right = 1;

static double element(int i, int round) { return 0.5 * i + round; }

static void in_one_stage(double *x)
{
    if (bsp_pid() == 0)
        for (int q = 1; q < bsp_nprocs(); q++)
            bsp_put(q, x, x, 0, n * (int)sizeof *x);
    bsp_sync();
}

static void in_two_stages(double *x)
{
    int p = bsp_nprocs(), part = (n + p - 1) / p;
#define FIRST(q) ((q) * part < n ? (q) * part : n)
#define BYTES(q) ((FIRST((q) + 1) - FIRST(q)) * (int)sizeof *x)
    if (bsp_pid() == 0)
        for (int q = 1; q < p; q++)
            bsp_put(q, x + FIRST(q), x, FIRST(q) * (int)sizeof *x, BYTES(q));
    bsp_sync();
    int s = bsp_pid();
    for (int q = 1; q < p; q++)
        if (q != s)
            bsp_put(q, x + FIRST(s), x, FIRST(s) * (int)sizeof *x, BYTES(s));
    bsp_sync();
#undef FIRST
#undef BYTES
}

/* The shortest time of some rounds. All of x must have come, in each of them. */
static double seconds(void (*broadcast)(double *), double *x)
{
    double best = 1e300;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < n; i++)
            x[i] = bsp_pid() == 0 ? element(i, round) : -1;
        bsp_sync();
        double begin = bsp_time();
        broadcast(x);
        double passed = bsp_time() - begin;
        best = passed < best ? passed : best;
        for (int i = 0; i < n; i++)
            right &= x[i] == element(i, round);
    }
    return best;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), all_right = 1, *rights = calloc(p, sizeof *rights);
    bsp_push_reg(&n, sizeof n);
    bsp_push_reg(rights, p * (int)sizeof *rights);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();

    double *x = malloc((n > 0 ? n : 1) * sizeof *x);
    if (x == NULL || rights == NULL)
        bsp_abort("broadcast: no memory for %d doubles\n", n);
    bsp_push_reg(x, n * (int)sizeof *x);
    bsp_sync();
    double one = seconds(in_one_stage, x), two = seconds(in_two_stages, x);
    bsp_pop_reg(x);

    bsp_put(0, &right, rights, bsp_pid() * (int)sizeof right, sizeof right);
    bsp_sync();
    if (bsp_pid() == 0) {
        for (int q = 0; q < p; q++)
            all_right &= rights[q];
        printf("broadcast: %d doubles to %d processors: one stage %.1f us, two stages %.1f us\n", n,
               p, 1e6 * one, 1e6 * two);
        puts(all_right ? "broadcast: arrived everywhere" : "broadcast: WRONG");
        right = all_right;
    }
    free(x);
    bsp_end();
    free(rights);
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2 || n < 0) {
        fputs("usage: broadcast [DOUBLES]\n", stderr);
        return 2;
    }
    spmd();
    return right ? 0 : 1;
}
