/* After bsp_end no descriptor is open that was not before, and no child is left. */
// output: as before
#include <bsp.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

static int open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

int main(void)
{
    int before = open_descriptors();
    bsp_begin(bsp_nprocs());
    char *area = malloc(100000);
    bsp_push_reg(area, 100000);
    bsp_sync();
    bsp_put(0, "x", area, 5, 1);
    bsp_sync();
    bsp_pop_reg(area);
    bsp_sync();
    free(area);
    bsp_end();
    int after = open_descriptors();
    if (wait(NULL) != -1 || errno != ECHILD)
        puts("a child is left");
    else if (after != before)
        printf("%d descriptors, before %d\n", after, before);
    else
        puts("as before");
    return 0;
}
