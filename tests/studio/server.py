"""server.py SOURCE TOOL: the studio refuses who may not ask, bounds what is sent, and a run is its command line."""
import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

SOURCE, TOOL = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
MOST_MIB = 1


class Studio:
    def __init__(self, folder, *given, most_mib=MOST_MIB):
        self.process = subprocess.Popen([TOOL, "studio", *given, "--folder", folder, "--most-mib", str(most_mib)], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.url = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.port = self.url.port
        self.token = urllib.parse.parse_qs(self.url.query)["token"][0]

    def ask(self, method, path, body=None, token=True, **headers):
        """Code and text; a header of None is left out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {k.replace("_", "-"): v for k, v in headers.items()}
        connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
        if token:
            headers["X-Roberval-Token"] = self.token
        if body is not None and "Content-Length" not in headers:
            headers["Content-Length"] = str(len(body))
        for key, value in headers.items():
            if value is not None:
                connection.putheader(key, value)
        connection.endheaders()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            if body:
                connection.send(body)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def run(self, *words):
        code, text = self.ask("POST", "/run", "\n".join(words).encode())
        return code, json.loads(text) if code == 200 else text.decode()

    def raw(self, data):
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as s:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
                while s.recv(65536):
                    pass

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        return code


class TestStudio(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name) / "work"
        self.studio = Studio(self.folder)

    def tearDown(self):
        self.studio.end()
        self.scratch.cleanup()

    def refused(self, code, *arguments, **more):
        self.assertEqual(self.studio.ask(*arguments, **more)[0], code, (arguments, more))

    def test_who_may_ask(self):
        s = self.studio
        own = f"127.0.0.1:{s.port}"
        self.assertEqual(s.ask("GET", "/?token=" + s.token, token=False)[0], 200)
        self.assertEqual(s.ask("GET", "/state")[0], 200)
        self.assertEqual(s.ask("GET", "/state", Origin="http://" + own, Host=f"localhost:{s.port}")[0], 200)
        for path in ["/", "/state", "/studio.js", "/file/x", "/run"]:
            self.refused(403, "GET", path, token=False)
            self.refused(403, "GET", path + "?token=" + "0" * 32, token=False)
            self.refused(403, "GET", path + "?token=" + s.token[:-1], token=False)
        # a name that leads to this machine, other ports, other sites
        for host in ["evil.example", f"evil.example:{s.port}", "127.0.0.1", f"127.0.0.1:{s.port + 1}", own + ".evil.example", "", None]:
            self.assertIn(s.ask("GET", "/state", Host=host)[0], (400, 403), host)
        for origin in ["http://evil.example", "https://" + own, "http://127.0.0.1:1", "null", "file://"]:
            self.refused(403, "GET", "/state", Origin=origin)
            self.refused(403, "POST", "/run", b"check", Origin=origin)
        for site in ["cross-site", "same-site"]:
            self.refused(403, "GET", "/state", Sec_Fetch_Site=site)
        # a form can send a token in the address, but no header
        for method, path in [("POST", "/run"), ("PUT", "/file/x.csv")]:
            self.refused(403, method, path + "?token=" + s.token, b"x", token=False)
        for method in ["DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]:
            self.refused(405, method, "/state")

    def test_only_loopback(self):
        listening = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        mine = [row[1] for row in listening if row[3] == "0A" and row[1].endswith(f":{self.studio.port:04X}")]
        self.assertEqual(mine, [f"0100007F:{self.studio.port:04X}"])
        six = pathlib.Path("/proc/net/tcp6")
        if six.exists():
            self.assertFalse([1 for line in six.read_text().splitlines()[1:] if line.split()[3] == "0A" and line.split()[1].endswith(f":{self.studio.port:04X}")])

    def test_paths(self):
        secret = pathlib.Path(self.scratch.name) / "secret.txt"
        secret.write_text("secret")
        (self.folder / "link.txt").symlink_to(secret)
        (self.folder / "runs" / "up").symlink_to(self.scratch.name)
        (self.folder / ".hidden").write_text("hidden")
        (self.folder / "mine.txt").write_text("mine")
        self.assertEqual(self.studio.ask("GET", "/file/mine.txt"), (200, b"mine"))
        for path in ["../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "runs/../../secret.txt", "/etc/passwd", "%2fetc%2fpasswd", "link.txt", "runs/up/secret.txt",
                     ".hidden", "runs", "", ".", "mine.txt/", "%00mine.txt", "..\\secret.txt", "a" * 5000]:
            code, text = self.studio.ask("GET", "/file/" + path)
            self.assertNotEqual(code, 200, path)
            self.assertNotIn(b"secret.txt", text)
        for path in ["../x.csv", "..%2fx.csv", "runs/x.csv", "runs", ".x", "-x", "", "x%0a.csv", "x%2fy"]:
            self.refused(400, "PUT", "/file/" + path, b"1")
        self.assertEqual(sorted(p.name for p in pathlib.Path(self.scratch.name).iterdir()), ["secret.txt", "work"])

    def test_commands_that_are_refused(self):
        (self.folder / "log.csv").write_text("t,q1\n")
        for words in [[], [""], ["demo"], ["studio"], ["reproduce"], ["check", "tx40", "/etc/passwd"], ["check", "tx40", "../secret"], ["check", "tx40", "log.csv", "-o", "x"],
                      ["identify", "tx40", "log.csv", "--output", "result.json"], ["identify", "tx40", "log.csv", "--output", "/tmp/x"],
                      ["identify", "tx40", "log.csv", "--output", "runs/1/../../x"], ["identify", "tx40", "log.csv", "--output", "runs/1/a", "--report", "runs/2/b"],
                      ["identify", "tx40", "log.csv", "--map", "/etc/passwd"], ["identify", "tx40", "log.csv", "--prior", "/etc/passwd"], ["identify", "tx40", "log.csv", "--no-such"],
                      ["identify", "tx40", "log.csv", "--output"], ["identify", "tx40", "log.csv", "--cutoff", "1\0"], ["check", "tx40"] + ["log.csv"] * 1000]:
            self.assertEqual(self.studio.run(*words)[0], 400, words)
        self.assertEqual(list((self.folder / "runs").iterdir()), [])
        # a shell would run these: they are words
        code, answer = self.studio.run("identify", "tx40", "log.csv", "--cutoff", "$(touch made);`touch made`|touch made")
        self.assertEqual(code, 200)
        self.assertNotEqual(answer["exit"], 0)
        self.assertFalse((self.folder / "made").exists())

    def test_uploads_are_bounded(self):
        size = MOST_MIB << 20
        self.assertEqual(self.studio.ask("PUT", "/file/good.csv", b"x" * size)[0], 201)
        self.assertEqual((self.folder / "good.csv").stat().st_size, size)
        self.refused(413, "PUT", "/file/large.csv", b"", Content_Length=str(size + 1))
        self.refused(413, "PUT", "/file/large.csv", b"", Content_Length=str(1 << 62))
        # without a length the connection ends at the bound; a part of a file is nothing
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        head = f"PUT /file/chunks.csv HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nX-Roberval-Token: {self.studio.token}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        self.studio.raw(head + 40 * chunk + b"0\r\n\r\n")
        self.studio.raw(head + chunk)
        head = f"PUT /file/part.csv HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nX-Roberval-Token: {self.studio.token}\r\nContent-Length: 1000\r\n\r\n".encode()
        self.studio.raw(head + b"x")
        self.assertEqual(self.studio.ask("GET", "/state")[0], 200)
        self.studio.end()
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["good.csv", "runs"])

    def test_disk_is_not_filled(self):
        # an upload that would leave less than 256 MiB of the disk is refused before its first byte; the limit of the size allows it
        self.studio.end()
        free = shutil.disk_usage(self.scratch.name).free
        self.studio = Studio(self.folder, most_mib=(free >> 20) + 4096)
        self.refused(507, "PUT", "/file/large.csv", b"", Content_Length=str(free + (1 << 30)))
        self.refused(507, "PUT", "/file/large.csv", b"", Content_Length=str(free - (128 << 20)))
        self.assertEqual(self.studio.ask("PUT", "/file/small.csv", b"x")[0], 201)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["runs", "small.csv"])

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("mount"), "needs a small disk")
    def test_small_disk(self):
        # 2 GB without a length onto a disk of 300 MiB: it ends while at least 250 MiB are free, and nothing of it stays
        self.studio.end()
        disk = pathlib.Path(self.scratch.name) / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("mount is not permitted")
        try:
            self.studio = Studio(disk / "work", most_mib=4096)
            head = (f"PUT /file/chunks.csv HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nX-Roberval-Token: {self.studio.token}\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n").encode()
            chunk = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
            least = shutil.disk_usage(disk).free
            with socket.create_connection(("127.0.0.1", self.studio.port), timeout=60) as s, contextlib.suppress(BrokenPipeError, ConnectionResetError):
                s.sendall(head)
                for _ in range(2048):
                    s.sendall(chunk)
                    least = min(least, shutil.disk_usage(disk).free)
            self.assertGreater(least, 240 << 20)
            self.assertEqual(self.studio.ask("GET", "/state")[0], 200)
            self.studio.end()
            self.assertEqual(sorted(p.name for p in (disk / "work").iterdir()), ["runs"])
        finally:
            self.studio.end()
            subprocess.run(["umount", disk], check=True)

    def test_body_of_a_command_is_bounded(self):
        with contextlib.suppress(http.client.RemoteDisconnected, ConnectionResetError):
            self.assertNotEqual(self.studio.ask("POST", "/run", b"check\n" + b"x" * (1 << 20))[0], 200)
        self.assertEqual(self.studio.ask("GET", "/state")[0], 200)

    def test_malformed_requests(self):
        random.seed(1)
        good = f"GET /state HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nX-Roberval-Token: {self.studio.token}\r\n\r\n".encode()
        for k in range(10000):
            data = bytearray(good)
            for _ in range(random.randint(1, 8)):
                at = random.randrange(len(data))
                kind = random.random()
                if kind < 0.4:
                    data[at] = random.randrange(256)
                elif kind < 0.7:
                    del data[at:at + random.randint(1, 20)]
                else:
                    data[at:at] = bytes(random.randrange(256) for _ in range(random.randint(1, 40)))
                if not data:
                    break
            self.studio.raw(bytes(data))
        self.assertIsNone(self.studio.process.poll())
        self.assertEqual(self.studio.ask("GET", "/state")[0], 200)

    def test_many_connections(self):
        held = [socket.create_connection(("127.0.0.1", self.studio.port), timeout=20) for _ in range(200)]
        for s in held:
            s.close()
        for _ in range(50):
            with contextlib.suppress(http.client.RemoteDisconnected, ConnectionResetError):
                if self.studio.ask("GET", "/state")[0] == 200:
                    return
        self.fail("no answer after 200 connections")

    def test_a_run_is_its_command(self):
        environment = dict(os.environ, PATH=f"{TOOL.parent}:{os.environ['PATH']}", SOURCE_DATE_EPOCH="86400")
        self.studio.end()
        examples = pathlib.Path(self.scratch.name) / "examples"
        shutil.copytree(SOURCE / "examples", examples)
        subprocess.run(["sh", "record.sh", "0", "log.csv"], cwd=examples, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.environ["SOURCE_DATE_EPOCH"] = "86400"
        self.studio = Studio(self.folder, "tx40", str(examples / "log.csv"))
        state = json.loads(self.studio.ask("GET", "/state")[1])
        self.assertEqual(state["given"][0], "tx40")
        # the page limits large recordings by their size
        self.assertEqual(state["given_bytes"], [0, (examples / "log.csv").stat().st_size])
        code, found = self.studio.run("check", *state["given"], "--json")
        self.assertEqual((code, found["exit"], json.loads(found["output"])["schema"]), (200, 0, "roberval.check/1"))
        words = ["identify", *state["given"], "--friction", "plain", "--output", "runs/0001/result.json", "--report", "runs/0001/report.html", "--plots", "runs/0001/figures"]
        code, answer = self.studio.run(*words)
        self.assertEqual((code, answer["exit"]), (200, 0), answer)
        # nothing is overwritten
        self.assertEqual(self.studio.run(*words)[0], 400)
        # a killed server loses nothing; the next one lists the run
        self.studio.end(signal.SIGKILL)
        self.studio = Studio(self.folder, *state["given"])
        runs = json.loads(self.studio.ask("GET", "/state")[1])["runs"]
        self.assertEqual([(r["name"], r["command"]) for r in runs], [("0001", answer["command"])])
        self.assertIn("result.json", runs[0]["files"])
        self.assertEqual(self.studio.ask("GET", "/file/runs/0001/result.json")[1], (self.folder / "runs/0001/result.json").read_bytes())
        # the copied command, without the studio, gives the same bytes
        (self.folder / "runs/0001").rename(self.folder / "runs/before")
        (self.folder / "runs/0001").mkdir()
        subprocess.run(["sh", "-c", answer["command"]], cwd=self.folder, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name in ["result.json", "report.html", "figures/torque-fit-1.svg"]:
            self.assertEqual((self.folder / "runs/before" / name).read_bytes(), (self.folder / "runs/0001" / name).read_bytes(), name)

    def test_end(self):
        self.assertEqual(self.studio.end(signal.SIGINT), 0)

    def test_refused_starts(self):
        for arguments in [["studio", "no-such.urdf"], ["studio", "--port", "70000"], ["studio", "--folder", "/proc/no-such"]]:
            done = subprocess.run([TOOL, *arguments], cwd=self.scratch.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertIn(done.returncode, (2, 3, 4), arguments)
            self.assertIn("roberval", done.stderr)


unittest.main(argv=[sys.argv[0], "-v"])
