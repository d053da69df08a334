/*
 * failing PHASE WAY WHO: machines of which one processor fails.
 *
 * PHASE  sync      in its computation, while the others wait in bsp_sync
 *        oblsync   the same, while they wait for messages in bsp_oblsync
 *        part      in a part of a part
 *        busy      while the others compute and call nothing
 *        sends     after half of what it sends
 *        asleep    when the others have waited for long
 *        end       while the others wait in bsplib_done
 * WAY    kill, segv, abort, exit, _exit: at once
 *        loop      never again calls the library; another aborts
 *        stuck     the same; another is killed
 *
 * Who fails says so on standard output, and does.
 */
#include <pub.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *phase, *way;
static int who;
static t_bsp all;
static char bytes[200000];

static void pause_for(int ms) { usleep((useconds_t)ms * 1000); }

static void loop_for_ever(void)
{
    for (volatile unsigned i = 0;; i++)
        ;
}

static void say_failing(void)
{
    if (write(STDOUT_FILENO, "failing\n", 8) != 8)
        _exit(99);
}

static void fail(void)
{
    int *volatile nothing = NULL;
    if (strcmp(way, "loop") == 0 || strcmp(way, "stuck") == 0)
        loop_for_ever();
    say_failing();
    if (strcmp(way, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(way, "segv") == 0)
        *(volatile int *)nothing = 1;
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "exit") == 0)
        exit(3);
    _exit(3);
}

/* Where the one that fails loops, the one after it ends all. */
static void end_a_loop(void)
{
    if (bsp_pid(&all) != (who + 1) % bsp_nprocs(&all))
        return;
    if (strcmp(way, "loop") == 0) {
        pause_for(20);
        say_failing();
        bsp_abort(&all, "no longer\n");
    } else if (strcmp(way, "stuck") == 0) {
        pause_for(20);
        say_failing();
        raise(SIGKILL);
    }
}

static void reach(const char *here)
{
    if (strcmp(phase, here) != 0)
        return;
    if (bsp_pid(&all) == who)
        fail();
    end_a_loop();
}

static void in_parts(t_bsp *machine)
{
    t_bsp part;
    int p = bsp_nprocs(machine), bounds[2] = { p / 2, p };
    if (p == 1) {
        reach("part");
        return;
    }
    bsp_partition(machine, &part, 2, bounds);
    in_parts(&part);
    bsp_sync(&part);
    bsp_done(&part);
}

int main(int argc, char **argv)
{
    bsplib_saveargs(&argc, &argv);
    phase = argv[1];
    way = argv[2];
    who = atoi(argv[3]);
    bsplib_init(BSPLIB_STDPARAMS, &all);
    for (int superstep = 0; superstep < 20; superstep++) {
        int next = (bsp_pid(&all) + 1) % bsp_nprocs(&all);
        for (int i = 0; i < 10; i++) {
            bsp_send(&all, next, bytes, 1000 * i);
            bsp_hpsend(&all, next, bytes, 20000 * i);
            if (superstep == 10 && i == 5)
                reach("sends");
        }
        if (superstep == 10) {
            if (strcmp(phase, "asleep") == 0 && bsp_pid(&all) == who)
                pause_for(50);
            reach("asleep");
            reach("busy");
            if (strcmp(phase, "busy") == 0)
                loop_for_ever();
            in_parts(&all);
            reach("oblsync");
        }
        if (superstep == 11)
            reach("sync");
        if (superstep % 2)
            bsp_sync(&all);
        else
            bsp_oblsync(&all, 20);
    }
    if (strcmp(phase, "end") == 0 && bsp_pid(&all) == who)
        pause_for(10);
    reach("end");
    bsplib_done();
    return 0;
}
