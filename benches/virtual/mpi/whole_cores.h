/* Ranks on cores of their own (WARM_UP: milliseconds) compute for a while before their time is taken, since an idle
 * virtual machine gets its cores only then, and tell how wide their cores were: additions that do not need each other take
 * longer if another virtual machine uses the other half of a core. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double narrowest;

static void look_at_cores(void)
{
    double least = 1, all;
    int trial, step;

    MPI_Barrier(MPI_COMM_WORLD);
    for (trial = 0; trial < 10; trial++) {
        double begin = MPI_Wtime(), took;
        long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
        for (step = 0; step < 40000; step++) {
            __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
            a++, b++, c++, d++, e++, f++, g++, h++;
        }
        took = MPI_Wtime() - begin;
        least = took < least ? took : least;
    }
    MPI_Allreduce(&least, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    narrowest = all > narrowest ? all : narrowest;
}

static void begin_with_cores(void)
{
    const char *text = getenv("WARM_UP");
    double begin;

    if (text == NULL)
        return;
    MPI_Barrier(MPI_COMM_WORLD);
    for (begin = MPI_Wtime(); MPI_Wtime() - begin < 1e-3 * atof(text);)
        ;
    look_at_cores();
}

/* Prints the seconds and, on cores of their own, the longest time of the additions. */
static void report(int me, double seconds)
{
    if (getenv("WARM_UP") != NULL)
        look_at_cores();
    if (me == 0 && narrowest > 0)
        printf("%.9f %.9f\n", seconds, narrowest);
    else if (me == 0)
        printf("%.9f\n", seconds);
}
