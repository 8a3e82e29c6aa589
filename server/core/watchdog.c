#include "core/watchdog.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"

#define IN_TIME 3 /* signs of life in the time after which the service counts as stuck */

void ipr_watchdog_notify(const char *state)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    const char *const path = getenv("NOTIFY_SOCKET");
    const size_t n = path != NULL ? strlen(path) : 0;

    if (n == 0 || n > sizeof to.sun_path)
        return;
    memcpy(to.sun_path, path, n);
    if (path[0] == '@')
        to.sun_path[0] = '\0'; /* an abstract one */
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    (void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&to,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
    close(fd);
}

int ipr_watchdog_ms(void)
{
    const struct ipr_str pid = ipr_str_c(getenv("WATCHDOG_PID"));
    int64_t us;

    if ((pid.n > 0 && !ipr_str_int(pid, getpid(), getpid(), &us)) ||
        !ipr_str_int(ipr_str_c(getenv("WATCHDOG_USEC")), 1000 * IN_TIME, INT32_MAX * 1000LL, &us))
        return -1;
    return (int)(us / 1000 / IN_TIME);
}

bool ipr_watchdog_asks(int listen_fd, int ms)
{
    static const char request[] =
        "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const struct timeval most = { ms / 1000, ms % 1000 * 1000 };
    struct sockaddr_storage at;
    socklen_t n = sizeof at;
    char byte;

    if (getsockname(listen_fd, (struct sockaddr *)&at, &n) != 0)
        return false;
    const int fd = socket(at.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    const bool said = setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) == 0 &&
                      setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) == 0 &&
                      connect(fd, (struct sockaddr *)&at, n) == 0 &&
                      send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0 &&
                      (read(fd, &byte, 1) >= 0 || errno == ECONNRESET);
    close(fd);
    return said;
}
