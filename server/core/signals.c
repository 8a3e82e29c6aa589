#include "core/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int stop_pipe[2] = { -1, -1 };

static void on_stop(int number)
{
    const int saved = errno;
    const char byte = (char)number;

    /* A full pipe already contains a request. */
    if (write(stop_pipe[1], &byte, 1) < 0) {
        errno = saved;
        return;
    }
    errno = saved;
}

void ipr_signals_install(void)
{
    struct sigaction ignore, stop;

    memset(&ignore, 0, sizeof ignore);
    memset(&stop, 0, sizeof stop);
    if (pipe2(stop_pipe, O_CLOEXEC) != 0 || fcntl(stop_pipe[1], F_SETFL, O_NONBLOCK) != 0)
        abort();
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, NULL);
    stop.sa_handler = on_stop;
    stop.sa_flags = SA_RESTART;
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
}

void ipr_signals_wait(void)
{
    while (!ipr_signals_stopped(-1)) /* interrupted: the byte is there the next time */
        ;
}

bool ipr_signals_stopped(int ms)
{
    struct pollfd p = { .fd = stop_pipe[0], .events = POLLIN };

    return poll(&p, 1, ms) > 0;
}
