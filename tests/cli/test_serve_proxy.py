"""turf serve behind a proxy, and clients that try to take all its connections."""
import contextlib
import http.client
import os
import re
import resource
import shutil
import socket
import subprocess

import harness
from harness import refused
from web import LONG, Server, other_addresses, serving, wait_until

PERSONS = [{"kind": "person"}, {"kind": "person"}]
GAME = {"game": "sw", "seats": PERSONS}
TOURNAMENT = {"game": "sw", "games": 1, "players": [{"player": "random"}, {"player": "minimax"}]}
PAGE = os.path.join(os.path.dirname(__file__), "../../docs/security.md")


def forwarded(*lines):
    return {"X-Forwarded-For": ", ".join(lines)} if lines else {}


def make(server, source, *lines):
    return server.ask("POST", "/api/live-games", GAME, source=source, headers=forwarded(*lines))


def test_the_client_behind_a_trusted_proxy_is_the_last_untrusted_address():
    proxy, inner, stranger, *_ = other_addresses()
    with serving("--max-games", "8", "--trusted-proxy", proxy, "--trusted-proxy",
                 inner + "/32") as server:
        def n_more(*asked):
            """How many games a client can still open."""
            n = 0
            while make(server, *asked).status == 201:
                n += 1
            return n

        assert n_more(proxy, "192.0.2.1") == 4
        assert make(server, proxy, "192.0.2.9", "192.0.2.1").status == 503, "it is the same client"
        assert make(server, proxy, "192.0.2.1", inner).status == 503, "through both proxies"
        assert n_more(proxy, "192.0.2.1", "2001:db8::1") == 2
        assert make(server, proxy, "2001:db8::2").status == 503, "the same network of 64 bits"
        assert make(server, proxy, "[2001:db8::3]:4711").status == 503
        assert n_more(proxy, "2001:db8:0:1::1") == 1
        # The header of a stranger is not believed: it is one client, whatever it says.
        assert make(server, stranger, "192.0.2.77").status == 201
        for lie in ("192.0.2.78", "192.0.2.79", "garbage", ""):
            assert "your address" not in make(server, stranger, lie).json["message"]
    with serving("--max-games", "4") as server:
        assert [make(server, proxy, f"192.0.2.{n}").status for n in range(3)] == [201, 201, 503]


def test_malformed_forwarded_headers_count_for_the_proxy():
    proxy, *_ = other_addresses()
    with serving("--max-games", "4", "--trusted-proxy", proxy) as server:
        statuses = [make(server, proxy, *lines).status
                    for lines in ((), ("unknown",), ("192.0.2.1", "x" * 3000), ("1.2.3.4.5",))]
        assert statuses == [201, 201, 503, 503]
        assert make(server, proxy, "x", "192.0.2.1").status == 201


def test_a_bad_trusted_proxy_is_a_startup_error():
    for text in ("localhost", "10.0.0.0/33", "", "192.0.2.1:80"):
        refused("serve", "--port", "0", "--trusted-proxy", text,
                saying=["--trusted-proxy", "10.0.0.0/8"])


# ---- connections ---------------------------------------------------------------------------


class FewConnections(Server):
    """A server that has room for 72 connections."""

    @staticmethod
    def before_start():
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))


def connect(server, source):
    """A connection that is kept open after a request; None if it was refused."""
    line = http.client.HTTPConnection(server.host, server.port, timeout=LONG,
                                      source_address=(source, 0))
    try:
        line.request("GET", "/api/server")
        answer = line.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        line.close()
        return None
    assert answer.status == 200
    return line


def take_all(server, source):
    lines = []
    while (line := connect(server, source)) and len(lines) < 300:
        lines.append(line)
    return lines


def test_no_client_nor_two_nor_three_can_take_all_connections():
    a, b, c, d, *_ = other_addresses()
    with serving(kind=FewConnections) as server:
        taken = [take_all(server, source) for source in (a, b, c)]
        counts = [len(lines) for lines in taken]
        assert counts[0] > counts[1] > counts[2] > 1 and sum(counts) < 72, counts
        line = connect(server, d)
        assert line, counts
        line.close()
        for each in taken[0]:
            each.close()
        wait_until(lambda: connect(server, a), "connections are given back")
        for each in taken[1] + taken[2]:
            each.close()


