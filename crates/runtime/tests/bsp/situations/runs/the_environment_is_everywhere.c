/* Arguments and environment can be read on every processor. */
// output: {p} of {p} have them
#include <bsp.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    const char *mark = getenv("CLL_TEST_MARK");
    int have = mark != NULL && *mark != '\0' && argc == 1 && argv[0][0] != '\0';
    bsp_send(0, NULL, &have, sizeof have);
    bsp_sync();
    if (bsp_pid() == 0) {
        int sum = 0;
        for (int q = 0; q < (int)bsp_nprocs(); q++) {
            bsp_move(&have, sizeof have);
            sum += have;
        }
        printf("%d of %d have them\n", sum, (int)bsp_nprocs());
    }
    bsp_end();
    return 0;
}
