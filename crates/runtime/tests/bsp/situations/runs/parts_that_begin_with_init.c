/* A parallel part can begin with bsp_init, as the one before it did, with another function and number. */
// not with: virtual
// output: all {p}
// output: one of them
// output: all {p}
#include <bsp.h>

static int of_processor_0;

static void all(void)
{
    int x = -1, there;
    bsp_begin(bsp_nprocs());
    there = (int)bsp_nprocs();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put((bsp_pid() + 1) % bsp_nprocs(), &there, &x, 0, sizeof x);
    bsp_sync();
    of_processor_0 += x;
    bsp_end();
}

static void one(void)
{
    bsp_begin(1);
    of_processor_0 = bsp_nprocs() == 1 ? 0 : -1000;
    bsp_sync();
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(all, argc, argv);
    all();
    printf("all %d\n", of_processor_0);
    bsp_init(one, argc, argv);
    one();
    puts("one of them");
    bsp_init(all, argc, argv);
    all();
    printf("all %d\n", of_processor_0);
    return 0;
}
