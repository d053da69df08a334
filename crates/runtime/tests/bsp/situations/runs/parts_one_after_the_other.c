/* After bsp_end another parallel part can begin; registrations of one are not known in the next. */
// engine: processes
// output: 10 parts, {sum} in the last
#include <bsp.h>

int main(void)
{
    int part, x, sum = 0;
    for (part = 0; part < 10; part++) {
        bsp_begin(bsp_nprocs());
        x = -1;
        bsp_push_reg(&x, sizeof x);
        bsp_push_reg(&sum, sizeof sum);
        bsp_sync();
        bsp_put((bsp_pid() + 1) % bsp_nprocs(), &part, &x, 0, sizeof x);
        bsp_sync();
        if (x != part)
            bsp_abort("part %d: %d", part, x);
        x = (int)bsp_pid();
        bsp_send(0, NULL, &x, sizeof x);
        bsp_sync();
        sum = 0;
        if (bsp_pid() == 0) {
            int i;
            for (i = 0; i < (int)bsp_nprocs(); i++) {
                bsp_move(&x, sizeof x);
                sum += x;
            }
        }
        bsp_end();
    }
    printf("%d parts, %d in the last\n", part, sum);
    return 0;
}
