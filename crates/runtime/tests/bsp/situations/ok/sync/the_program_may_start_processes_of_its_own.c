/* A child that the program makes is no processor: its end, by exit too, is none of the machine's. */
#include "situation.h"
#include <sys/wait.h>
#include <unistd.h>

void situation_the_program_may_start_processes_of_its_own(void)
{
    int x = 0, s = me(), status = -1;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(right(), &s, &x, 0, sizeof s);
    CHECK_EQUAL(system("exit 3"), 3 << 8);
    pid_t child = fork();
    if (child == 0)
        _exit(5);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5);
    fflush(NULL);
    child = fork();
    if (child == 0)
        exit(6);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 6);
    bsp_sync();
    CHECK_EQUAL(x, left());
    bsp_pop_reg(&x);
    bsp_sync();
}
