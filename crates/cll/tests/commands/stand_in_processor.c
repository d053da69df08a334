/* Loaded before a program: a processor that counts so many events at once as STAND_IN_COUNTERS says. Each of its events
 * counts page faults. More in a group are refused by the kernel, or taken and counted half of the time
 * (STAND_IN_TURNS). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GROUPS = 4096 };

/* Of each group its leader's number, which is the same for all its descriptors, and how many events of the processor
 * it has. */
static struct {
    uint64_t leader;
    int counted;
} groups[GROUPS];

/* The count of a group, by a descriptor of its leader; null if it is none. */
static int *counted(int fd)
{
    int i, before = errno;
    uint64_t leader = 0;
    if (ioctl(fd, PERF_EVENT_IOC_ID, &leader) != 0)
        leader = 0;
    errno = before;
    for (i = 0; leader && i < GROUPS; i++)
        if (groups[i].leader == leader || !groups[i].leader) {
            groups[i].leader = leader;
            return &groups[i].counted;
        }
    return NULL;
}

static int most(void)
{
    const char *text = getenv("STAND_IN_COUNTERS");
    return text ? atoi(text) : 0;
}

static int take_turns(void)
{
    return getenv("STAND_IN_TURNS") != NULL;
}

/* Count of events, time enabled, time counted. */
static void half_of_the_time(int fd, long got, uint64_t *words)
{
    int *events = take_turns() && got >= 24 ? counted(fd) : NULL;
    if (events && *events > most())
        words[2] = words[1] / 2;
}

static long opened(long (*next)(long, ...), const long *given)
{
    struct perf_event_attr own;
    const struct perf_event_attr *asked = (const void *)given[0];
    size_t size = asked->size < sizeof own ? asked->size : sizeof own;
    int of_processor = asked->type != PERF_TYPE_SOFTWARE;
    int *events = given[3] < 0 ? NULL : counted((int)given[3]);
    long fd;
    memset(&own, 0, sizeof own);
    memcpy(&own, asked, size);
    if (of_processor) {
        own.type = PERF_TYPE_SOFTWARE;
        own.config = PERF_COUNT_SW_PAGE_FAULTS;
        if (events && *events >= most() && !take_turns()) {
            errno = EINVAL;
            return -1;
        }
    }
    fd = next(SYS_perf_event_open, &own, given[1], given[2], given[3], given[4]);
    if (fd >= 0 && !events)
        events = counted((int)fd);
    if (fd >= 0 && events)
        *events += of_processor;
    return fd;
}

long syscall(long number, ...)
{
    long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long given[6], got;
    va_list list;
    int i;
    va_start(list, number);
    for (i = 0; i < 6; i++)
        given[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_perf_event_open)
        return opened(next, given);
    got = next(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    if (number == SYS_read)
        half_of_the_time((int)given[0], got, (uint64_t *)given[1]);
    return got;
}

ssize_t read(int fd, void *to, size_t length)
{
    ssize_t (*next)(int, void *, size_t) =
        (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    ssize_t got = next(fd, to, length);
    half_of_the_time(fd, got, to);
    return got;
}
