/*
 * failing PHASE WAY WHO: a machine of which one processor fails.
 *
 * PHASE  before    after bsp_init, before bsp_begin (processor 0 alone)
 *        compute   in its computation, while the others wait in bsp_sync
 *        busy      the same, while the others compute and call nothing
 *        puts      after half of its puts, unbuffered ones among them
 *        asleep    when the others have waited in bsp_sync for long
 *        end       after its last bsp_sync, while the others wait in bsp_end
 * WAY    kill, segv, abort, exit, _exit: at once
 *        loop      never again calls the library; another aborts
 *        stuck     the same; another is killed
 *
 * Who fails says so on standard output, and does.
 */
#include <bsp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *phase, *way;
static int who;
static char area[200000];

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
    if ((int)bsp_pid() != (who + 1) % (int)bsp_nprocs())
        return;
    if (strcmp(way, "loop") == 0) {
        pause_for(20);
        say_failing();
        bsp_abort("no longer\n");
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
    if (bsp_pid() == who)
        fail();
    end_a_loop();
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    for (int superstep = 0; superstep < 20; superstep++) {
        int to = (bsp_pid() + 1) % bsp_nprocs();
        for (int i = 0; i < 10; i++) {
            bsp_put(to, area + i, area, 1000 * i, 500);
            bsp_hpput(to, area, area, 50000 + 10000 * i, 10000);
            bsp_get(to, area, 7 * i, area + 190000, 4000);
            bsp_send(to, NULL, area, 10 * i);
            if (superstep == 10 && i == 5)
                reach("puts");
        }
        if (superstep == 10) {
            if (strcmp(phase, "asleep") == 0 && bsp_pid() == who)
                pause_for(50);
            reach("compute");
            reach("asleep");
            reach("busy");
            if (strcmp(phase, "busy") == 0)
                loop_for_ever();
        }
        bsp_sync();
    }
    if (strcmp(phase, "end") == 0 && bsp_pid() == who)
        pause_for(10);
    reach("end");
    bsp_end();
}

int main(int argc, char **argv)
{
    phase = argv[1];
    way = argv[2];
    who = atoi(argv[3]);
#ifdef WITHOUT_INIT
    (void)argc; /* each processor comes here, and reads the arguments itself */
#else
    bsp_init(spmd, argc, argv);
#endif
    if (strcmp(phase, "before") == 0) {
        pause_for(10);
        fail();
    }
    spmd();
    return 0;
}
