/* More processors than the machine has cores, and more than are looked at one by one. */
// processors: 100
// output: 4950
#include <pub.h>

static void add(int *sum, int *x, int *y, int *size) { *sum = *x + *y; (void)size; }

int main(void)
{
    t_bsp bsp, part;
    int p, me, sum, i, bounds[3] = { 10, 50, 100 };
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    p = bsp_nprocs(&bsp), me = bsp_pid(&bsp);
    for (i = 0; i < 10; i++) {
        bsp_send(&bsp, (me + 1) % p, &i, sizeof i);
        bsp_send(&bsp, (me + 37) % p, &i, sizeof i);
        bsp_oblsync(&bsp, 2);
    }
    bsp_partition(&bsp, &part, 3, bounds);
    bsp_reduce(&part, add, &me, &sum, sizeof sum);
    bsp_sync(&part);
    if (bsp_pid(&part) > 0)
        sum = 0;
    bsp_done(&part);
    bsp_reduce(&bsp, add, &sum, &sum, sizeof sum);
    if (me == 0)
        printf("%d\n", sum);
    bsplib_done();
    return 0;
}
