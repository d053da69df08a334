/* halving.c: a binary search, a sum by halves, and the levels of a heap. */
int search(const int *a, int n, int wanted)
{
    int low = 0, length = n;
#pragma cll search search[0] + search[1]*log2(n)
    while (length > 1) {
        int half = length / 2;
        if (a[low + half] <= wanted)
            low += half;
        length -= half;
    }
#pragma cll end search
    return a[low] == wanted ? low : -1;
}

void halves(double *x, int n)
{
#pragma cll halves halves[0] + halves[1]*log2(n) + halves[2]*n
    do {
        int k;
        n /= 2;
        for (k = 0; k < n; k++)
            x[k] += x[k + n];
    } while (n > 1);
#pragma cll end halves
}

int gcd(int a, int b)
{
    int steps = 0;
#pragma cll gcd gcd[0] + gcd[1]*log(a)
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
        steps++;
    }
#pragma cll end gcd
    return steps;
}
