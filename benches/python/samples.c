/* Records 1,000,000 samples at 100 sizes. */
static volatile long sink;
int main(void)
{
    int N, r;
    for (r = 0; r < 10000; r++)
        for (N = 1; N <= 100; N++) {
#pragma cll f f[0] + f[1]*N
            sink += N;
#pragma cll end f
        }
    return 0;
}
