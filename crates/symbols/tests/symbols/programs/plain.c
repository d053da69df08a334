#include <stdio.h>

void probe(void);

static volatile int count;

static inline __attribute__((always_inline)) void inlined(void)
{
    probe(); /* the call */
    count++;
}

static __attribute__((noinline)) void hidden(void)
{
    inlined(); /* of inlined */
    count++;
}

static __attribute__((noinline)) void recursive(int depth)
{
    if (depth == 0)
        hidden(); /* of hidden */
    else
        recursive(depth - 1); /* of itself */
    count++;
}

int main(void)
{
    recursive(2); /* of recursive */
    count++;
    return 0;
}
