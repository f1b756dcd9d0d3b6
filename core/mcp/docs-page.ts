/** The documentation page about MCP. */
export const mcpPage = `# MCP: Gantry for AI tools

Gantry is a Model Context Protocol server. \`GET /mcp/config\` gives ready snippets for common clients.

| transport | address |
|---|---|
| Streamable HTTP | \`/mcp\` (POST, GET, DELETE; header \`Mcp-Session-Id\`). Requests without a session are answered too |
| HTTP+SSE (MCP 2024-11-05) | \`GET /mcp/sse\` opens the stream; its first event, \`endpoint\`, is the address to POST messages to: \`/mcp/messages?sessionId=…\`. A client may name its session: \`GET /mcp/sse?sessionId=my-session\` |
| stdio | \`gantry mcp\`: joins the gateway that runs on the data directory, or starts one |

Both HTTP transports want the API key (\`X-API-Key\` or \`Authorization: Bearer\`). A session belongs to its key, and its tools have the access level of that key.

## Tools

A tool is an operation: \`blocks.list\` is the tool \`blocks_list\`. All operations at once are too many for a model, so a small set is advertised, and five tools reach the rest:

| tool | what it does |
|---|---|
| \`find_operations\` | searches all operations |
| \`describe_operation\` | input and output schema, access level, routes |
| \`call_operation\` | runs any operation; \`dryRun\` shows what a command would do, \`async\` answers with the job at once |
| \`get_job\` | status, progress and result of a job; \`wait\` (seconds, up to 25) waits for its end |
| \`cancel_job\` | cancels a job; none of its changes are kept |

\`?toolsets=blocks,tags\` on the address the client connects to shows exactly these toolsets; \`default\` among them adds the default set, \`all\` is everything, \`dynamic\` only the first three of the table. \`?readonly=1\`: only operations that change nothing are listed and callable. A key sees only what it may call. \`GET /mcp/info\` lists the toolsets.

The list has short descriptions and, of answers, the names of their members; \`describe_operation\` gives the whole.

## Answers

- Text (JSON; cut above 60 000 characters, the rest is in a resource that the note names) and the same as \`structuredContent\`.
- A command that has not ended after 25 s hands back \`{jobId, status, hint}\`; follow it with \`get_job\`.
- A client that sends a progress token gets \`notifications/progress\` (0 to 100). \`notifications/cancelled\` cancels the job.
- An error has \`isError\`, the text \`code: detail\` with each fault, and the problem (as REST answers it) as structured content.
- Files are given as \`{ "fileName": "…", "content": "…" }\` or \`{ "fileName": "…", "contentBase64": "…" }\`.

## Resources

\`gantry://docs/{section}\`, \`gantry://devices/{device}/blocks/{block}\`, \`gantry://jobs/{jobId}\`, \`gantry://results/{id}\`.

## Sessions

\`GET /mcp/sessions\` lists them, \`POST /mcp/sessions/cleanup\` ends the stale ones. A session without a message for 30 minutes and without an open stream ends by itself.
`
