/* Watches one process of a program that MPI has started. If it ends too early, reports how, since no launcher
 * of MPI names the processor. Compiled beside transport.c; each process of the program starts its own. A fork of
 * the process itself would make it copy each page that it writes.
 *
 * Descriptor 3 is a pipe whose other end only the watched process has; 4 is the memory that the processes on
 * this host share. The arguments are the index of the watched process's rank_state in it, and the name of the
 * host. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* As in shared_status.rs of the MPI engine. */
struct rank_state {
    _Atomic uint32_t process, rank, processors, stage, line, padding;
    /* When its process ended, in the time of this host; 0: it has not ended. */
    _Atomic uint64_t ended;
    char file[96];
};

struct node {
    _Atomic uint32_t stopped, gone, ranks, padding[29];
    struct rank_state rank_state[];
};

enum { BEFORE_BEGIN = 0, RUNNING = 1, ENDED = 2 };

static void nap(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* The exit status of a process for which its parent may not have waited: the last field of its line in /proc. */
static int ending(int stat, int *status)
{
    char line[1024], *field;
    ssize_t size = stat < 0 ? -1 : pread(stat, line, sizeof line - 1, 0);
    if (size <= 0)
        return 0;
    line[size] = 0;
    /* The name is in parentheses and may have any characters. */
    field = strrchr(line, ')');
    if (!field || !(field = strrchr(field, ' ')))
        return 0;
    *status = atoi(field);
    return 1;
}

/* The same after its parent has waited: Linux 6.15 and later keep it with a descriptor of the process. */
static int ending_after_wait(int process, int *status)
{
    /* struct pidfd_info, PIDFD_INFO_EXIT and PIDFD_GET_INFO, which headers may not have yet. */
    struct { uint64_t mask, cgroup; uint32_t numbers[11]; int32_t exit_code; } info = {1u << 3, 0, {0}, 0};
    if (process < 0 || ioctl(process, _IOC(_IOC_READ | _IOC_WRITE, 0xFF, 11, sizeof info), &info) != 0
        || !(info.mask & 1u << 3))
        return 0;
    *status = info.exit_code;
    return 1;
}

static void describe(char *into, size_t size, int known, int status)
{
    if (known && WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        snprintf(into, size, "was killed by signal %d%s%s%s", WTERMSIG(status), name ? " (SIG" : "",
                 name ? name : "", name ? ")" : "");
    } else if (known) {
        snprintf(into, size, "ended with status %d before bsp_end", WEXITSTATUS(status));
    } else {
        snprintf(into, size, "was killed, crashed or called _exit before bsp_end");
    }
}

static void report(const struct rank_state *rank_state, const char *how, const char *machine)
{
    char text[1024], place[200];
    uint32_t line = atomic_load(&rank_state->line);
    int length;
    if (line > 0)
        snprintf(place, sizeof place, "its last bsp_sync was at %.95s:%u", rank_state->file, line);
    else
        snprintf(place, sizeof place, "it had not reached a bsp_sync");
    length = snprintf(text, sizeof text, "cll: processor %u of %u (process %u on %s) %s; %s\n",
                      atomic_load(&rank_state->rank), atomic_load(&rank_state->processors),
                      atomic_load(&rank_state->process), machine, how, place);
    if (length > (int)sizeof text - 1)
        length = (int)sizeof text - 1;
    /* An error cannot be reported anywhere. */
    if (write(2, text, (size_t)length) < 0)
        return;
}

/* The number of other processes on this host that have not ended; sends them a signal, if it is not 0. */
static int others(struct node *node, const struct rank_state *own, int signal)
{
    int alive = 0;
    for (uint32_t i = 0; i < atomic_load(&node->ranks); i++) {
        struct rank_state *rank_state = &node->rank_state[i];
        uint32_t process = atomic_load(&rank_state->process);
        if (rank_state != own && process > 1 && atomic_load(&rank_state->stage) == RUNNING)
            alive += kill((pid_t)process, signal) == 0;
    }
    return alive;
}

/* The launcher ends the others; if it does not, this leaves none on this host. */
static void end_the_others(struct node *node, const struct rank_state *own)
{
    /* The launcher waits until every process has closed it. */
    close(2);
    for (int i = 0; i < 100; i++) {
        nap(20);
        if (others(node, own, 0) == 0)
            return;
    }
    others(node, own, SIGKILL);
}

static int is_first(const struct node *node, const struct rank_state *own)
{
    uint64_t ended = atomic_load(&own->ended);
    for (uint32_t i = 0; i < atomic_load(&node->ranks); i++) {
        uint64_t other = atomic_load(&node->rank_state[i].ended);
        if (&node->rank_state[i] != own && other != 0 && other < ended)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    char byte, path[64], how[128];
    struct stat shared;
    struct node *node;
    struct rank_state *rank_state;
    struct timespec now;
    struct sched_param priority = {.sched_priority = 1};
    int stat, process, status = 0, known;
    ssize_t size;

    if (argc < 3 || fstat(4, &shared) != 0)
        return 2;
    /* Fork twice, so that this is not a child for which the watched process might wait. */
    if (fork() != 0)
        return 0;
    /* The other inherited descriptors belong to the launcher, which waits until all processes have closed them. */
    close(0);
    close(1);
    syscall(SYS_close_range, 5u, ~0u, 0u);
    node = mmap(NULL, (size_t)shared.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    if (node == MAP_FAILED)
        return 2;
    rank_state = &node->rank_state[atoi(argv[1])];
    /* If permitted, with priority over computing processes: launchers kill the others at once, and the order in
       which the watchers wake shows which process ended first. */
    sched_setscheduler(0, SCHED_RR, &priority);
    snprintf(path, sizeof path, "/proc/%u/stat", atomic_load(&rank_state->process));
    stat = open(path, O_RDONLY | O_CLOEXEC);
    process = (int)syscall(SYS_pidfd_open, (pid_t)atomic_load(&rank_state->process), 0u);
    while ((size = read(3, &byte, 1)) < 0 && errno == EINTR)
        ;
    if (size > 0 || atomic_load(&rank_state->stage) != RUNNING)
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    atomic_store(&rank_state->ended, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
    known = ending(stat, &status) || ending_after_wait(process, &status);
    /* The launcher may have ended this process because another one has ended: the watcher of that one
       reports, so wait for it. */
    if (!known || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGKILL)))
        nap(100);
    if (is_first(node, rank_state) && atomic_exchange(&node->stopped, 1) == 0) {
        describe(how, sizeof how, known, status);
        report(rank_state, how, argv[2]);
        end_the_others(node, rank_state);
    }
    return 0;
}
