/** A provider's language model, through the AI SDK. Loaded on first use. */
import type { LanguageModel } from 'ai'
import { defined, type Gateway } from '../../../core/index.ts'
import { problem } from '../problems.ts'
import type { Provider } from '../state.ts'
import { boundedFetch } from './limits.ts'

/** Where the public API of a kind begins. */
const publicUrls = {
  'openai-compatible': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const satisfies Record<Provider['kind'], string>

/** Where the API of a provider begins, without a slash at the end. */
export function baseUrlOf({ kind, baseUrl = publicUrls[kind] }: Provider): string {
  return baseUrl.replace(/\/+$/, '')
}

/**
 * The key of a provider in the clear.
 * @returns undefined when it has none
 * @throws GatewayError `assistant_provider_failed` when it was sealed under another key
 */
export function keyOf(gateway: Gateway, { name, apiKey }: Provider): string | undefined {
  if (apiKey === undefined) return undefined
  try {
    return gateway.unseal(apiKey)
  } catch (cause) {
    throw problem(
      'assistant_provider_failed',
      `The key of provider "${name}" cannot be read: the key of the data directory was replaced. Enter it again.`,
      { cause, suggestion: 'PUT /api/assistant/settings', extra: { provider: name } },
    )
  }
}

/** Opens a model of a provider. @param key of the provider, in the clear */
export async function connect(provider: Provider, modelId: string, key: string | undefined): Promise<LanguageModel> {
  const baseURL = baseUrlOf(provider)
  const options = { baseURL, fetch: boundedFetch, ...defined({ apiKey: key }) }
  switch (provider.kind) {
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...options, name: provider.name, includeUsage: true }).chatModel(modelId)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      // Without a key it would take one from the environment, which was not meant for this server.
      return createAnthropic({ ...options, apiKey: key ?? 'none' })(modelId)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ ...options, apiKey: key ?? 'none' })(modelId)
    }
  }
}
