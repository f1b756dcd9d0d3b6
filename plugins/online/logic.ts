/**
 * The logic of blocks with the values of a running controller: the power flow of networks, and what decides a value.
 * All values of one network are of one scan boundary, the end of a cycle; within the cycle they may have been others.
 */
import { setTimeout } from 'node:timers/promises'
import { notFound, problem, type QueryContext, type StreamEvent } from '../../core/index.ts'
import { declaredName } from '../../plc/model/names.ts'
import { graphOf } from '../../plc/render/network-graph.ts'
import type { Live } from '../../plc/render/power-flow.ts'
import { literalValue, operandsOf, PowerFlow } from '../../plc/render/power-flow.ts'
import { instancePaths } from '../../plc/runtime/numbered-blocks.ts'
import { type Block, blocksOf, findBlock, requireBlockOf } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { documentOf, requireReadable, work } from '../program-objects/index.ts'
import { readTags, requireProgram } from '../simulation/index.ts'
import type { Reached } from './connection.ts'

/** A block with the data that its local names are in. */
export interface RunningBlock {
  readonly block: Block
  /** `"Pump_DB"`, `"Line_DB".pump[1]`; absent for OBs and FCs. */
  readonly instance: string | undefined
}

/** Interface and networks of a block. */
export async function contentOf(ctx: QueryContext, block: Block) {
  requireReadable(block)
  return work(ctx, 'readContent', await documentOf(ctx, block), block.size)
}

export type Content = Awaited<ReturnType<typeof contentOf>>

/** The instance data blocks of a function block, by number. */
export function instancesOf(ctx: QueryContext, { deviceId, name }: Block): string[] {
  return blocksOf(ctx, deviceId)
    .filter(({ kind, instanceOf }) => kind === 'InstanceDB' && instanceOf?.toLowerCase() === name.toLowerCase())
    .sort((a, b) => a.number - b.number)
    .map((block) => block.name)
}

/**
 * A block and its instance: the given one, else its first instance data block.
 * @throws GatewayError `not_found`
 */
export function runningBlock(ctx: QueryContext, device: Device, blockName: string, instance?: string): RunningBlock {
  const block = requireBlockOf(ctx, device, blockName)
  if (block.kind !== 'FB') return { block, instance: undefined }
  const [first] = instancesOf(ctx, block)
  const wanted = instance ?? (first === undefined ? undefined : `"${first}"`)
  if (instance !== undefined) {
    const root = /^"([^"]+)"|^[^.[]+/.exec(instance.trim())
    const name = root?.[1] ?? root?.[0] ?? instance
    if (findBlock(ctx, device.id, name) === undefined)
      throw notFound('instance data block', name, instancesOf(ctx, block))
  }
  return { block, instance: wanted }
}

/** The multi-instances of a function block in the running program: `"Line_DB".pump[1]`, which `instance` can be. */
export function multiInstancesOf({ controller }: Reached, { kind, name }: Block): string[] {
  if (kind !== 'FB') return []
  const { symbols } = requireProgram(controller)
  // Only the paths are wanted: the places just keep the data blocks apart.
  const places = new Map(
    symbols.dataBlocks.map((block, i) => [block.name.toLowerCase(), { address: i * 2 ** 32, size: 0 }]),
  )
  return [...instancePaths(symbols, places, [name], declaredName).values()].filter((path) => /^"[^"]*"[.[]/.test(path))
}

/** The block with its first multi-instance, when it has no instance data block and none was asked for. */
export function withInstance(place: RunningBlock, [first]: readonly string[]): RunningBlock {
  return place.instance === undefined ? { ...place, instance: first } : place
}

/**
 * The name of an operand in the whole program: `#run` of an instance is `"Pump_DB".run`.
 * @returns undefined for what has no place of its own between two cycles: temporary and in-out data, parameters of FCs
 */
export function globalName(operand: string, instance: string | undefined): string | undefined {
  if (!operand.startsWith('#')) return operand
  return instance === undefined ? undefined : `${instance}.${operand.slice(1)}`
}

/** Reads operands of one place. What has no value is undefined. */
export async function valuesOf(
  reached: Reached,
  operands: readonly string[],
  instance: string | undefined,
): Promise<ReadonlyMap<string, Live>> {
  const names = new Map<string, string>()
  for (const operand of operands) {
    const name = literalValue(operand) === undefined ? globalName(operand, instance) : undefined
    if (name !== undefined) names.set(operand, name)
  }
  const read = names.size === 0 ? [] : await readTags(reached.controller, [...names.values()])
  return new Map([...names.keys()].map((operand, i) => [operand, liveOf(read[i]?.value)]))
}

