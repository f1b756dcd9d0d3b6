"""A typed client of a Gantry gateway.

Written by "gantry client python" from the OpenAPI document of a gateway; changes are lost when it is written again.
Python 3.9 or newer, without other packages.

    from gantry_client import CallOptions, Gantry, GantryProblem

    gantry = Gantry('http://127.0.0.1:9000', key='...')
    gantry.projects.create(name='Bottling')
    job = gantry.blocks.compile_device_async(device_name='PLC_1')
    result = job.wait(on_progress=lambda progress: print(progress.progress))
    for event in gantry.events.follow():
        print(event.event, event.data)

A method has the name of its operation id. Results are plain dictionaries with the names of the wire; their types are
for editors and type checkers. What the gateway refuses is a GantryProblem.
"""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generator, Generic, List, Literal, Optional, TypedDict, TypeVar, Union

T = TypeVar('T')

#: An argument that is not given. None is a value: the null of JSON.
UNSET: Any = type('_Unset', (), {'__repr__': lambda self: 'UNSET', '__bool__': lambda self: False})()


class GantryUnreachable(Exception):
    """The gateway does not answer, or the connection was cut."""


class GantryProblem(Exception):
    """The gateway has refused a request, or a job has failed (RFC 9457)."""

    def __init__(self, problem: Dict[str, Any]) -> None:
        self.problem = problem
        #: Stable name of the error, e.g. not_found.
        self.code: str = problem.get('code', 'unknown_problem')
        #: HTTP status.
        self.status: int = problem.get('status', 500)
        self.title: str = problem.get('title', '')
        self.detail: str = problem.get('detail', '')
        self.errors: List[Dict[str, Any]] = problem.get('errors', [])
        self.job_id: Optional[str] = problem.get('jobId')
        super().__init__(f'{self.code}: {self.detail}')


class JobCancelled(Exception):
    """A job was cancelled."""

    def __init__(self, job_id: str) -> None:
        self.job_id = job_id
        super().__init__(f'Job {job_id} was cancelled.')


class JobTimeout(Exception):
    """A job has not ended in the given time; it goes on."""

    def __init__(self, job_id: str) -> None:
        self.job_id = job_id
        super().__init__(f'Job {job_id} has not ended in time.')


@dataclass(frozen=True)
class Progress:
    """How a job goes."""

    job_id: str
    status: str
    #: 0 to 100.
    progress: float
    message: Optional[str] = None


@dataclass(frozen=True)
class ServerEvent:
    """A server-sent event."""

    event: str
    #: Parsed where it is JSON, else the text.
    data: Any
    #: Number of the record in the log, where the stream has them.
    id: Optional[str] = None


@dataclass
class CallOptions:
    """With on_progress, cancel or timeout a command runs as a job that the client waits for."""

    on_progress: Optional[Callable[[Progress], None]] = None
    #: Cancels the job when it is set, by another thread or in on_progress.
    cancel: Optional[threading.Event] = None
    #: Seconds after which waiting for a job ends (JobTimeout); the job goes on.
    timeout: Optional[float] = None
    #: The change is made only while the object has this ETag.
    if_match: Optional[str] = None
    #: A repeated call with the same key is the same job.
    idempotency_key: Optional[str] = None
    #: Commands with the same id can be taken back together.
    group_id: Optional[str] = None
    headers: Dict[str, str] = field(default_factory=dict)


class Job(Generic[T]):
    """A command that runs in the gateway."""

    def __init__(self, calls: _Calls, job_id: str) -> None:
        self.id = job_id
        self._calls = calls

    def get(self, wait: float = 0) -> Dict[str, Any]:
        """Reads the job; waits so many seconds for its end, at most 60."""
        query = {'wait': wait} if wait > 0 else {}
        return self._calls.call('GET', '/api/jobs/{jobId}', path={'jobId': self.id}, query=query)

    def cancel(self) -> None:
        self._calls.call('DELETE', '/api/jobs/{jobId}', path={'jobId': self.id}, query={})

    def events(self) -> Generator[ServerEvent, None, None]:
        """The events of the job, until its end."""
        return self._calls.stream('GET', '/api/jobs/{jobId}/events', path={'jobId': self.id}, query={})

    def wait(
        self,
        *,
        on_progress: Optional[Callable[[Progress], None]] = None,
        cancel: Optional[threading.Event] = None,
        timeout: Optional[float] = None,
    ) -> T:
        """Waits for the result. Raises GantryProblem, JobCancelled, JobTimeout."""
        until = None if timeout is None else time.monotonic() + timeout
        asked = False
        last: Optional[Progress] = None
        while True:
            if cancel is not None and cancel.is_set() and not asked:
                asked = True
                try:
                    self.cancel()
                except GantryProblem:
                    pass  # It may have ended in this moment; what it came to is read below.
            # Short polls while somebody watches the progress or may cancel.
            seconds = 20.0 if on_progress is None and cancel is None else 1.0
            if until is not None:
                seconds = max(0.0, min(seconds, until - time.monotonic()))
            job = self.get(seconds)
            now = Progress(self.id, job['status'], job['progress'], job.get('message'))
            if on_progress is not None and now != last:
                on_progress(now)
            last = now
            if now.status == 'Completed':
                return job.get('result')  # type: ignore[return-value]
            if now.status == 'Failed':
                raise GantryProblem(job.get('error') or {'detail': f'Job {self.id} failed.'})
            if now.status == 'Cancelled':
                raise JobCancelled(self.id)
            if until is not None and time.monotonic() >= until:
                raise JobTimeout(self.id)


