/* With int; what it calls has size_t. */
#include <bsp.h>

void other(void);

int main(void)
{
    int x[2] = { -1, -1 }, s;
    bsp_begin(bsp_nprocs());
    s = bsp_pid();
    bsp_push_reg(x, sizeof x);
    other();
    bsp_put((s + 1) % bsp_nprocs(), &s, x, sizeof(int), sizeof(int));
    other();
    if (x[1] != (s + bsp_nprocs() - 1) % bsp_nprocs() || x[0] != -1)
        bsp_abort("%d has %d\n", s, x[1]);
    bsp_end();
    printf("good on %d\n", bsp_nprocs());
    return 0;
}
