/** The pages of the manual that belong to the gateway itself. Everything about operations is made from their declarations. */
import type { DocsPage } from '../plugin.ts'

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
- \`/docs\`: the API reference in a browser; \`/openapi.json\`: the same as OpenAPI 3.1.
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
GET and DELETE. Any field may come in the query. The case of a field's first letter is ignored (\`Path\` is \`path\`). A field that
the operation does not have is an error that names the nearest one.

Bodies are \`application/json\` in UTF-8. Operations that take a file also take \`multipart/form-data\`: the file as a part with the
field's name, the other fields as further parts. As JSON a file is \`{ "fileName": "a.csv", "content": "…" }\` or \`"contentBase64"\`.

## Answers

Success is the plain resource as JSON. Collections are \`{ "<plural>": […], "total": n }\`; long ones take \`limit\`, \`cursor\` (the
\`nextCursor\` of the page before) and \`q\`. Times are RFC 3339 in UTC.

Every error is a problem document (RFC 9457, \`application/problem+json\`) with a stable \`code\`; see the page *Errors*.

| header | meaning |
|---|---|
| \`X-Correlation-Id\` | the one you sent, or a new one; it stands in the log and the audit |
| \`X-Job-Id\` | the job that a command ran as |
| \`ETag\`, \`If-None-Match\` | queries of the project's state answer 304 when nothing they read has changed |
| \`Idempotency-Key\` | the same key with the same input stands for the same job; with another input it is an error |
| \`Prefer: respond-async\` | answer with the job at once (202); with \`, wait=10\` after ten seconds at the latest |
| \`Retry-After\` | seconds after which a 429 or 503 is worth another try |
| \`Gantry-Version\` | version of this gateway |

\`dryRun=true\` (query or body) runs any command, answers its result, the events it would append and the files it would change, and
keeps nothing.

## Browsers

The Host header must name an address the gateway is bound to; others are added in the settings (\`security.allowedHosts\`). Pages of
other origins may call only when \`security.allowedOrigins\` lists them.
`,
  },
  {
    name: 'jobs',
    title: 'Jobs',
    text: `Every command runs as a job, one after the other, in the order they were accepted. A synchronous route waits for its job and
answers the result; an asynchronous one answers \`202\` with \`{ "jobId": …, "status": … }\` and \`Location: /api/jobs/{jobId}\`.

A job is \`Pending\`, \`Running\`, then \`Completed\`, \`Failed\` or \`Cancelled\`. All of its changes are kept or none.

\`\`\`sh
curl -H "X-API-Key: $KEY" "$GANTRY/api/jobs/$JOB?wait=20"
\`\`\`

waits up to 20 seconds for the end. An answer is sent only after everything it tells is on the disk. After a crash, jobs that had not
begun are run; one that was running is \`Failed\` with code \`job_interrupted\`, and nothing of it is kept.
`,
  },
  {
    name: 'mcp',
    title: 'MCP for AI tools',
    text: `The gateway is a Model Context Protocol server. \`GET /mcp/config\` gives the snippet for an AI tool's configuration.

| transport | address |
|---|---|
| Streamable HTTP | \`/mcp\` |
| Server-sent events | \`GET /mcp/sse\`, messages to \`POST /mcp/messages?sessionId=…\` |
| stdio | \`gantry mcp\` |

A chosen set of tools is offered; \`?toolsets=blocks,tags\` widens it. \`find_operations\`, \`describe_operation\` and
\`call_operation\` reach every operation. A tool that takes longer than 25 seconds hands back its job, which \`get_job\` follows.
`,
  },
  {
    name: 'plugins',
    title: 'Writing a plugin',
    text: `A plugin is a folder with an \`index.ts\`, \`index.js\` or \`index.mjs\` that default-exports \`definePlugin({ … })\`, in a
directory given with \`--plugins-dir\` (or \`GANTRY_PLUGINS_DIR\`). It is loaded at the next start; its routes, tools, events and
pages then appear everywhere. A plugin that cannot be loaded is skipped, with the reason in \`GET /api/health/diagnostics\`.

\`\`\`ts
import { definePlugin, get, query } from 'gantry'

export default definePlugin({
  name: 'greeting',
  version: '1.0.0',
  operations: [
    query({
      id: 'greeting.hello',
      title: 'Greet someone',
      input: (t) => t.Object({ name: t.String({ description: 'Whom.' }) }),
      output: (t) => t.Object({ text: t.String() }),
      http: [get('/api/greeting/{name}')],
      mcp: { toolset: 'greeting' },
      run: ({ name }) => ({ text: \`Hello, \${name}\` }),
    }),
  ],
})
\`\`\`

- A **query** reads the state with \`ctx.read(collection)\`. A **command** changes it only by \`ctx.emit(event, data)\`; the plugin's
  reducers fold the events into its collections. A **stream** yields server-sent events.
- One declaration makes the REST routes, the MCP tool, the OpenAPI entry, this manual's page and the audit entry.
- \`throw problem('conflict', 'what, where and what would be right')\` ends an operation with an error of the table; a plugin adds its own
  codes in \`problems\`.
- \`hooks\` run before or after operations of other plugins, for instance to deny deletes.
`,
  },
]
