"""An HTTP server that answers by script: each request takes the next answer."""
from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional, Tuple, Union


class Seen:
    def __init__(self, method: str, path: str, headers: Dict[str, str], body: bytes) -> None:
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body

    def json(self) -> Any:
        return json.loads(self.body)


# A status with headers and body, "drop" to close without an answer, or seconds to hang before a 200.
Step = Union[Tuple[int, Dict[str, str], Any], str, float]


class FaultServer:
    """`script` gives the answers in order; afterwards `default`, or the result of `answer`."""

    def __init__(
        self,
        script: Optional[List[Step]] = None,
        default: Step = (200, {}, {"ok": True}),
        answer: Optional[Callable[[Seen], Step]] = None,
    ) -> None:
        self.seen: List[Seen] = []
        self._script = list(script or [])
        self._default = default
        self._answer = answer
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _handle(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                step = outer._next(Seen(self.command, self.path, headers, self.rfile.read(length)))
                self.close_connection = True
                if step == "drop":
                    return
                if isinstance(step, float):
                    time.sleep(step)
                    step = (200, {}, {})
                assert isinstance(step, tuple)
                status, extra, body = step
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                try:
                    self.send_response(status)
                    for name, value in {"Content-Type": "application/json", **extra}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    pass

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def _next(self, seen: Seen) -> Step:
        with self._lock:
            self.seen.append(seen)
            if self._script:
                return self._script.pop(0)
        return self._default if self._answer is None else self._answer(seen)

    def __enter__(self) -> "FaultServer":
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()
