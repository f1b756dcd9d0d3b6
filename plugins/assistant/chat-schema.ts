/** What a turn answers, and the events that it sends. */
import { operationInput, type SchemaBuilder } from '../../core/index.ts'
import { callFields } from './history.ts'
import { finishReasons } from './turn.ts'

/** The answer of a turn. */
export const turnFields = (t: SchemaBuilder) =>
  t.Object({
    turnId: t.String({ description: 'The same for a turn and what follows a yes or a no.' }),
    role: t.String(),
    content: t.String({ description: 'What the assistant said, Markdown.' }),
    timestamp: t.DateTime(),
    model: t.String(),
    finishReason: t.Enum([...finishReasons], {
      description:
        '`approval`: a change waits for a yes; `cut`: the provider ended early, or its answer went past a limit; `failed`: it failed; `steps`: too many answers or calls in one turn.',
    }),
    calls: t.Array(t.Object(callFields(t))),
    usage: t.Object({ inputTokens: t.Integer(), outputTokens: t.Integer(), totalTokens: t.Integer() }),
    approval: t.Optional(
      t.Object({
        approvalId: t.String(),
        operation: t.String(),
        title: t.String(),
        input: operationInput(t),
        effect: t.String({ description: 'What the dry run says.' }),
        dryRunJobId: t.Optional(t.String()),
      }),
    ),
    warnings: t.Array(t.String()),
  })

export const streamedEvents = {
  delta: 'A piece of the answer: `{ text }`.',
  'tool-call': 'A tool is called: `{ id, tool, operation, input, writes }`. Secrets in `input` are masked.',
  'tool-result':
    'What it came to: `{ id, tool, operation, state, text, jobId, approval }`. `state` is `read`, `done`, `failed`, `refused`, or `tried` for a dry run; with `approval` the change waits for a yes.',
  usage: 'Tokens of the turn so far: `{ inputTokens, outputTokens, totalTokens }`.',
}
