/*
 * Preloaded into a program, sends each of its TCP connections to loopback through a tunnel of the proxy at 127.0.0.1:$LOOPBACK_PROXY_PORT.
 * Its other connections, its UDP and unix sockets, the proxy itself and the ports in $LOOPBACK_EXCEPT ("80,443") are left alone.
 *
 *   cc -shared -fPIC -o loopback-proxy.so connect.c && LD_PRELOAD=$PWD/loopback-proxy.so LOOPBACK_PROXY_PORT=8080 program
 *
 * The tunnel is open when connect(2) returns. A caller with a non-blocking socket gets EINPROGRESS, as the kernel does, and finds the socket
 * writable without an error. A proxy answers CONNECT before it connects upstream: a program may well be client and server at once.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { MOST_FDS = 65536, PATIENCE_MS = 10000, HEAD_SIZE = 4096 };

typedef int (*connect_fn)(int, const struct sockaddr *, socklen_t);
typedef int (*getpeername_fn)(int, struct sockaddr *, socklen_t *);

/* What the program connected each socket to, for getpeername(2). Stale for a socket whose peer is not the proxy. */
static struct sockaddr_storage targets[MOST_FDS];
static socklen_t target_sizes[MOST_FDS];

static int proxy_port(void) {
  const char *text = getenv("LOOPBACK_PROXY_PORT");
  return text == NULL ? 0 : atoi(text);
}

static int is_excepted(int port) {
  const char *text = getenv("LOOPBACK_EXCEPT");
  for (; text != NULL && *text != '\0'; text = strchr(text, ','), text += text != NULL)
    if (atoi(text) == port) return 1;
  return 0;
}

static int is_tcp(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

/* Writes the authority of a loopback address and gives its port; 0 for any other address. */
static int loopback(const struct sockaddr *address, char *authority, size_t size) {
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    char text[INET_ADDRSTRLEN];
    if (ntohl(v4->sin_addr.s_addr) >> 24 != 127) return 0;
    inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    snprintf(authority, size, "%s:%d", text, ntohs(v4->sin_port));
    return ntohs(v4->sin_port);
  }
  if (address->sa_family != AF_INET6) return 0;
  const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
  if (!IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr)) return 0;
  snprintf(authority, size, "[::1]:%d", ntohs(v6->sin6_port));
  return ntohs(v6->sin6_port);
}

/* The proxy's address as a socket of this family reaches it: an IPv6 one by the mapped address (RFC 4291, 2.5.5.2). */
static socklen_t proxy_address(int family, struct sockaddr_storage *address) {
  memset(address, 0, sizeof *address);
  if (family == AF_INET) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    v4->sin_family = AF_INET;
    v4->sin_port = htons(proxy_port());
    v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return sizeof *v4;
  }
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
  v6->sin6_family = AF_INET6;
  v6->sin6_port = htons(proxy_port());
  inet_pton(AF_INET6, "::ffff:127.0.0.1", &v6->sin6_addr);
  return sizeof *v6;
}

static int is_ready(int fd, short events) {
  struct pollfd wanted = {.fd = fd, .events = events};
  int found;
  do found = poll(&wanted, 1, PATIENCE_MS);
  while (found == -1 && errno == EINTR);
  if (found == 0) errno = ETIMEDOUT;
  return found == 1;
}

static int pending_error(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == -1 ? errno : error;
}

static int reach_proxy(connect_fn real, int fd, int family) {
  struct sockaddr_storage address;
  socklen_t size = proxy_address(family, &address);
  if (real(fd, (struct sockaddr *)&address, size) == 0) return 0;
  if (errno != EINPROGRESS && errno != EINTR) return -1;
  if (!is_ready(fd, POLLOUT)) return -1;
  errno = pending_error(fd);
  return errno == 0 ? 0 : -1;
}

static int send_all(int fd, const char *text) {
  size_t left = strlen(text);
  while (left > 0) {
    ssize_t sent = send(fd, text, left, MSG_NOSIGNAL);
    if (sent > 0) {
      text += sent;
      left -= (size_t)sent;
    } else if (errno != EINTR && (errno != EAGAIN || !is_ready(fd, POLLOUT))) {
      return -1;
    }
  }
  return 0;
}

/* Reads the proxy's response and not a byte more: bytes after it are the program's. */
static int read_head(int fd, char *head) {
  size_t got = 0;
  while (got < HEAD_SIZE - 1) {
    ssize_t count = recv(fd, head + got, 1, 0);
    if (count == 0) {
      errno = ECONNRESET;
      return -1;
    }
    if (count == -1) {
      if (errno == EINTR || (errno == EAGAIN && is_ready(fd, POLLIN))) continue;
      return -1;
    }
    got += 1;
    head[got] = '\0';
    if (got >= 4 && memcmp(head + got - 4, "\r\n\r\n", 4) == 0) return 0;
  }
  errno = EPROTO;
  return -1;
}

static int open_tunnel(int fd, const char *authority) {
  char text[HEAD_SIZE];
  snprintf(text, sizeof text, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", authority, authority);
  if (send_all(fd, text) == -1 || read_head(fd, text) == -1) return -1;
  if (strncmp(text, "HTTP/1.1 200", 12) == 0) return 0;
  errno = ECONNREFUSED;
  return -1;
}

int connect(int fd, const struct sockaddr *address, socklen_t size) {
  static connect_fn real;
  if (real == NULL) real = (connect_fn)dlsym(RTLD_NEXT, "connect");
  char authority[INET6_ADDRSTRLEN + 16];
  int port = address == NULL ? 0 : loopback(address, authority, sizeof authority);
  if (port == 0 || proxy_port() == 0 || port == proxy_port() || is_excepted(port) || !is_tcp(fd)) return real(fd, address, size);
  if (reach_proxy(real, fd, address->sa_family) == -1 || open_tunnel(fd, authority) == -1) return -1;
  if (fd < MOST_FDS && size <= sizeof targets[fd]) {
    memcpy(&targets[fd], address, size);
    target_sizes[fd] = size;
  }
  if ((fcntl(fd, F_GETFL) & O_NONBLOCK) == 0) return 0;
  errno = EINPROGRESS;
  return -1;
}

int getpeername(int fd, struct sockaddr *address, socklen_t *size) {
  static getpeername_fn real;
  if (real == NULL) real = (getpeername_fn)dlsym(RTLD_NEXT, "getpeername");
  struct sockaddr_storage peer, proxy;
  socklen_t peer_size = sizeof peer;
  int known = fd >= 0 && fd < MOST_FDS && target_sizes[fd] > 0;
  if (!known || proxy_port() == 0 || real(fd, (struct sockaddr *)&peer, &peer_size) == -1) return real(fd, address, size);
  socklen_t proxy_size = proxy_address(peer.ss_family, &proxy);
  if (proxy_size != peer_size || memcmp(&peer, &proxy, peer_size) != 0) return real(fd, address, size);
  memcpy(address, &targets[fd], *size < target_sizes[fd] ? *size : target_sizes[fd]);
  *size = target_sizes[fd];
  return 0;
}