class _Calls:
    """Calls routes; the methods of the groups use it."""

    def __init__(self, url: str, key: Optional[str], *, headers: Optional[Dict[str, str]], timeout: float) -> None:
        self.url = url.rstrip('/')
        self.key = key
        self.headers = headers or {}
        self.timeout = timeout

    def job(self, job_id: str) -> Job[Any]:
        """The job with an id."""
        return Job(self, job_id)

    def call(
        self,
        method: str,
        path_template: str,
        *,
        path: Dict[str, Any],
        query: Dict[str, Any],
        body: Optional[Dict[str, Any]] = None,
        options: Optional[CallOptions] = None,
        command: bool = False,
    ) -> Any:
        """The result of a route; a command that goes on as a job is waited for."""
        o = options or CallOptions()
        waits = o.on_progress is not None or o.cancel is not None or o.timeout is not None
        if command and waits:
            job = self.start(method, path_template, path=path, query=query, body=body, options=options)
            return job.wait(on_progress=o.on_progress, cancel=o.cancel, timeout=o.timeout)
        accept = 'application/json, application/problem+json, */*;q=0.5'
        with self._send(method, path_template, path, query, body, o, {'Accept': accept}) as answer:
            text = answer.read().decode('utf-8')
            status = answer.status
            is_json = re.match(r'application/json\b', answer.headers.get('content-type', ''))
        if status == 202:
            return Job(self, json.loads(text)['jobId']).wait()
        return json.loads(text) if is_json else text

    def start(
        self,
        method: str,
        path_template: str,
        *,
        path: Dict[str, Any],
        query: Dict[str, Any],
        body: Optional[Dict[str, Any]] = None,
        options: Optional[CallOptions] = None,
    ) -> Job[Any]:
        """Starts a command as a job."""
        headers = {'Accept': 'application/json, application/problem+json', 'Prefer': 'respond-async'}
        with self._send(method, path_template, path, query, body, options or CallOptions(), headers) as answer:
            content = json.loads(answer.read().decode('utf-8'))
            if answer.status != 202:
                raise RuntimeError(f'{method} {path_template} does not run as a job.')
            return Job(self, content['jobId'])

    def stream(
        self,
        method: str,
        path_template: str,
        *,
        path: Dict[str, Any],
        query: Dict[str, Any],
        body: Optional[Dict[str, Any]] = None,
        options: Optional[CallOptions] = None,
    ) -> Generator[ServerEvent, None, None]:
        """Server-sent events, until the gateway ends the stream or the generator is closed."""
        headers = {'Accept': 'text/event-stream, application/problem+json'}
        with self._send(method, path_template, path, query, body, options or CallOptions(), headers) as answer:
            event, event_id, data = 'message', None, []
            for raw in answer:
                line = raw.decode('utf-8').rstrip('\r\n')
                if line == '':
                    if data:
                        yield ServerEvent(event, _parsed('\n'.join(data)), event_id)
                    event, data = 'message', []
                    continue
                name, _, value = line.partition(':')
                value = value[1:] if value.startswith(' ') else value
                if name == 'event':
                    event = value
                elif name == 'data':
                    data.append(value)
                elif name == 'id':
                    event_id = value

    @contextmanager
    def _send(
        self,
        method: str,
        template: str,
        path: Dict[str, Any],
        query: Dict[str, Any],
        body: Optional[Dict[str, Any]],
        options: CallOptions,
        headers: Dict[str, str],
    ) -> Generator[Any, None, None]:
        address = self.url + re.sub(
            r'\{(\w+)\}', lambda match: urllib.parse.quote(_text(path[match.group(1)]), safe=''), template
        )
        pairs = []
        for name, value in query.items():
            # A query has no null: None is left out too.
            if value is not UNSET and value is not None:
                pairs += [(name, _text(part)) for part in (value if isinstance(value, (list, tuple)) else [value])]
        if pairs:
            address += '?' + urllib.parse.urlencode(pairs)
        named = {
            'X-API-Key': self.key,
            'If-Match': options.if_match,
            'Idempotency-Key': options.idempotency_key,
            'X-Group-Id': options.group_id,
        }
        sent = {name: value for name, value in named.items() if value is not None}
        data = None
        if body is not None:
            data = json.dumps({name: value for name, value in body.items() if value is not UNSET}).encode('utf-8')
            sent['Content-Type'] = 'application/json'
        request = urllib.request.Request(
            address, data=data, headers={**headers, **sent, **self.headers, **options.headers}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                yield answer
        except urllib.error.HTTPError as error:
            with error:
                raise GantryProblem(_problem(error.code, error.read())) from None
        except (OSError, http.client.HTTPException) as error:
            raise GantryUnreachable(f'{self.url} does not answer: {error}') from error


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return 'true' if value else 'false'
    return json.dumps(value) if isinstance(value, dict) else str(value)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _problem(status: int, content: bytes) -> Dict[str, Any]:
    """The problem of an answer; one that is not from a gateway (a proxy) becomes one."""
    text = content.decode('utf-8', 'replace')
    problem = _parsed(text)
    if isinstance(problem, dict) and 'code' in problem and 'status' in problem:
        return problem
    detail = f'The answer is HTTP {status} without a problem document: {text}'
    return {'type': 'about:blank', 'title': 'Unknown problem', 'status': status, 'code': 'unknown_problem', 'detail': detail}


# --- types and operations of the gateway ---
