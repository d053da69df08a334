/* std: c99 c11 gnu89 */
#include <stdio.h>

#define FOREACH(i, n) for (i = 0; i < (n); i++)
#define FOREVER for (;;)
#define UNLESS(x) if (!(x))
#define NOTHING
#define CALL(x) printf("%d\n", x);
#define SIZE (sizes[0].n)

struct size { int n; } sizes[2] = { { 3 }, { 4 } };
enum { LEN = 5 };

int main(void)
{
    int i, sum = 0;
    struct size *p = sizes;
#pragma cll a a[0]*SIZE + a[1]*p->n*sizes[1].n + a[2]*sizeof(struct size) + a[3]*LEN
    FOREACH(i, 3) { sum += i; }
#pragma cll end a
    FOREACH(i, 2)
#pragma cll b b[0]*i
        sum += i;
#pragma cll end b
    FOREVER {
#pragma cll c c[0]
        if (sum++ > 8)
            break;
#pragma cll end c
    }
    UNLESS(sum == 0)
#pragma cll d d[0]*sum
        sum += 2;
#pragma cll end d
    NOTHING
#pragma cll e e[0]
    CALL(sum)
#pragma cll end e
    CALL(1)
#pragma cll f uses(sum, p->n, i) f[0]
    sum++;
    sum++;
#pragma cll end f
    CALL(2)
#pragma cll g uses(i * 2) g[0]
#pragma cll h h[0]
    sum++;
#pragma cll end h
#pragma cll end g
    printf("%d\n", sum);
    return 0;
}
