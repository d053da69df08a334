static volatile int count;

static __attribute__((noinline)) void inside(void (*back)(void))
{
    back(); /* the way back */
    count++;
}

void enter(void (*back)(void))
{
    inside(back); /* of inside */
    count++;
}

void leave(void (*back)(void))
{
    count++;
    inside(back);
}
