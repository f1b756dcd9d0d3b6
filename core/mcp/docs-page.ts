/** The documentation page about MCP. */
export const mcpPage = `# MCP: Gantry for AI tools

Gantry is a Model Context Protocol server. \`GET /mcp/config\` gives ready snippets for common clients.

| transport | address |
|---|---|
| Streamable HTTP, MCP 2026-07-28 | \`POST /mcp\`: each request stands alone. \`server/discover\`, \`subscriptions/listen\`, questions as \`input_required\`, tasks |
| Streamable HTTP, MCP 2025-03-26 to 2025-11-25 | \`/mcp\` (POST, GET, DELETE; header \`Mcp-Session-Id\`). Requests without a session are answered too. A stream that broke is taken up with \`Last-Event-ID\`: its last 4 MB are kept with the session, and since 2025-11-25 each call that may change something is answered on such a stream |
| HTTP+SSE (MCP 2024-11-05) | \`GET /mcp/sse\` opens the stream; its first event, \`endpoint\`, is the address to POST messages to: \`/mcp/messages?sessionId=…\`. A client may name its session: \`GET /mcp/sse?sessionId=my-session\` |
| stdio | \`gantry mcp\`: joins the gateway that runs on the data directory, or starts one |

All versions are served at the same address. HTTP wants the API key (\`X-API-Key\` or \`Authorization: Bearer\`). A session belongs to its key, and its tools have the access level of that key.

## Tools

A tool is an operation: \`blocks.list\` is the tool \`blocks_list\`. All operations at once are too many for a model, so a small set is advertised, and five tools reach the rest:

| tool | what it does |
|---|---|
| \`find_operations\` | searches all operations by what they do (\`rename a tag\`): the best 5 with their fields; \`limit\` gives more |
| \`describe_operation\` | input and output schema, access level, routes |
| \`call_operation\` | runs any operation; \`dryRun\` shows what a command would do, \`async\` answers with the job at once |
| \`get_job\` | status, progress and result of a job; \`wait\` (seconds, up to 25) waits for its end |
| \`cancel_job\` | cancels a job; none of its changes are kept |

\`?toolsets=blocks,tags\` on the address the client connects to shows exactly these toolsets; \`default\` among them adds the default set, \`all\` is everything, \`dynamic\` only the first three of the table. \`?tools=blocks_list,find_operations\` shows exactly these tools, or, with \`toolsets\`, these too. \`?readonly=1\`: only operations that change nothing are listed and callable. The headers \`X-MCP-Toolsets: blocks,tags\`, \`X-MCP-Tools: blocks_list\` and \`X-MCP-Readonly: true\` mean the same. Unknown parameters, toolsets, tools and values are refused with 400; a selection holds for the whole session. A key sees only what it may call. \`GET /mcp/info\` lists the toolsets.

The list has short descriptions and, of answers, the names of their members; \`describe_operation\` gives the whole.

## Answers

- Text (JSON) and the same as \`structuredContent\`. Above 60 000 characters both are cut: of lists the first entries, of texts the beginning, with \`cut: { characters, resource }\`; a \`resource_link\` names the resource that \`resources/read\` gives whole.
- A command that has not ended after 25 s hands back \`{jobId, status, hint}\`; follow it with \`get_job\`.
- A client of MCP 2026-07-28 that declares the extension \`io.modelcontextprotocol/tasks\` gets a task for such a command (its id is that of the job): \`tasks/get\`, \`tasks/cancel\`.
- A client that sends a progress token gets \`notifications/progress\` (0 to 100). \`notifications/cancelled\` cancels the job; since MCP 2026-07-28, over HTTP, closing the answer does.
- An error has \`isError\`, the text \`code: detail\` with each fault, and the problem (as REST answers it) as structured content.
- A client that declares elicitation is asked before a destructive call; see below.
- Files are given as \`{ "fileName": "…", "content": "…" }\` or \`{ "fileName": "…", "contentBase64": "…" }\`.

## Questions to the person

A client that declares the capability \`elicitation\` (forms) can show its person a question. Before a call that deletes, stops, downloads or overwrites something it gets \`elicitation/create\`: the operation, its input without secrets, and the events and files of a trial run. The form has two fields: \`proceed\` (yes or no) and \`always\` (do not ask about this operation again in this session).

- In MCP 2026-07-28 the question is the answer (\`input_required\`), and the client calls again with \`inputResponses\` and the \`requestState\` that it got. It has only \`proceed\`; when a trial run shows something else by then, the person is asked again.
- Only \`accept\` with \`proceed: true\` lets the call run. Every other answer, an error of the client, and no answer within 120 s leave everything as it is; the tool answers \`not_confirmed\`.
- A call is asked about once, also through \`call_operation\` or as a job. A batch is one call.
- Not asked about: queries, dry runs, calls with \`overwrite: false\`, changes of which the trial run shows that they only add to what there is (on a controller it cannot show that), and calls that the trial run refuses (they answer its error).
- Other clients, REST and the command line are served without questions. \`mcp.confirmDestructive: false\` in the settings (\`GANTRY_MCP_CONFIRM_DESTRUCTIVE=false\`) turns them off for everyone.

## Prompts

Tasks that a person starts from the menu of the client. The text names the tools as the session has them, and a session gets only the prompts whose calls it may make.

| prompt | arguments | what it does |
|---|---|---|
| \`import_program\` | \`path\`, \`device\` | checks files in memory, imports them, compiles, explains each fault |
| \`write_block\` | \`device\`, \`name\`, \`task\` | writes a function block and proves it on a virtual controller |
| \`find_output\` | \`device\`, \`output\`, \`instance\` | traces an output back to the cause of its value; only reads |
| \`review_change\` | \`device\`, \`block\`, optionally \`path\` | compares a block with an earlier state and judges the change |

A plugin adds its own: \`extensions: [extend(mcpPrompts, { name, title, description, arguments, uses, text })]\`. \`uses\` are the operations that the text calls; \`text(given, call)\` writes each of them with \`call('blocks.list', { deviceName })\`.

## Resources

\`gantry://docs/{section}\`, \`gantry://devices/{device}/blocks/{block}\`, \`gantry://jobs/{jobId}\`, \`gantry://results/{id}\`.

A client hears of changes of blocks and jobs with \`resources/subscribe\`, or \`subscriptions/listen\` since MCP 2026-07-28.

\`completion/complete\` completes their parameters and the arguments of prompts with what the project has: PLCs, blocks of the PLC given before, tags, virtual controllers, sections, jobs.

## Sessions

\`GET /mcp/sessions\` lists them, \`POST /mcp/sessions/cleanup\` ends the stale ones. A session without a message for 30 minutes and without an open stream ends by itself.

Requests of MCP 2026-07-28 have no session. Their commands are of one group, and can be taken back together, when the client names a trace (\`traceparent\` in \`_meta\`).

## Behind a proxy with OAuth

A proxy before the gateway can take OAuth tokens and send an API key on. With the settings \`mcp.authorizationServers\` and \`mcp.publicUrl\` clients find the issuer by themselves: \`/.well-known/oauth-protected-resource/mcp\` (RFC 9728), named in the \`WWW-Authenticate\` of a 401.
`
