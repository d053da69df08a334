/* A program that finds after bsp_init that it does not want to begin ends as it likes: with
 * its own status and words, and nothing else is said. */
// output: Sorry, only {p} processors available.
// status: 3
#include <bsp.h>
#include <stdlib.h>

static void spmd(void)
{
    bsp_begin(100);
    puts("not reached");
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    printf("Sorry, only %d processors available.\n", (int)bsp_nprocs());
    if (argc > 0)
        exit(3);
    spmd();
    return 0;
}
