/* What was printed before the start, and is not written yet, is written once. */
// output: before init, before begin, inside, after
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        printf("inside, ");
    bsp_end();
}

int main(int argc, char **argv)
{
    printf("before init, ");
    bsp_init(spmd, argc, argv);
    printf("before begin, ");
    spmd();
    printf("after\n");
    return 0;
}
