#include "bodies.h"

#include <math.h>

static const double SOFTENING = 1e-4; /* keeps the force finite where two bodies meet */

void attract(struct body *bodies, int n)
{
    int i, j, d;
#pragma cll attract attract[0] + attract[1]*n + attract[2]*n*(n - 1)
    for (i = 0; i < n; i++)
        for (d = 0; d < 3; d++)
            bodies[i].force[d] = 0;
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++) {
            double away[3], r2 = SOFTENING, f;
            for (d = 0; d < 3; d++) {
                away[d] = bodies[j].position[d] - bodies[i].position[d];
                r2 += away[d] * away[d];
            }
            f = bodies[i].mass * bodies[j].mass / (r2 * sqrt(r2));
            for (d = 0; d < 3; d++) {
                bodies[i].force[d] += f * away[d];
                bodies[j].force[d] -= f * away[d];
            }
        }
#pragma cll end attract
}
