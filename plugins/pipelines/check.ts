/** Checks what a pipeline calls before it is kept, and fills variables in. */
import {
  compileInput,
  GatewayError,
  isGatewayError,
  isObject,
  notFound,
  problem,
  type QueryContext,
} from '../../core/index.ts'
import type { Pipeline, PipelineStep } from './state.ts'

const reference = /\{\{([^{}]*)\}\}/g

/**
 * The operation of a step, as the caller may call it.
 * @throws GatewayError `not_found`, `forbidden`, `invalid_input` for one that is no step
 */
export function operationOf({ gateway, actor }: QueryContext, { action }: Pick<PipelineStep, 'action'>) {
  const operation = gateway.registry.requireOperation(action)
  gateway.requireAccess(operation, actor)
  if (operation.kind === 'stream' || action.startsWith('pipelines.'))
    throw problem(
      'invalid_input',
      `"${action}" can be no step: it is ${operation.kind === 'stream' ? 'a stream' : 'of pipelines'}.`,
    )
  return operation
}

/**
 * Checks all steps: their operations, and inputs that use no variable.
 * @throws GatewayError of the first faulty step, with its place
 */
export async function checkSteps(ctx: QueryContext, { steps, variables }: Pick<Pipeline, 'steps' | 'variables'>) {
  for (const [i, step] of steps.entries())
    await placed(`/steps/${i}`, async () => {
      const reader = await compileInput(operationOf(ctx, step))
      if (reader.hasSecrets)
        throw problem('invalid_input', `"${step.action}" takes a secret, which the project would keep as it is.`)
      const used = namesIn(step.params)
      const unknown = used.find((name) => !Object.hasOwn(variables, name))
      if (unknown !== undefined) throw notFound('variable', unknown, Object.keys(variables))
      if (used.length === 0) reader.read({ ...step.params }, {})
    })
}

async function placed(place: string, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const { errors = [{ path: '', message: error.message }] } = error.details
    const code = error.code === 'forbidden' ? error.code : 'invalid_input'
    throw new GatewayError(code, `${place}: ${error.message}`, {
      ...error.details,
      errors: errors.map((one) => ({ ...one, path: one.path ? `${place}/params${one.path}` : `${place}/action` })),
    })
  }
}

/** Names of variables in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(reference)].map(([, name]) => name!)
  if (Array.isArray(value)) return value.flatMap(namesIn)
  return isObject(value) ? Object.values(value).flatMap(namesIn) : []
}

/** A value with its variables. A text that is one variable alone becomes its value; others become texts in it. */
export function filled(value: unknown, variables: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, variables))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, variables)]))
  if (typeof value !== 'string') return value
  const [, alone] = /^\{\{([^{}]*)\}\}$/.exec(value) ?? []
  if (alone !== undefined) return variables[alone]
  return value.replace(reference, (_, name: string) => {
    const given = variables[name]
    return typeof given === 'string' ? given : JSON.stringify(given)
  })
}