def test_a_trusted_proxy_may_have_more_connections_than_a_client():
    a, proxy, *_ = other_addresses()
    with serving("--trusted-proxy", proxy, kind=FewConnections) as server:
        of_client = take_all(server, a)
        for line in of_client:
            line.close()
        wait_until(lambda: connect(server, a), "connections are given back")
        of_proxy = []
        while len(of_proxy) <= len(of_client):
            of_proxy.append(connect(server, proxy))
            assert of_proxy[-1], (len(of_client), len(of_proxy))
        for line in of_proxy:
            line.close()


# ---- real proxies --------------------------------------------------------------------------


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def example(language):
    """The configuration of docs/security.md in this language."""
    with open(PAGE, encoding="utf-8") as file:
        return re.search(rf"```{language}\n(.*?)```", file.read(), re.DOTALL).group(1)


@contextlib.contextmanager
def running(command, port):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def is_listening():
        assert process.poll() is None, process.stderr.read().decode()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(is_listening, "the proxy listens")
        yield
    finally:
        process.terminate()
        process.wait(LONG)
        process.stderr.close()


def program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found:
        raise harness.Skip(f"{name} is not installed")
    return found


@contextlib.contextmanager
def nginx(server, location):
    """nginx in front of the server; yields its port."""
    command, port = program("nginx"), free_port()
    path = os.path.join(server.folder, "nginx.conf")
    temporary = "".join(f"{kind}_temp_path {server.folder}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"daemon off; master_process off; pid {server.folder}/nginx.pid;\n"
                   f"error_log stderr; events {{}}\nhttp {{ access_log off; {temporary}"
                   f"server {{ listen 127.0.0.1:{port};\n{location}}} }}\n")
    with running([command, "-e", "stderr", "-p", server.folder, "-c", path], port):
        yield port


def through(port, method, path, body=None, **more):
    """A request to a port where somebody listens in front of the server."""
    proxied = Server.__new__(Server)
    proxied.host, proxied.port = "127.0.0.1", port
    return proxied.ask(method, path, body, **more)


def check_strangers(server, port):
    """Nothing that only the owner may do, and every request is answered."""
    assert through(port, "GET", "/api/server").json["can_change_tournaments"] is False
    for path, body in (("/api/tournaments", TOURNAMENT), ("/api/tournaments/1/stop", {}),
                       ("/api/tournaments/1/resume", {})):
        assert through(port, "POST", path, body).json["error"] == "no-token"
        assert through(port, "POST", path, body, token="0" * 32).json["error"] == "bad-token"
    assert server.get("/api/tournaments")["tournaments"] == []
    assert through(port, "POST", "/api/tournaments", TOURNAMENT, token=server.owner).status == 201


def check_clients(server, port):
    """Two addresses behind the proxy are two clients, whatever they say."""
    a, b, *_ = other_addresses()

    def make_through(source, lie):
        return through(port, "POST", "/api/live-games", GAME, source=source,
                       headers=forwarded(lie)).status

    assert [make_through(a, f"192.0.2.{n}") for n in range(3)] == [201, 201, 503]
    assert make_through(b, "192.0.2.1") == 201


def test_behind_a_bare_nginx_strangers_do_nothing_that_only_the_owner_may():
    with serving() as server:
        with nginx(server, f"location / {{ proxy_pass http://127.0.0.1:{server.port}; }}") as port:
            check_strangers(server, port)


def test_the_nginx_example_tells_clients_apart():
    with serving("--max-games", "4", "--trusted-proxy", "127.0.0.1", "--host",
                 "arena.example.org") as server:
        location = example("nginx").replace("8417", str(server.port))
        location = location[location.index("location"):location.rindex("}")]
        with nginx(server, location) as port:
            check_strangers(server, port)
            check_clients(server, port)
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
                line.request("GET", "/api/live")
                answer = line.getresponse()
                assert answer.status == 200 and answer.readline() == b"retry: 1000\n"


def test_the_caddy_example_tells_clients_apart():
    command = program("caddy")
    with serving("--max-games", "4", "--trusted-proxy", "127.0.0.1", "--host",
                 "arena.example.org") as server:
        port = free_port()
        path = os.path.join(server.folder, "Caddyfile")
        with open(path, "w", encoding="utf-8") as file:
            text = example("caddyfile").replace("8417", str(server.port))
            file.write("{\nadmin off\nauto_https off\n}\n"
                       + text.replace("arena.example.org", f"http://127.0.0.1:{port}"))
        with running([command, "run", "--adapter", "caddyfile", "--config", path], port):
            check_strangers(server, port)
            check_clients(server, port)


if __name__ == "__main__":
    harness.main()
