/* A program whose malloc and free are measured. */
#include <stdio.h>
#include <stdlib.h>
#include "marked.h"

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *memory);

void *malloc(size_t size)
{
    void *memory;
    FRAME(g);
    BEGIN(g, 1, (double)size, 0);
    memory = __libc_malloc(size);
    END(g);
    return memory;
}

void free(void *memory)
{
    FRAME(h);
    BEGIN(h, 2, 0, 0);
    __libc_free(memory);
    END(h);
}

int main(void)
{
    int i;
    for (i = 0; i < 5000; i++) {
        void *volatile memory = malloc(4711);
        free(memory);
    }
    return 0;
}
