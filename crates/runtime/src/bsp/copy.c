/* A copy of the program, as a thread of the threads engine: where it begins and how it leaves. */
#include <setjmp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the first copy tells another one; the same in all, since they are the same. */
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

/* Those of the C library, in a program that is linked with --wrap=exit and --wrap=quick_exit. */
extern void __real_exit(int status) __attribute__((__weak__, __noreturn__));
extern void __real_quick_exit(int status) __attribute__((__weak__, __noreturn__));

static jmp_buf home;
static volatile int left_with;

/* The body of a thread; called in the copy that it is to run. */
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

/* What the program calls as exit, which would end all copies: one whose machine has ended goes alone. */
void cll_bsp_exit(int status)
{
    if (cll_bsp_may_leave())
        cll_bsp_leave_copy(status);
    __real_exit(status);
}

/* The same for quick_exit. No function of the library's runs then, so it looks now whether this may be. */
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
