/* When bsp_end returns on processor 0 the others have ended, and their output is written. */
// processors: 2
// output: from 1
// output: from 0
#include <bsp.h>
#include <unistd.h>

int main(void)
{
    bsp_begin(2);
    if (bsp_pid() == 1) {
        usleep(20000);
        printf("from 1\n");
    }
    bsp_end();
    printf("from 0\n");
    return 0;
}
