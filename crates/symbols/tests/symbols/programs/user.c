void probe(void);
void enter(void (*back)(void));
void leave(void (*back)(void));

static volatile int count;

static void back(void)
{
    probe();
    count++;
}

int main(void)
{
    enter(back); /* of enter */
    count++;
    leave(back); /* of leave */
    count++;
    return 0;
}
