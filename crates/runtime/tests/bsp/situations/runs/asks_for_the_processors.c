/* The way of many programs: main asks how many processors to use, tells nobody but
 * bsp_begin, and the size comes from processor 0 inside the SPMD part. */
// processors: 2 3 4 8
// input: 2 10
// output: How many processors do you want to use?
// output: Please enter n:
// output: Sum of squares up to 10: 385
// output: done
#include <bsp.h>
#include <stdlib.h>

static int wanted; /* 0 on all but processor 0 */

static double inner_product(int p, int s, int n)
{
    double sum = 0, *sums = malloc(p * sizeof *sums);
    bsp_push_reg(sums, p * sizeof *sums);
    bsp_sync();
    for (int i = s + 1; i <= n; i += p)
        sum += (double)i * i;
    for (int t = 0; t < p; t++)
        bsp_put(t, &sum, sums, s * sizeof sum, sizeof sum);
    bsp_sync();
    sum = 0;
    for (int t = 0; t < p; t++)
        sum += sums[t];
    bsp_pop_reg(sums);
    free(sums);
    return sum;
}

static void spmd(void)
{
    int p, s, n;
    bsp_begin(wanted);
    p = bsp_nprocs();
    s = bsp_pid();
    if (s == 0) {
        printf("Please enter n:\n");
        fflush(stdout);
        if (scanf("%d", &n) != 1 || n < 0)
            bsp_abort("Error in input: n is negative\n");
    }
    bsp_push_reg(&n, sizeof n);
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof n);
    bsp_sync();
    bsp_pop_reg(&n);
    bsp_sync();
    double sum = inner_product(p, s, n);
    if (s == 0)
        printf("Sum of squares up to %d: %.0f\n", n, sum);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    printf("How many processors do you want to use?\n");
    fflush(stdout);
    if (scanf("%d", &wanted) != 1)
        return EXIT_FAILURE;
    if (wanted > (int)bsp_nprocs()) {
        printf("Sorry, only %d processors available.\n", (int)bsp_nprocs());
        return EXIT_FAILURE;
    }
    spmd();
    puts("done");
    exit(EXIT_SUCCESS);
}
