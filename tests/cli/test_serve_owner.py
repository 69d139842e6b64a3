"""Who owns turf serve: the token beside the database, and what only its holder may do."""
import os
import stat
import subprocess

import harness
from harness import TURF, refused
from web import serving, wait_until

TOURNAMENT = {"game": "sw", "games": 1,
              "players": [{"player": "random"}, {"player": "random", "name": "other"}]}
CHANGES = (("/api/tournaments", TOURNAMENT), ("/api/tournaments/1/stop", {}),
           ("/api/tournaments/1/resume", {}))


def owner_file(server):
    return os.path.join(server.folder, "games.db.owner")


def said_at_start(folder, *options):
    """What turf serve prints when it starts, without a terminal."""
    command = [TURF, "serve", "--port", "0", "--db", os.path.join(folder, "games.db"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        process.terminate()
        rest = process.stdout.read()
    assert first.startswith("turf serve: http://127.0.0.1:"), first
    return first.split()[-1], rest


def test_being_local_is_no_proof_of_ownership():
    with serving() as server:
        for path, body in CHANGES:
            message = server.refused("POST", path, 401, "no-token", body)
            assert ".owner" in message, message
            for token in ("0" * 32, server.owner[:-1], server.owner + "0", server.owner.upper(),
                          "x" * 1000, " " + server.owner):
                server.refused("POST", path, 403, "bad-token", body, token=token)
            server.refused("POST", f"{path}?owner={server.owner}", 401, "no-token", body)
            server.refused("POST", path, 401, "no-token", body,
                           headers={"Authorization": "Basic " + server.owner})
        assert server.get("/api/tournaments")["tournaments"] == []
        assert not server.get("/api/server")["can_change_tournaments"]
        assert not server.get("/api/server", token="0" * 32)["can_change_tournaments"]


def test_the_owner_may_change_tournaments_from_anywhere():
    with serving("--host", "arena.example") as server:
        for headers in ({"X-Forwarded-For": "192.0.2.1"}, {"Host": "arena.example"}, {}):
            assert server.get("/api/server", token=server.owner,
                              headers=headers)["can_change_tournaments"]
            run = server.post("/api/tournaments", TOURNAMENT, server.owner, status=201,
                              headers=headers)["tournament"]["id"]
            wait_until(lambda: server.get(f"/api/tournaments/{run}")["state"] == "done", "it ends")


def test_a_seat_token_is_not_the_owners_and_the_owners_opens_no_seat():
    with serving() as server:
        live, tokens = server.sit("wol", "@Ann", "@Bob")
        server.refused("POST", "/api/tournaments", 403, "bad-token", TOURNAMENT, token=tokens[0])
        server.refused("POST", f"/api/live-games/{live['id']}/resign", 403, "bad-token", {},
                       token=server.owner)


def test_the_token_is_printed_once_and_only_its_user_may_read_the_file():
    with serving() as server:
        server.end()
        token = server.owner
        assert stat.S_IMODE(os.stat(owner_file(server)).st_mode) == 0o600
        assert len(token) == 32 and set(token) <= set("0123456789abcdef")
        address, rest = said_at_start(server.folder)
        assert token not in rest and "games.db.owner" in rest, rest
        os.remove(owner_file(server))
        address, rest = said_at_start(server.folder)
        with open(owner_file(server), encoding="ascii") as file:
            fresh = file.read().strip()
        assert fresh != token and f"{address}#owner={fresh}\n" in rest, rest
        os.remove(owner_file(server))
        assert said_at_start(server.folder, "--quiet")[1] == ""
        server.start()
        assert server.owner not in (token, fresh)
        with open(os.path.join(server.folder, "games.db"), "rb") as file:
            assert server.owner.encode() not in file.read()


def test_a_token_that_others_could_read_or_choose_stops_the_start():
    with serving() as server:
        server.end()
        path = owner_file(server)

        def is_refused(saying):
            refused("serve", "--port", "0", "--db", os.path.join(server.folder, "games.db"),
                    saying=[path, saying])

        os.chmod(path, 0o640)
        is_refused("others may read")
        os.chmod(path, 0o600)
        for text in ("", "x" * 32, server.owner[:-1], server.owner + "0", server.owner + "\n\n"):
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            is_refused("holds no owner's token")
        os.remove(path)
        os.symlink(os.path.join(server.folder, "elsewhere"), path)
        is_refused("cannot be")
        os.remove(path)
        os.mkdir(path, 0o700)
        is_refused("delete it")
        os.rmdir(path)
        server.start()


if __name__ == "__main__":
    harness.main()
