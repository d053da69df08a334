/* std: c99 c11 gnu89 */
#include <stdio.h>

static int fib(int n)
{
    int r;
#pragma cll fib fib[0]*n
    if (n < 2)
        return n;
#pragma cll left left[0]*n
    r = fib(n - 1);
#pragma cll end left
#pragma cll fib fib[0]*n
    r += fib(n - 2);
#pragma cll end fib
#pragma cll end fib
    return r;
}

int main(void)
{
    printf("%d\n", fib(4));
    return 0;
}
