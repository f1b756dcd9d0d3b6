/** The pages of the manual about the gateway itself. Everything about operations is made from their declarations. */
import type { DocsPage } from '../contract/plugin.ts'

export const corePages: readonly DocsPage[] = [
  {
    name: 'getting-started',
    title: 'Getting started',
    text: `Gantry is a local service that automates PLC and HMI engineering. It listens on \`http://127.0.0.1:9000\` unless it was
started with \`--host\` and \`--port\`.

Every call but a few public ones carries an API key. The first start prints one and keeps it in the data directory (file \`api-key\`).

\`\`\`sh
GANTRY=http://127.0.0.1:9000
KEY=gty_…
curl "$GANTRY/api/health"
curl -H "X-API-Key: $KEY" "$GANTRY/api/command/list"
\`\`\`

Where to look next:

- \`GET /api/command/list\`: all routes; \`GET /api/command/info/{route}\`: parameters, body and an example of one.
- \`/docs\`: this manual in a browser, with a search; \`/docs/reference\`: every operation, to try it; \`/openapi.json\`: the
  same as OpenAPI 3.1.
- \`GET /api/docs/search?q=\`: search in this manual.
`,
  },
  {
    name: 'requests',
    title: 'Requests and answers',
    text: `## Keys

\`X-API-Key: <key>\` or \`Authorization: Bearer <key>\`. Keys have an access level: \`viewer\` reads, \`engineer\` changes the project,
\`operator\` also writes to running controllers, \`admin\` also changes settings. \`X-Client-Id: <client>/<version>\` is recorded with the
key's name as the actor of the call.

## Parameters

An operation's parameters are one flat set of fields. Those in braces stand in the path, the others in the JSON body, or in the query for
GET and DELETE. Any field may come in the query. The case of a field's first letter is ignored (\`Path\` is \`path\`). What is
only spelled otherwise is understood: \`device\` for \`deviceName\`, \`block\` for \`blockName\`, \`name\` for the name of what the operation is
about; numbers, booleans, lists and objects as text; words of a list in another case. A field that is given twice with different values,
or that the operation does not have, is an error; it names the nearest one. \`null\` counts as not given, except in PUT, where it is an error.

Bodies are \`application/json\` in UTF-8. Operations that take a file also take \`multipart/form-data\`: the file as a part with the
field's name, the other fields as further parts. As JSON a file is \`{ "fileName": "a.csv", "content": "…" }\` or \`"contentBase64"\`.

## Answers

Success is the plain resource as JSON. Collections are \`{ "<plural>": […], "total": n }\`; long ones take \`limit\`, \`cursor\` (the
\`nextCursor\` of the page before), \`q\`, \`fields\` (names with commas: only these of each entry), and \`sort\` (\`name,-createdAt\`: the order of entries, \`-\` is
descending; not where they are in the order of time, as jobs and the audit). Times are RFC 3339 in UTC.

Every error is a problem document (RFC 9457, \`application/problem+json\`) with a stable \`code\`; see the page *Errors*.

| header | meaning |
|---|---|
| \`X-Correlation-Id\` | the one you sent, or a new one; it stands in the log and the audit |
| \`X-Job-Id\` | the job that a command ran as |
| \`ETag\`, \`If-None-Match\` | queries of the project's state answer 304 when nothing they read has changed |
| \`Idempotency-Key\` | the same key with the same input stands for the same job; with another input it is an error |
| \`X-Group-Id\` | commands with the same one can be taken back together: \`POST /api/history/undo\` |
| \`Prefer: respond-async\` | answer with the job at once (202); with \`, wait=10\` after ten seconds at the latest |
| \`Retry-After\` | seconds after which a 429 or 503 is worth another try |
| \`Gantry-Warnings\` | what an answer that is a bare file leaves out: a JSON array of texts, beyond ASCII as \`\\uXXXX\` |
| \`Gantry-Version\` | version of this gateway |

\`asOf=<seq or time>\` on a query of the project's state answers as the state was then; \`Gantry-As-Of\` says after which record.

\`dryRun=true\` (query or body) runs any command, answers its result, the events it would append and the files it would change, and
keeps nothing.

## Browsers

The Host header must name an address the gateway is bound to; others are added in the settings (\`security.allowedHosts\`). Pages of
other origins may call only when \`security.allowedOrigins\` lists them.
`,
  },
]
