/* std: c99 gnu89; flags: -pthread; automatic */
#include <stdio.h>
#include <pthread.h>

static int done;

static void *last(void *to)
{
    int N = 3;
#pragma cll a a[0]*N
    done += N;
#pragma cll end a
    pthread_exit(to);
}

static void *inside(void *to)
{
    int N = 4, i;
#pragma cll b b[0]*N
    for (i = 0; i < N; i++) {
#pragma cll c c[0]
        if (i == 2) pthread_exit(to);
        done++;
#pragma cll end c
    }
#pragma cll end b
    return 0;
}

static void *branches(void *to)
{
#pragma cll d d[0]
    if (done > 1000)
        done--;
    else
        pthread_exit(to);
#pragma cll end d
    return 0;
}

static void *end(void *to)
{
#pragma cll e e[0]
    goto out;
out:
    pthread_exit(to);
#pragma cll end e
}

static void start(void *(*function)(void *))
{
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, 0, function, &done) || pthread_join(thread, &result))
        return;
    printf("%d %d\n", done, result == &done);
}

int main(void)
{
    start(last);
    start(inside);
    start(branches);
    start(end);
    return 0;
}
