/* std: c99 c11 gnu89 */
#include <stdio.h>
#include <setjmp.h>

struct pair { int a, b; };
#define FAIL(x) do { if (x) return -1; } while (0)
#define STOP break
#define AWAY goto out
static jmp_buf back;

static const char *text(int n)
{
#pragma cll a a[0]*n
    if (n)
        return "a \"region\" { left; }";
#pragma cll end a
    return "kept";
}

static struct pair pair(int n)
{
    struct pair p = { 1, 2 };
#pragma cll b b[0]
    p.a = n;
    return p;
#pragma cll end b
}

static void nothing(int n)
{
#pragma cll c c[0]
    if (n) return;
#pragma cll end c
    printf("fell through\n");
}

static void call(int n)
{
#pragma cll d d[0]
    nothing(n);
    { nothing(0); nothing(1); return; }
#pragma cll end d
}

static int hidden(int n)
{
    int i, sum = 0;
#pragma cll e e[0]
    FAIL(n == 3);
    for (i = 0; i < 5; i++) {
#pragma cll f f[0]*i
        if (i == n)
            STOP;
        sum += i;
#pragma cll end f
    }
    if (sum == 6)
        AWAY;
    sum += 100;
#pragma cll end e
out:
    return sum;
}

static int jumps(int n)
{
    int i, sum = 0;
    for (i = 0; i < 6; i++) {
#pragma cll g g[0]*i
        switch (i) {
        case 0:
            continue;
        case 1:
#pragma cll h h[0]
            sum++;
            if (n)
                break;
            else
                continue;
#pragma cll end h
            sum += 10;
            break;
        case 2:
#pragma cll o o[0]
#pragma cll p p[0]
            while (1) {
                if (n)
                    break;
                goto next;
            }
            if (n == 2) break;
#pragma cll end p
            sum += 5;
#pragma cll end o
        case 3:
            goto next;
        default:
            sum += 1000;
        }
        if (i == 5)
            goto end;
next:
        sum += 100;
#pragma cll end g
    }
end:
    return sum;
}

static int backwards(int n)
{
    int tries = 0;
again:
#pragma cll q q[0]*tries
    if (tries++ < n)
        goto again;
    {
        goto inside;
    inside:
        tries += 10;
    }
#pragma cll end q
    return tries;
}

static void jump(int n)
{
#pragma cll r r[0]
    if (n)
        longjmp(back, n);
#pragma cll end r
}

int main(void)
{
    int volatile i;
    printf("%s %s\n", text(0), text(1));
    printf("%d\n", pair(5).a);
    call(0);
    call(1);
    for (i = 0; i < 5; i++)
        printf("%d %d %d %d\n", i, hidden(i), jumps(i), backwards(i));
    i = 0;
#pragma cll s s[0]
    if (setjmp(back) == 0) {
        jump(0);
        jump(1);
    } else
        printf("back\n");
#pragma cll end s
    return 3;
}
