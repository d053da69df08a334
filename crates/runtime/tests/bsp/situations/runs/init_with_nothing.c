/* bsp_init takes 0 and NULL for the arguments. */
// output: begin
// output: {p} processors
// output: end
#include <bsp.h>
#include <stddef.h>

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        printf("%d processors\n", (int)bsp_nprocs());
    bsp_end();
}

int main(void)
{
    bsp_init(spmd, 0, NULL);
    puts("begin");
    spmd();
    puts("end");
    return 0;
}
