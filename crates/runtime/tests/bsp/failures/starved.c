/*
 * starved: processor 0 has a low priority on the processor of the machine that the argument names, where
 * others are busy; processor 1 aborts. It must end as it does elsewhere, only later.
 */
#define _GNU_SOURCE
#include <bsp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

int main(int argc, char **argv)
{
    bsp_begin(2);
    if (bsp_pid() == 0 && argc > 1) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(atoi(argv[1]), &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0 || setpriority(PRIO_PROCESS, 0, 15) != 0)
            return 2;
    }
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_abort("enough\n");
    bsp_sync();
    bsp_end();
    return 0;
}
