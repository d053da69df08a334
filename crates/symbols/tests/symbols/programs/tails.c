void probe(void);

static volatile int count;

static __attribute__((noinline)) void last(void)
{
    count++;
    probe();
}

static __attribute__((noinline)) void middle(void)
{
    count++;
    last();
}

static __attribute__((noinline)) void whole(void)
{
    probe();
    count++;
}

int main(void)
{
    middle(); /* two frames that are gone */
    whole();
    return 0;
}
