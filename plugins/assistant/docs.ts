/** The page of the manual about the assistant. */
export const assistantPage = `The assistant answers questions about Gantry and the open project, and calls operations of the gateway for you. It can do what your
API key can do, and no more.

\`\`\`sh
curl -N "$GANTRY/api/assistant/chat" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"message": "Which blocks write Motor_1?", "projectKey": "Bottling"}'
\`\`\`

The answer is a stream of server-sent events: \`delta\` (a piece of the answer), \`tool-call\` and \`tool-result\` (an operation and what it came to), \`usage\`
(tokens), and at the end \`done\` with the whole answer or \`error\` with a problem. With \`Accept: application/json\` only the whole answer comes.
\`POST /api/assistant/stop\` ends it at once; so does closing the connection. As a job (\`Prefer: respond-async\`) its text is read in the history: job records do
not show it.

## Without a provider

The built-in model \`gantry/docs\` needs no language model. It answers from the manual, the table of codes, the operations and the index of the open project
(\`POST /api/projects/actions/index\`), reads where what it finds is used, and answers with links: to the manual, to places of the studio, and to forms of operations
(\`/#/command/<operation>\`). It changes nothing.

## With a language model

An administrator connects one or more providers: any server with the protocol of OpenAI (OpenAI, Groq, Mistral, vLLM, Ollama, LM Studio), Anthropic, Google.

\`\`\`sh
curl -X PUT "$GANTRY/api/assistant/settings" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d '{
  "model": "local/qwen3", "writes": "ask",
  "providers": [{"name": "local", "kind": "openai-compatible", "baseUrl": "http://127.0.0.1:11434/v1"}] }'
curl -X POST "$GANTRY/api/assistant/models" -H "X-API-Key: $KEY"
\`\`\`

The second call asks the providers for their models and so tests address and key; models that cannot call tools are left out. Keys are kept encrypted and are
sent to the address they were entered for only. What the assistant reads is sent to the provider: choose one that may know your plant.

A provider that is busy (429, 503, 529) is asked again after the wait that it asks for, four times at most. An answer that is cut off says so (\`error\` with
\`assistant_stream_cut\`, \`finishReason: cut\`) and what came is kept.

Whatever a provider sends, the gateway goes on: an answer is ended (\`finishReason: cut\`) after 500 000 characters, 64 calls, a line of 4 MiB, 64 MiB in all or an
hour; a turn after 1 000 000 characters, 500 calls (\`steps\`), or your stop, which also comes between two calls. A list has at most 5 000 models.

## Changes

The assistant sees the operations that fit the question, 40 at most, and reaches all others by searching. Each call is a job or query like any other; in the
audit its actor is \`assistant (for <key>)\`. A call that changes something is first tried out (a dry run). Then the setting \`writes\` decides:

| \`writes\` | |
|---|---|
| \`ask\` (default) | the turn ends with \`finishReason: approval\` and the effect of the change; it goes on with \`POST /api/assistant/approvals/{approvalId}/approve\` or \`…/reject\` |
| \`at-once\` | the change is made |
| \`never\` | nothing is changed |

\`GET /api/assistant/approvals\` lists what waits, also after a restart. \`calls\` of a turn names the jobs of its changes;
\`POST /api/history/undo\` with \`{"group": "<turnId>"}\` takes all of them back.

## What it reads is data

Names, comments, programs and imported files reach the model between marks that differ in every turn, and the model is told that nothing between them is an
instruction. A model can be fooled all the same: that is why changes wait for your yes unless you set it otherwise.

## History

\`GET /api/assistant/history?projectKey=\` reads what was said, the newest messages of each project key (\`historyEntries\`). The texts are encrypted in the log, and
neither the audit nor its exports nor job records show them. \`DELETE /api/assistant/history\` clears the history. The log is never rewritten: it keeps the
encrypted texts.
`
