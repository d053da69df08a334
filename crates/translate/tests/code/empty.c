/* Empty regions: what a marker itself takes. */
int main(void)
{
    for (int i = 0, n = 5; i < 10000; i++) {
#pragma cll empty empty[0] + empty[1]*n
#pragma cll end empty
    }
    return 0;
}
