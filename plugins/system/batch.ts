/** Runs a list of commands in one job: all or nothing (docs/design.md#batches). */
import {
  type CommandContext,
  compileInput,
  GatewayError,
  isGatewayError,
  isObject,
  type Operation,
  problem,
  type QueryContext,
} from '../../core/index.ts'

/** One command of a batch. */
export interface BatchItem {
  readonly command: string
  readonly input?: Readonly<Record<string, unknown>> | undefined
}

/** The id of the operation: a batch is no part of a batch. */
const batchId = 'jobs.execute-batch'

/**
 * Checks a batch before it is accepted: every command exists, the caller may call it, it can be taken back, and the
 * inputs that use no earlier result fit.
 *
 * @throws GatewayError of the first command that does not, with its place
 */
export async function admitBatch(items: readonly BatchItem[], ctx: QueryContext): Promise<void> {
  for (const [at, item] of items.entries())
    await placed(ctx, items, at, async () => {
      const operation = requireOperation(ctx, item.command)
      const reader = await compileInput(operation)
      if (reader.hasSecrets) throw problem('not_in_batch', 'it takes a secret, which the job of a batch would record.')
      const input = item.input ?? {}
      if (!hasReferences(input, at) && reader.uploads.length === 0) reader.read({ ...input }, {})
    })
}

/** The operation of an item. @throws GatewayError */
function requireOperation({ gateway, actor }: QueryContext, id: string): Exclude<Operation, { kind: 'stream' }> {
  const operation = gateway.registry.requireOperation(id)
  gateway.requireAccess(operation, actor)
  const reason =
    operation.kind === 'stream'
      ? 'it is a stream.'
      : id === batchId
        ? 'a batch is no part of a batch.'
        : operation.live === true || operation.besideLane
          ? `what it does cannot be taken back when a later command of the batch fails: ${
              operation.kind === 'command' && operation.lasting
                ? operation.lasting
                : 'it acts on more than the project.'
            }`
          : undefined
  if (reason !== undefined || operation.kind === 'stream') throw problem('not_in_batch', reason ?? '')
  return operation
}

/**
 * Runs the commands of a batch one after the other: each sees what those before it changed.
 *
 * @returns their results, in order
 * @throws GatewayError of the first command that fails: nothing of the batch is kept then
 */
export async function runBatch(items: readonly BatchItem[], ctx: CommandContext): Promise<unknown[]> {
  const results: unknown[] = []
  for (const [at, item] of items.entries()) {
    ctx.signal.throwIfAborted()
    await placed(ctx, items, at, async () => {
      const operation = requireOperation(ctx, item.command)
      const input = resolved(item.input ?? {}, results, '/input') as Record<string, unknown>
      const progress = [(100 * at) / items.length, (100 * (at + 1)) / items.length] as const
      const result = (await ctx.call(operation.id, input, { progress })) ?? null
      if (result instanceof Uint8Array)
        throw problem('invalid_input', '/command: its answer is a content, which has no place among JSON results.')
      results.push(result)
    })
    ctx.progress((100 * (at + 1)) / items.length, `${at + 1} of ${items.length} commands`)
  }
  return results
}

/** A reference to an earlier result: `{ "$from": 0, "pointer": "/name" }`. */
interface Reference {
  readonly from: number
  readonly pointer: string
}

/** @throws GatewayError `invalid_input` for an object that is a faulty reference */
function referenceIn(value: Readonly<Record<string, unknown>>, before: number, place: string): Reference | undefined {
  if (!Object.hasOwn(value, '$from')) return undefined
  const { $from, pointer = '', ...rest } = value
  const fault = (path: string, message: string) =>
    problem('invalid_input', `${place}${path}: ${message}`, { errors: [{ path: `${place}${path}`, message }] })
  if (!Number.isInteger($from) || ($from as number) < 0 || ($from as number) >= before)
    throw fault(
      '/$from',
      before === 0
        ? 'the first command has no results before it'
        : `must be the index of an earlier command, 0 to ${before - 1}`,
    )
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/')))
    throw fault('/pointer', 'must be a JSON pointer (RFC 6901) into the result, e.g. /name')
  const [more] = Object.keys(rest)
  if (more !== undefined) throw fault(`/${more}`, 'a reference has only $from and pointer')
  return { from: $from as number, pointer }
}

/** Whether an input has references. Each is looked at: a faulty one is refused. */
function hasReferences(value: unknown, before: number, place = '/input'): boolean {
  if (!Array.isArray(value) && !isObject(value)) return false
  if (!Array.isArray(value) && referenceIn(value, before, place)) return true
  return Object.entries(value)
    .map(([name, one]) => hasReferences(one, before, `${place}/${name}`))
    .includes(true)
}

/** The value with its references replaced by what they stand for. */
function resolved(value: unknown, results: readonly unknown[], place: string): unknown {
  if (Array.isArray(value)) return value.map((one, i) => resolved(one, results, `${place}/${i}`))
  if (!isObject(value)) return value
  const reference = referenceIn(value, results.length, place)
  if (reference) return pointedAt(results[reference.from], reference, place)
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolved(one, results, `${place}/${name}`)]),
  )
}

/** What a JSON pointer names (RFC 6901, 4). */
function pointedAt(result: unknown, { from, pointer }: Reference, place: string): unknown {
  let value = result
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const has = Array.isArray(value)
      ? /^(0|[1-9]\d*)$/.test(name) && Number(name) < value.length
      : isObject(value) && Object.hasOwn(value, name)
    if (!has) {
      const there = isObject(value) ? ` There is ${Object.keys(value).slice(0, 20).join(', ') || 'nothing'}.` : ''
      const message = `the result that $from ${from} names has nothing at "${pointer}".${there}`
      throw problem('invalid_input', `${place}/pointer: ${message}`, {
        errors: [{ path: `${place}/pointer`, message }],
      })
    }
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/**
 * Runs a part of a batch; its error gets the name of the command and its number, from 1 in the sentence, from 0 in
 * pointers and `failedCommand`, as `$from` has it.
 */
async function placed(
  { gateway, correlationId }: QueryContext,
  items: readonly BatchItem[],
  at: number,
  run: () => Promise<void>,
): Promise<void> {
  const { command } = items[at]!
  try {
    await run()
  } catch (thrown) {
    const error = isGatewayError(thrown) ? thrown : gateway.asProblem(thrown, command, correlationId)
    if (error.code === 'request_cancelled') throw error
    const { errors, extra } = error.details
    const inInput = (path: string) => (/^\/(input|command)(\/|$)/.test(path) ? path : `/input${path}`)
    throw new GatewayError(error.code, `Command ${at + 1} of ${items.length} (${command}): ${error.message}`, {
      ...error.details,
      ...(errors
        ? { errors: errors.map((one) => ({ ...one, path: `/commands/${at}${inInput(one.path ?? '')}` })) }
        : {}),
      extra: { ...extra, failedCommand: at },
      cause: error.cause,
    })
  }
}
