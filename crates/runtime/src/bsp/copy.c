/* A copy of the program, as a thread of the threads engine: how it begins and how it ends. */
#include <setjmp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the first copy passes to another one; both have the same type. */
struct cll_bsp_task {
    void *slot;
    void *crew;
    void (*spmd)(void);
    int (*main)(int, char **, char **);
    int argc;
    char **argv;
    char **environment;
};

void cll_bsp_take_seat(void *slot, void *crew);
void cll_bsp_returned(int from_main);
void cll_bsp_gone(int status);
int cll_bsp_may_leave(void);
void *cll_bsp_run_copy(void *task);
void cll_bsp_leave_copy(int status) __attribute__((__noreturn__));
void cll_bsp_exit(int status) __attribute__((__noreturn__));
void cll_bsp_quick_exit(int status) __attribute__((__noreturn__));
void cll_bsp_exit_now(int status) __attribute__((__noreturn__));
void cll_bsp_may_exit_now(const char *name);

/* The functions of the C library, in a program that is linked with --wrap=exit and --wrap=quick_exit. */
extern void __real_exit(int status) __attribute__((__weak__, __noreturn__));
extern void __real_quick_exit(int status) __attribute__((__weak__, __noreturn__));

static jmp_buf home;
static volatile int left_with;

/* The start function of a thread; called in the copy that it runs. */
void *cll_bsp_run_copy(void *given)
{
    struct cll_bsp_task *task = given;
    cll_bsp_take_seat(task->slot, task->crew);
    if (_setjmp(home) == 0) {
        if (task->spmd)
            task->spmd();
        else
            left_with = task->main(task->argc, task->argv, task->environment);
        cll_bsp_returned(task->spmd == NULL);
    }
    cll_bsp_gone(left_with);
    return NULL;
}

/* Ends the thread. */
void cll_bsp_leave_copy(int status)
{
    left_with = status;
    _longjmp(home, 1);
}

/* Replaces exit in the program, which would end all copies: after its machine has ended, only this copy ends. */
void cll_bsp_exit(int status)
{
    if (cll_bsp_may_leave())
        cll_bsp_leave_copy(status);
    __real_exit(status);
}

/* The same for quick_exit. No exit handler of the library runs then, so it checks now whether this is
   permitted. */
void cll_bsp_quick_exit(int status)
{
    if (cll_bsp_may_leave())
        cll_bsp_leave_copy(status);
    cll_bsp_may_exit_now("quick_exit");
    __real_quick_exit(status);
}

/* The same for _exit and _Exit. */
void cll_bsp_exit_now(int status)
{
    if (cll_bsp_may_leave())
        cll_bsp_leave_copy(status);
    cll_bsp_may_exit_now("_exit");
    syscall(SYS_exit_group, status);
    __builtin_trap();
}
