/* std: c99 c11 gnu89 */
/* One experiment at two places that call its values differently. */
#include <stdio.h>

struct atoms { int n; double work; };
struct sim { struct atoms *atoms; };
struct state { struct atoms *atoms; };

static void first(struct state *s)
{
#pragma cll force uses(N = s->atoms->n, P = 2 * s->atoms->n) force[0] + force[1]*N/P
    s->atoms->work += s->atoms->n;
#pragma cll end force
}

int main(void)
{
    struct atoms atoms = { 3, 0 };
    struct state state;
    struct sim sim, *all = &sim;

    state.atoms = sim.atoms = &atoms;
    first(&state);
    atoms.n = 5;
#pragma cll force uses(P = 10, N = all->atoms->n) force[0] + force[1]*N/P
    all->atoms->work += all->atoms->n;
#pragma cll end force
    printf("%g\n", atoms.work);
    return 0;
}
