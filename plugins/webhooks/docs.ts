/** The page of the manual about webhooks. */
import { pauses } from './deliver.ts'
import { mostHooks, mostRecent, mostWaiting } from './state.ts'

const wait = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`

export const webhooksPage = `# Webhooks

A webhook tells another program by a signed POST what happens: programs behind firewalls need not ask. Only keys with access \`admin\` see and
change them.

\`\`\`sh
curl -X POST http://127.0.0.1:9000/api/webhooks -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d '{
  "name": "Failed jobs", "url": "https://ci.example.com/gantry", "on": "job",
  "filter": { "statuses": ["Failed"] }, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }'
\`\`\`

| \`on\` | a message for each | conditions in \`filter\` | \`type\` of the message |
|---|---|---|---|
| \`job\` | end of a job | \`operation\`, \`statuses\` (Completed, Failed, Cancelled) | \`job.completed\`, \`job.failed\`, \`job.cancelled\` |
| \`audit\` | record of the log | \`operation\`, \`types\`, \`entity\`, \`actor\`, as \`GET /api/audit\` has them | \`audit.recorded\` |
| \`alarm\` | report of alarms of a virtual controller | \`instance\` | \`alarm.reported\` |

\`*\` stands for any run of characters. What webhooks themselves write is told to none. At most ${mostHooks} webhooks.

## Messages

The body is \`{ "type", "timestamp", "data" }\`. Of a job \`data\` has \`jobId, command, status, actor, error? { code, detail }, seq\`; its result is read with
\`GET /api/jobs/{jobId}\`. Of the audit it is the entry, without its \`data\` when they are longer than 64 kB (\`omittedBytes\`).

Headers are those of [Standard Webhooks](https://www.standardwebhooks.com):

| header | what it is |
|---|---|
| \`webhook-id\` | id of the message, the same in each attempt: a receiver that has it already may drop it |
| \`webhook-timestamp\` | seconds since 1970 of the attempt: refuse what is older than a few minutes |
| \`webhook-signature\` | \`v1,\` and base64 of HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\` |

The key of the HMAC is what the base64 behind \`whsec_\` means, or the bytes of a secret without that prefix. The secret is kept encrypted and never
shown; \`PATCH /api/webhooks/{id} { "secret" }\` replaces it.

## Attempts

2xx within 10 s is a delivery. Anything else is tried again after ${pauses.map(wait).join(', ')}, later when the receiver sends \`Retry-After\`,
and then given up. 410 stops the webhook until it is switched on again. Redirects are not followed. First attempts come in the order of the log; at
most ${mostWaiting} messages of a webhook wait for another attempt, then the oldest is given up. The state is in the log: a restart goes on
where it was, and after a crash a message may come twice.

\`GET /api/webhooks/{id}/deliveries\` lists the last ${mostRecent} messages with attempts, status, error and the time of the next attempt;
\`POST /api/webhooks/{id}/actions/test\` sends a test message and tells how it ended.

## Hosts

\`PUT /api/webhooks/settings\`:

- \`allowedHosts\`: only these are told (\`*.example.com\`); empty: any public host.
- \`privateHosts\`: these may have addresses of private networks (loopback, 10.0.0.0/8, 192.168.0.0/16, link-local, unique local …) and may be
  told with \`http://\`. All others need \`https://\`.

The address is checked when the connection is made, at each attempt: a name that resolves to a private address is not connected to (DNS
rebinding), and the address that was checked is the one that is used.
`
