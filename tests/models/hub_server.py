"""A hub with one checkpoint, on this machine: what ``huggingface_hub`` asks one for."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@contextmanager
def hub(folder: Path) -> Iterator[str]:
    """Serve ``folder`` as every repository but those of ``nobody`` and ``gated``; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(body=True)

        def do_HEAD(self) -> None:
            self.answer(body=False)

        def answer(self, body: bool) -> None:
            path = self.path.split("?")[0]
            if "/nobody/" in path:
                self.send_error(404)
            elif "/gated/" in path:
                self.send_error(401)
            elif path.startswith("/api/models/"):
                names = sorted(p.name for p in folder.iterdir())
                tree = "/tree/" in path
                listed = [
                    {"type": "file", "path": n, "size": (folder / n).stat().st_size, "oid": "0" * 40} for n in names
                ]
                facts = {"id": "a/b", "sha": COMMIT, "siblings": [{"rfilename": n} for n in names]}
                self.reply(json.dumps(listed if tree else facts).encode(), "application/json", body)
            elif not (folder / path.rsplit("/", 1)[1]).is_file():
                self.send_error(404)
            else:
                self.reply((folder / path.rsplit("/", 1)[1]).read_bytes(), "application/octet-stream", body)

        def reply(self, content: bytes, kind: str, body: bool) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
            self.send_header("X-Repo-Commit", COMMIT)
            self.end_headers()
            if body:
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
