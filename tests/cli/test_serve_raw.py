"""Requests that a proxy and turf serve might read differently. Each is refused before anything
else, and nothing that comes after it on the connection is taken for a request."""
import re
import socket
import time

import harness
from web import LONG, read_all, serving

HOST = b"Host: localhost\r\n"
BODY = b'{"game":"sw"}'  # 13 bytes
JSON = b"Content-Type: application/json\r\n"
GAME = b'{"game":"sw","seats":[{"kind":"person"},{"kind":"person"}]}'
# What an attacker hides in, or after, a request: it would leave a game behind.
HIDDEN = (b"POST /api/live-games HTTP/1.1\r\n" + HOST + JSON
          + b"Content-Length: %d\r\n\r\n" % len(GAME) + GAME)


def get(target=b"/api/server", headers=HOST, version=b"HTTP/1.1", method=b"GET"):
    return method + b" " + target + b" " + version + b"\r\n" + headers + b"\r\n"


def post(headers, body=BODY, version=b"HTTP/1.1"):
    return b"POST /api/start " + version + b"\r\n" + HOST + JSON + headers + b"\r\n" + body


def chunked(body, headers=b"Transfer-Encoding: chunked\r\n"):
    return post(headers, body)


GOOD_CHUNKS = b"d\r\n" + BODY + b"\r\n0\r\n\r\n"
LENGTH = b"Content-Length: 13\r\n"

