/* State that the C library has once for each process, here once for each copy of a program of the threads
 * engine: so each processor has its own random numbers, in the same sequence as a process would.
 *
 * It is part of such a program itself. The names are weak, so that functions of the program with these names
 * take precedence, and hidden, so that libraries use those of the C library. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((__weak__, __visibility__("hidden")))

/* ---------------------------- random and rand ---------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct random_data data;
static char table[128];

/* The state, with the lock held; its first value is that of the C library. */
static struct random_data *begin(void)
{
    pthread_mutex_lock(&lock);
    if (!data.state)
        initstate_r(1, table, sizeof table, &data);
    return &data;
}

static void end(void) { pthread_mutex_unlock(&lock); }

OWN long random(void)
{
    int32_t number = 0;
    random_r(begin(), &number);
    end();
    return number;
}

OWN int rand(void)
{
    int32_t number = 0;
    random_r(begin(), &number);
    end();
    return number;
}

OWN void srandom(unsigned seed)
{
    srandom_r(seed, begin());
    end();
}

OWN void srand(unsigned seed)
{
    srandom_r(seed, begin());
    end();
}

OWN char *initstate(unsigned seed, char *state, size_t size)
{
    char *before = (char *)(begin()->state - 1);
    int wrong = initstate_r(seed, state, size, &data);
    end();
    return wrong ? NULL : before;
}

OWN char *setstate(char *state)
{
    char *before = (char *)(begin()->state - 1);
    int wrong = setstate_r(state, &data);
    end();
    return wrong ? NULL : before;
}

/* --------------------------------- drand48 --------------------------------- */

static struct drand48_data of48;

OWN double drand48(void)
{
    double number = 0;
    drand48_r(&of48, &number);
    return number;
}

OWN double erand48(unsigned short x[3])
{
    double number = 0;
    erand48_r(x, &of48, &number);
    return number;
}

OWN long lrand48(void)
{
    long number = 0;
    lrand48_r(&of48, &number);
    return number;
}

OWN long nrand48(unsigned short x[3])
{
    long number = 0;
    nrand48_r(x, &of48, &number);
    return number;
}

OWN long mrand48(void)
{
    long number = 0;
    mrand48_r(&of48, &number);
    return number;
}

OWN long jrand48(unsigned short x[3])
{
    long number = 0;
    jrand48_r(x, &of48, &number);
    return number;
}

OWN void srand48(long seed) { srand48_r(seed, &of48); }

OWN unsigned short *seed48(unsigned short x[3])
{
    static unsigned short before[3];
    memcpy(before, of48.__x, sizeof before);
    seed48_r(x, &of48);
    return before;
}

OWN void lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &of48); }

/* --------------------------------- strtok ---------------------------------- */

OWN char *strtok(char *text, const char *separators)
{
    static char *rest;
    return strtok_r(text, separators, &rest);
}
