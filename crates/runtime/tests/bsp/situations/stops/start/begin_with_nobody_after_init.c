/* bsp_begin must request at least one processor, even if bsp_init has started others, which wait. */
// expect: bsp_begin at {here}: .. 0 processors
#include <bsp.h>

static int wanted;

static void spmd(void)
{
    bsp_begin(wanted); /* here */
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    spmd();
    return 0;
}
