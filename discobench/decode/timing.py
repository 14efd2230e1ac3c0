"""A time limit for a whole answer: the one of httpx starts anew with every byte, and some servers send blanks."""

import time
from collections.abc import Iterator

import httpx2
from openai import DefaultHttpxClient

END = "end"


def timed(seconds: float) -> httpx2.Client:
    """A client that raises httpx2.ReadTimeout where a reply is not whole after so many seconds."""

    def begin(request: httpx2.Request) -> None:
        request.extensions = {**request.extensions, END: time.monotonic() + seconds}

    def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream, response.request.extensions[END])

    return DefaultHttpxClient(timeout=seconds, event_hooks={"request": [begin], "response": [bound]})


class Bounded(httpx2.SyncByteStream):
    """A stream that ends with an error at a time of the monotonic clock."""

    def __init__(self, stream: httpx2.SyncByteStream, end: float) -> None:
        self.stream, self.end = stream, end

    def __iter__(self) -> Iterator[bytes]:
        for part in self.stream:
            yield part
            if time.monotonic() > self.end:
                raise httpx2.ReadTimeout("the reply was not whole in time")

    def close(self) -> None:
        """Close the stream itself."""
        self.stream.close()
