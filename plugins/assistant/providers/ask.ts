/** Asks providers for their models, all at once. */
import { defined, type Gateway } from '../../../core/index.ts'
import type { Provider } from '../state.ts'
import { keyOf } from './connect.ts'
import { limits } from './limits.ts'
import { type ListedModel, modelsOf } from './models.ts'

export interface ProviderAnswer {
  readonly provider: Provider
  readonly models: readonly ListedModel[]
  /** What is wrong with it. */
  readonly error?: string
  /** What of its list is left out. */
  readonly warning?: string
}

/** What each provider has; one that fails has none, and says why. */
export function askProviders(
  gateway: Gateway,
  providers: readonly Provider[],
  signal: AbortSignal,
): Promise<ProviderAnswer[]> {
  return Promise.all(
    providers.map(async (provider) => {
      let key: string | undefined
      try {
        key = keyOf(gateway, provider)
        return { provider, ...bounded(provider, await modelsOf(provider, key, signal)) }
      } catch (error) {
        const said = saidBy(error)
        return defined({ provider, models: [], error: key ? said.replaceAll(key, '(key)') : said })
      }
    }),
  )
}

/** As many models as a list may have. */
function bounded({ name }: Provider, listed: readonly ListedModel[]): Pick<ProviderAnswer, 'models' | 'warning'> {
  const named = listed.filter((model) => model.name.length <= limits.nameCharacters)
  const models = named
    .slice(0, limits.models)
    .map((model) => defined({ ...model, title: model.title?.slice(0, limits.nameCharacters) }) as ListedModel)
  const left = listed.length - models.length
  if (left === 0) return { models }
  const most = `a list has at most ${limits.models}, with names of at most ${limits.nameCharacters} characters`
  return { models, warning: `Of provider "${name}" ${left} of ${listed.length} models are left out: ${most}.` }
}

function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it does not answer'
  // What fetch throws says only "fetch failed"; the reason is inside.
  const { cause } = error
  const { code } = (cause ?? {}) as { code?: unknown }
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : code
  return reason === undefined || error.name === 'GatewayError'
    ? error.message
    : `it cannot be reached: ${String(reason)}`
}
