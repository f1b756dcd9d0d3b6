/** The errors of the assistant. */
import { type ProblemDefinition, problemsOf } from '../../core/index.ts'

export const assistantProblems = {
  assistant_provider_failed: {
    status: 502,
    title: 'The provider of the language model failed',
    meaning:
      'The provider cannot be reached, refuses the key or the request, or answers with something that is no answer. `provider` names it, `providerStatus` is the HTTP status of its answer if there was one.',
    remedy:
      'Check name, address and key with `POST /api/assistant/models`, which asks each provider for its models, and the model in the settings of the assistant.',
    example: 'Provider "openai" answered 401: Incorrect API key provided.',
  },
  assistant_provider_busy: {
    status: 503,
    title: 'The provider of the language model is busy',
    meaning:
      'The provider answered 429, 503 or 529 and went on doing so after the waits that it asked for, or asks for a wait of more than a minute. `retryAfterSeconds` is what it asks for.',
    remedy: 'Try again after the wait, or choose another model.',
    example: 'Provider "anthropic" answered 529 four times (Overloaded).',
  },
  assistant_stream_cut: {
    status: 502,
    title: 'The answer of the language model was cut off',
    meaning:
      'The connection to the provider ended, or nothing came for too long, in the middle of an answer. What had come is kept in the history; its `finishReason` is `cut`.',
    remedy: 'Ask to go on: the part that came is known to the model.',
    example: 'Provider "vllm" ended its answer early, after 812 characters: the connection was closed.',
  },
} as const satisfies Record<string, ProblemDefinition>

export const problem = problemsOf(assistantProblems)
