/* The same by a return from main. */
// output: usage: program N
// status: 2
#include <bsp.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    if (argc != 2) {
        puts("usage: program N");
        return 2;
    }
    spmd();
    return 0;
}