const liveOf = (value: unknown): Live =>
  typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : undefined

/** A network whose values can be read again and again. */
export interface LiveNetwork {
  readonly number: number
  readonly language: string
  readonly operands: readonly string[]
  view(values: ReadonlyMap<string, Live>): NetworkView
}

export interface NetworkView {
  readonly pins: readonly { readonly name: string; readonly operand?: string; readonly value: Live | null }[]
  readonly steps: readonly { readonly number: number; readonly name: string; readonly isActive: boolean }[]
  readonly operands: readonly { readonly text: string; readonly name?: string; readonly value: Live | null }[]
}

/**
 * The networks of a block with what has to be read for them.
 * @param numbers default: all
 * @throws GatewayError `not_found`, `know_how_protected`
 */
export async function liveNetworks(
  ctx: QueryContext,
  { block, instance }: RunningBlock,
  numbers?: readonly number[],
): Promise<LiveNetwork[]> {
  const { networks } = await contentOf(ctx, block)
  return (numbers ?? networks.map((_, i) => i + 1)).map((number) => {
    const network = networks[number - 1]
    if (network === undefined) throw problem('not_found', `"${block.name}" has no network ${number}.`)
    return liveNetwork(network, number, instance)
  })
}

function liveNetwork(network: Content['networks'][number], number: number, instance: string | undefined): LiveNetwork {
  const { language, graph, text, chart } = network
  const list = (operands: readonly string[], values: ReadonlyMap<string, Live>) =>
    operands
      .filter((one) => /^["#%]/.test(one))
      .map((one) => {
        const name = globalName(one, instance)
        return { text: one, ...(name === undefined ? {} : { name }), value: values.get(one) ?? null }
      })
  if (chart !== undefined) {
    // The instance of a GRAPH block has for each step a bit X: the step is active.
    const steps = chart.sequences.flatMap((sequence) =>
      sequence.steps.map(({ name, number: n }) => ({ name, number: n })),
    )
    const operands = steps.map(({ name }) => `#${name}.X`)
    return {
      number,
      language,
      operands,
      view: (values) => ({
        pins: [],
        steps: steps.map((step, i) => ({ ...step, isActive: values.get(operands[i] as string) === true })),
        operands: list(operands, values),
      }),
    }
  }
  if (graph === undefined) {
    const operands = operandsInText(text ?? '')
    return { number, language, operands, view: (values) => ({ pins: [], steps: [], operands: list(operands, values) }) }
  }
  const logic = graphOf(graph)
  const operands = operandsOf(logic)
  return {
    number,
    language,
    operands,
    view: (values) => ({
      pins: [...new PowerFlow(logic, (one) => values.get(one)).pins()].map(({ value, ...pin }) => ({
        ...pin,
        value: value ?? null,
      })),
      steps: [],
      operands: list(operands, values),
    }),
  }
}

/** Networks with values of one scan boundary: first all of them (a block may have none), then those that changed. */
export async function* followNetworks(
  reached: Reached,
  networks: readonly LiveNetwork[],
  instance: string | undefined,
  intervalMs: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const operands = [...new Set(networks.flatMap((one) => one.operands))]
  const told = new Map<number, string>()
  let isFirst = true
  while (!signal.aborted) {
    const values = await valuesOf(reached, operands, instance)
    const changed = networks.flatMap((network) => {
      const view = { network: network.number, language: network.language, ...network.view(values) }
      const text = JSON.stringify(view)
      if (told.get(network.number) === text) return []
      told.set(network.number, text)
      return [view]
    })
    if (isFirst || changed.length > 0) yield { event: 'networks', data: { networks: changed } }
    isFirst = false
    await setTimeout(intervalMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Names in a text of SCL or STL: `#x.y`, `"DB".a[1].b`, `"Tag"`, `%MW10`; comments and strings left out. */
export function operandsInText(text: string): string[] {
  const code = text.replace(/\/\/[^\n]*|\(\*[\s\S]*?\*\)|\/\*[\s\S]*?\*\/|'(?:[^'$\n]|\$.)*'/g, ' ')
  const part = String.raw`(?:"[^"\n]+"|[\p{L}_][\p{L}\p{N}_]*)`
  const name = new RegExp(
    String.raw`(?:#|(?=["%]))(?:%[A-Z]+[\d.]+(?:DB[XBWD][\d.]+)?|${part}(?:\[[\d,\s]+\])?(?:\.(?:${part}|%X\d+)(?:\[[\d,\s]+\])?)*)`,
    'gu',
  )
  return [...new Set(code.match(name) ?? [])].slice(0, 2000)
}
