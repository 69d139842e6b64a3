/* Replaces the calls that open ports: fuzzed configs must not open any. */
#include <sys/socket.h>

int __wrap_bind(int fd, const struct sockaddr *address, socklen_t length);
int __wrap_listen(int fd, int backlog);

int __wrap_bind(int fd, const struct sockaddr *address, socklen_t length)
{
    (void)fd, (void)address, (void)length;
    return 0;
}

int __wrap_listen(int fd, int backlog)
{
    (void)fd, (void)backlog;
    return 0;
}