REFUSED = {
    # where the body ends
    "two lengths": post(LENGTH + b"Content-Length: 5\r\n"),
    "two equal lengths": post(LENGTH + LENGTH),
    "two lengths in one header": post(b"Content-Length: 13, 13\r\n"),
    "a length with a plus": post(b"Content-Length: +13\r\n"),
    "a negative length": post(b"Content-Length: -13\r\n"),
    "a hexadecimal length": post(b"Content-Length: 0xd\r\n"),
    "an empty length": post(b"Content-Length:\r\n"),
    "a length with letters": post(b"Content-Length: 13x\r\n"),
    "a length with a space": post(b"Content-Length: 1 3\r\n"),
    "a length that overflows": post(b"Content-Length: 18446744073709551629\r\n"),
    "a length of many digits": post(b"Content-Length: " + b"9" * 40 + b"\r\n"),
    "a space before the colon of the length": post(b"Content-Length : 13\r\n"),
    "a folded length": post(b"Content-Length: 1\r\n 3\r\n"),
    "no length": post(b""),
    "a length and chunks": chunked(GOOD_CHUNKS, LENGTH + b"Transfer-Encoding: chunked\r\n"),
    "chunks and a length": chunked(GOOD_CHUNKS, b"Transfer-Encoding: chunked\r\n" + LENGTH),
    "a length and hidden chunks": chunked(GOOD_CHUNKS, LENGTH + b"Transfer-Encoding : chunked\r\n"),
    "a length and folded chunks": chunked(GOOD_CHUNKS,
                                          LENGTH + b"Transfer-Encoding:\r\n chunked\r\n"),
    "an unknown encoding": chunked(GOOD_CHUNKS, b"Transfer-Encoding: xchunked\r\n"),
    "an encoding list": chunked(GOOD_CHUNKS, b"Transfer-Encoding: gzip, chunked\r\n"),
    "the identity encoding": chunked(BODY, LENGTH + b"Transfer-Encoding: identity\r\n"),
    "two encodings": chunked(GOOD_CHUNKS, b"Transfer-Encoding: chunked\r\n"
                             b"Transfer-Encoding: identity\r\n"),
    "chunks in HTTP/1.0": post(b"Transfer-Encoding: chunked\r\n", GOOD_CHUNKS, b"HTTP/1.0"),
    "chunks with a GET": get(headers=HOST + b"Transfer-Encoding: chunked\r\n") + GOOD_CHUNKS,
    "a chunk without a size": chunked(b"\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "a negative chunk": chunked(b"-d\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "a chunk size with 0x": chunked(b"0xd\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "a chunk size that overflows": chunked(b"1000000000000000d\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "a chunk longer than it says": chunked(b"5\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "a chunk without an end": chunked(b"d\r\n" + BODY + b"0\r\n\r\n"),
    "chunks with bare line feeds": chunked(b"d\n" + BODY + b"\n0\n\n"),
    "a chunk extension": chunked(b"d;a=b\r\n" + BODY + b"\r\n0\r\n\r\n"),
    "a trailer with a length": chunked(b"d\r\n" + BODY + b"\r\n0\r\nContent-Length: 5\r\n\r\n"),
    # whom it is for
    "two hosts": get(headers=HOST + b"Host: evil.example\r\n"),
    "two hosts, the other first": get(headers=b"Host: evil.example\r\n" + HOST),
    "two equal hosts": get(headers=HOST + HOST),
    "no host": get(headers=b""),
    "an empty host": get(headers=b"Host:\r\n"),
    "a user after the port": get(headers=b"Host: 127.0.0.1:80@evil.example\r\n"),
    "a user before the host": get(headers=b"Host: evil.example@localhost\r\n"),
    "a port that is no number": get(headers=b"Host: localhost:80x\r\n"),
    "a port out of range": get(headers=b"Host: localhost:65536\r\n"),
    "a path in the host": get(headers=b"Host: localhost/evil.example\r\n"),
    "a list of hosts": get(headers=b"Host: localhost, evil.example\r\n"),
    "a host with a space": get(headers=b"Host: localhost evil.example\r\n"),
    "a folded host": get(headers=b"Host: local\r\n host\r\n"),
    "an open bracket": get(headers=b"Host: [::1\r\n"),
    "text after a bracket": get(headers=b"Host: [::1]evil.example\r\n"),
    "an absolute target": get(b"http://localhost/api/server"),
    "an absolute target of another host": get(b"http://evil.example/api/server"),
    "an authority as the target": get(b"localhost:80", method=b"CONNECT"),
    "an asterisk as the target": get(b"*", method=b"OPTIONS"),
    "a target without a slash": get(b"api/server"),
    "a target with a fragment": get(b"/api/server#x"),
    "a target with a space": get(b"/api/server x"),
    "a target with a NUL": get(b"/api/server\0x"),
    "a target with a tab": get(b"/api/server\tx"),
    "a target with high bytes": get(b"/api/server\xff"),
    # what a line is
    "a folded header": get(headers=HOST + b"X: a\r\n b\r\n"),
    "a folded header by a tab": get(headers=HOST + b"X: a\r\n\tb\r\n"),
    "a first header that is folded": get(headers=b" X: a\r\n" + HOST),
    "bare line feeds": get().replace(b"\r\n", b"\n"),
    "a header after a bare line feed": get(headers=HOST + b"X: a\nContent-Length: 5\r\n"),
    "bare carriage returns": get(headers=HOST + b"X: a\rContent-Length: 5\r\n"),
    "a NUL in a value": get(headers=b"X: a\0b\r\n" + HOST),
    "a NUL in the last value": get(headers=HOST + b"X: a\0b\r\n"),
    "a NUL in a name": get(headers=HOST + b"X\0Y: a\r\n"),
    "a control character in a value": get(headers=HOST + b"X: a\x01b\r\n"),
    "a space in a name": get(headers=HOST + b"X Y: a\r\n"),
    "an empty name": get(headers=HOST + b": a\r\n"),
    "a header without a colon": get(headers=HOST + b"X\r\n"),
    "two origins": get(headers=HOST + b"Origin: http://localhost\r\nOrigin: http://localhost\r\n"),
    "two tokens": get(headers=HOST + b"Authorization: Bearer 0\r\nAuthorization: Bearer 1\r\n"),
    "an unknown method with odd letters": get(method=b"G@T"),
    "tabs in the request line": b"GET\t/api/server\tHTTP/1.1\r\n" + HOST + b"\r\n",
    "no version": b"GET /api/server\r\n" + HOST + b"\r\n",
    "version 1.2": get(version=b"HTTP/1.2"),
    "version 1.10": get(version=b"HTTP/1.10"),
    "version 2": get(version=b"HTTP/2.0"),
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a version in small letters": get(version=b"http/1.1"),
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 64 + b"\r\n\r\n",
}

ACCEPTED = {
    "a plain request": get(),
    "blanks around a value": get(headers=b"Host:   localhost\r\nX:\ty\r\nEmpty:\r\n"),
    "a port": get(headers=b"Host: localhost:80\r\n"),
    "an address with a port": get(headers=b"Host: [::1]:80\r\n"),
    "an empty line before the request": b"\r\n" + get(),
    "a query": get(b"/api/live-games?state=playing&limit=1&x=%41"),
    "a body": post(LENGTH),
    "a body with a GET": get(headers=HOST + b"Content-Length: 5\r\n") + b"hello",
    "a long header": get(headers=HOST + b"X: " + b"x" * 8000 + b"\r\n"),
}


def statuses(answer):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", answer)]


def exchange(server, data):
    """All answers to the bytes, until the server hangs up; we never say that there is no more."""
    with server.raw() as connection:
        connection.settimeout(LONG)
        try:
            connection.sendall(data)
        except OSError:  # it hung up already
            pass
        return read_all(connection)


def test_at_least_64_ambiguous_requests_are_refused_and_end_the_connection():
    assert len(REFUSED) >= 64
    with serving() as server:
        for name, data in REFUSED.items():
            answer = exchange(server, data + HIDDEN)
            seen = set(statuses(answer))
            # One library version sends the head of its own refusals twice; tabs get no answer.
            assert len(seen) <= 1 and all(400 <= status <= 505 for status in seen), (name, answer)
            assert server.get("/api/server")["n_open_games"] == 0, name


def test_ordinary_requests_of_many_forms_are_answered():
    with serving() as server:
        last = get(headers=HOST + b"Connection: close\r\n")
        for name, data in ACCEPTED.items():
            assert statuses(exchange(server, data + last)) == [200, 200], name
        assert statuses(exchange(server, get(version=b"HTTP/1.0"))) == [200]


def test_heads_that_come_in_pieces_or_are_long_are_answered():
    many = b"".join(b"X-%d: %s\r\n" % (n, b"y" * 100) for n in range(120))
    last = get(headers=HOST + b"Connection: close\r\n")
    with serving() as server:
        for data in (get(headers=HOST + many), get(headers=many + HOST)):
            for size in (len(data), 4096, 997):
                with server.raw() as connection:
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    for at in range(0, len(data), size):
                        connection.sendall(data[at:at + size])
                        time.sleep(0.002)
                    connection.sendall(last)
                    assert statuses(read_all(connection)) == [200, 200], size
        with server.raw() as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in get() + last:
                connection.sendall(bytes([byte]))
            assert statuses(read_all(connection)) == [200, 200]


def test_a_kept_connection_is_checked_again_for_each_request():
    with serving() as server:
        for name in ("two lengths", "a folded header", "bare line feeds", "two hosts",
                     "a NUL in the last value", "a length and folded chunks"):
            answer = exchange(server, get() + get(b"/api/games") + REFUSED[name] + HIDDEN)
            first, second, *rest = statuses(answer)
            assert (first, second) == (200, 200) and rest and set(rest) <= {400, 411}, (name, rest)
        assert server.get("/api/server")["n_open_games"] == 0


if __name__ == "__main__":
    harness.main()
