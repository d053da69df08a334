/* triangle.c: pairs of different elements, and the solution of a triangular system. */
static double pairs(const double *x, int n)
{
    double sum = 0;
    int i, j;
#pragma cll pairs pairs[0] + pairs[1]*n + pairs[2]*n*n
    for (i = 0; i < n; i++) {
        double own = x[i];
        for (j = i + 1; j < n; j++)
            sum += own * x[j];
    }
#pragma cll end pairs
    return sum;
}

static void solve(double *x, const double *a, const double *b, int n)
{
#pragma cll solve solve[0] + solve[1]*n + solve[2]*n*n
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        int k = 0;
        while (k < i) {
            x[i] -= a[i * n + k] * x[k];
            k++;
        }
        x[i] /= a[i * n + i];
    }
#pragma cll end solve
}

int main(void) { double v[1] = {1}; pairs(v, 1); solve(v, v, v, 1); return 0; }
