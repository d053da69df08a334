/* start [-e NAME=VALUE] PRELOAD PROGRAM [ARGUMENT...]
 *
 * Becomes the program, with these libraries loaded before its own. A launcher of MPI starts it in place of the
 * program, so that the launcher and its helpers do not load them. Words are passed unchanged: a program may be
 * called `a=b`, which `env` would take for a variable. Why: decision 0055. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int error;
    if (argc > 2 && strcmp(argv[1], "-e") == 0) {
        putenv(argv[2]);
        argc -= 2;
        argv += 2;
    }
    if (argc < 3) {
        fprintf(stderr, "cll: start: no program was given\n");
        return 125;
    }
    if (setenv("LD_PRELOAD", argv[1], 1) == 0)
        execvp(argv[2], argv + 2);
    error = errno;
    /* MPIs look for what MPI_Comm_spawn starts in the working directory, too. */
    if (error == ENOENT && !strchr(argv[2], '/')) {
        char path[4096];
        snprintf(path, sizeof path, "./%s", argv[2]);
        execv(path, argv + 2);
    }
    fprintf(stderr, "cll: cannot run %s on this host: %s\n", argv[2], strerror(error));
    return error == ENOENT ? 127 : 126;
}
