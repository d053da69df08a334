#include "bodies.h"

#include <math.h>
#include <stdint.h>

void scatter(struct body *bodies, int n)
{
    uint64_t state = 1687;
    int i, d;
    for (i = 0; i < n; i++) {
        bodies[i].mass = 1.0 / n;
        for (d = 0; d < 3; d++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            bodies[i].position[d] = (double)(state >> 11) / 9007199254740992.0;
            bodies[i].velocity[d] = bodies[i].force[d] = 0;
        }
    }
}

void move(struct body *bodies, int n, double dt)
{
    int i, d;
#pragma cll move move[0] + move[1]*n
    for (i = 0; i < n; i++)
        for (d = 0; d < 3; d++) {
            bodies[i].velocity[d] += dt * bodies[i].force[d] / bodies[i].mass;
            bodies[i].position[d] += dt * bodies[i].velocity[d];
        }
#pragma cll end move
}

double momentum(const struct body *bodies, int n)
{
    double largest = 0;
    int i, d;
    for (d = 0; d < 3; d++) {
        double sum = 0;
        for (i = 0; i < n; i++)
            sum += bodies[i].mass * bodies[i].velocity[d];
        if (fabs(sum) > largest)
            largest = fabs(sum);
    }
    return largest;
}
