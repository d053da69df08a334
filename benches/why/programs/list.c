/* A list whose nodes were allocated one by one. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long value[7];
};

static struct node *first;

int main(void)
{
    int N = 0, k, r;
    long sum = 0;
    for (k = 0; k < 8000; k++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 2;
        node->value[0] = k;
        node->next = first;
        first = node;
    }
#pragma cll for (N = 32; N < 8000; N += N / 6)
    for (r = 0; r < 3; r++) {
        const struct node *p;
#pragma cll list list[0] + list[1]*N
        for (p = first, k = 0; k < N; k++, p = p->next)
            sum += p->value[0];
#pragma cll end list
    }
#pragma cll end for
    printf("%ld\n", sum);
    return 0;
}
