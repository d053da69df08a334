/* A copy of the program, as a thread of the threads engine: where it begins and how it leaves. */
#include <setjmp.h>
#include <stddef.h>

/* What the first copy tells another one; the same in all, since they are the same. */
struct cll_bsp_task {
    void *seat;
    void (*spmd)(void);
    int (*main)(int, char **, char **);
    int argc;
    char **argv;
    char **environment;
};

void cll_bsp_take_seat(void *seat);
void cll_bsp_returned(int from_main);
void *cll_bsp_run_copy(void *task);
void cll_bsp_leave_copy(void) __attribute__((__noreturn__));

static jmp_buf home;

/* The body of a thread; called in the copy that it is to run. */
void *cll_bsp_run_copy(void *given)
{
    struct cll_bsp_task *task = given;
    cll_bsp_take_seat(task->seat);
    if (_setjmp(home) == 0) {
        if (task->spmd)
            task->spmd();
        else
            task->main(task->argc, task->argv, task->environment);
        cll_bsp_returned(task->spmd == NULL);
    }
    return NULL;
}

/* Ends the thread, in bsp_end. */
void cll_bsp_leave_copy(void)
{
    _longjmp(home, 1);
}
