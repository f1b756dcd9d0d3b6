/** Why a value of a running controller is what it is: the networks that write it, and the operands that decide now. */
import type { QueryContext } from '../../core/index.ts'
import { type Box, graphOf, instanceText, type Pin } from '../../plc/render/network-graph.ts'
import { operandsOf, PowerFlow, type Reason } from '../../plc/render/power-flow.ts'
import { type Block, findBlock } from '../blocks/index.ts'
import type { Device } from '../devices/index.ts'
import { findReferences } from '../program-objects/index.ts'
import { readTags, requireProgram, resolveTag } from '../simulation/index.ts'
import type { Reached } from './connection.ts'
import { type Content, contentOf, globalName, operandsInText, valuesOf } from './logic.ts'
import { assignmentsOf } from './scl-assignments.ts'

type Value = boolean | number | string | null

/** One value with what writes it. */
export interface Explanation {
  readonly name: string
  readonly value: unknown
  readonly dataType: string
  readonly writers: readonly Writer[]
  /** Why there are no writers, or no more of the tree. */
  readonly note?: string
}

interface Writer {
  readonly blockName: string
  readonly instance?: string
  readonly network: number
  readonly language: string
  readonly uId?: number
  readonly line?: number
  /** The instruction or statement that writes: `Coil`, `#run := #start AND NOT #stop;`. */
  readonly text: string
  /** What arrives there now. */
  readonly condition: Value
  readonly because: readonly Cause[]
}

interface Cause {
  readonly kind: Reason['kind'] | 'condition'
  readonly text: string
  readonly value: Value
  readonly isNegated: boolean
  readonly operands: readonly {
    readonly pin?: string
    readonly text: string
    readonly name?: string
    readonly value: Value
    /** The pin of a box takes the opposite. */
    readonly isNegated?: true
    readonly why?: Explanation
  }[]
  readonly because: readonly Cause[]
}

/** Values explained in one answer, so that a large program gives an answer that can be read. */
const mostExplained = 60

interface Place {
  readonly block: Block
  readonly instance: string | undefined
}

/** Explains values of one device. Each is explained once in an answer. */
export class Explainer {
  readonly #ctx: QueryContext
  readonly #device: Device
  readonly #reached: Reached
  readonly #contents = new Map<string, Promise<Content>>()
  readonly #seen = new Set<string>()

  constructor(ctx: QueryContext, device: Device, reached: Reached) {
    this.#ctx = ctx
    this.#device = device
    this.#reached = reached
  }

  /** @param depth how many values behind one another */
  async explain(name: string, depth: number): Promise<Explanation> {
    const key = plain(name)
    const [read] = await readTags(this.#reached.controller, [name])
    const about = { name, value: read?.value ?? null, dataType: read?.dataType ?? '' }
    if (this.#seen.has(key)) return { ...about, writers: [], note: 'It is explained elsewhere in this answer.' }
    if (this.#seen.size >= mostExplained)
      return { ...about, writers: [], note: `An answer explains ${mostExplained} values; ask for this one.` }
    this.#seen.add(key)
    const writers = await this.#writers(name, depth)
    return { ...about, writers, ...(writers.length === 0 ? { note: this.#noWriter(name) } : {}) }
  }

  #noWriter(name: string): string {
    const isInput = resolveTag(requireProgram(this.#reached.controller), name).area === 'I'
    if (isInput) return 'An input of the process: the program does not write it.'
    return 'No network of the program that can be read writes it.'
  }

  async #writers(name: string, depth: number): Promise<Writer[]> {
    const found: Writer[] = []
    const places = new Map<string, { place: Place; operand: string }>()
    const own = await this.#ownCode(name)
    // The outputs of a block of the program are written by its code, those of a timer by its call.
    const isOfInstruction = isOutput(name) && !own.some(({ operand }) => partsOf(operand).length === 1)
    for (const one of [...own, ...(await this.#callers(name))])
      places.set(`${one.place.block.name}/${one.place.instance}`, one)
    for (const { place, operand } of places.values()) {
      if (place.block.isKnowHowProtected) continue
      const instance = isOfInstruction ? partsOf(operand).slice(0, -1).join('.') : undefined
      for (const network of (await this.#content(place.block)).networks)
        found.push(...(await this.#inNetwork(place, network, { operand, instance }, depth)))
    }
    return found
  }

  /** Blocks that name the value or its data block. */
  async #callers(name: string): Promise<{ place: Place; operand: string }[]> {
    const found: { place: Place; operand: string }[] = []
    const root = name.startsWith('%') ? name : (/^"[^"]+"|^[^.[]+/.exec(name)?.[0] ?? name)
    const references = await findReferences(this.#ctx, this.#device, root)
    if ('names' in references) return found
    for (const { referenceObjects } of references.sources)
      for (const object of referenceObjects) {
        const block = findBlock(this.#ctx, this.#device.id, object.name)
        const isCode = block?.kind === 'OB' || block?.kind === 'FB' || block?.kind === 'FC'
        if (
          block &&
          isCode &&
          object.locations.some(({ referenceType, network }) => referenceType === 'UsedBy' && network)
        )
          found.push({ place: { block, instance: undefined }, operand: name })
      }
    return found
  }

  /**
   * The function blocks in whose instances a member is, from the data block through multi-instances: the code of each
   * calls the member by what is left of its name, `#unit.run`, `#run`.
   */
  async #ownCode(name: string): Promise<{ place: Place; operand: string }[]> {
    const found: { place: Place; operand: string }[] = []
    const [root = '', ...members] = partsOf(name)
    const data = findBlock(this.#ctx, this.#device.id, unquoted(root))
    let block = data?.instanceOf === undefined ? undefined : findBlock(this.#ctx, this.#device.id, data.instanceOf)
    let instance = root
    while (block?.kind === 'FB' && members.length > 0) {
      found.push({ place: { block, instance }, operand: `#${members.join('.')}` })
      if (block.isKnowHowProtected) break
      const member = unquoted((members[0] as string).replace(/\[.*$/, '')).toLowerCase()
      const declared = (await this.#content(block)).interface.find((one) => one.name.toLowerCase() === member)
      const type = /"([^"]+)"$/.exec(declared?.dataType ?? '')?.[1]
      block = type === undefined ? undefined : findBlock(this.#ctx, this.#device.id, type)
      instance = `${instance}.${members.shift()}`
    }
    return found
  }

  #content(block: Block): Promise<Content> {
    const key = block.id
    let content = this.#contents.get(key)
    if (content === undefined) {
      content = contentOf(this.#ctx, block)
      this.#contents.set(key, content)
    }
    return content
  }

  async #inNetwork(
    { block, instance }: Place,
    network: Content['networks'][number],
    wanted: { readonly operand: string; readonly instance: string | undefined },
    depth: number,
  ): Promise<Writer[]> {
    const { operand } = wanted
    const { graph, text, language, number } = network
    const where = { blockName: block.name, ...(instance === undefined ? {} : { instance }), network: number, language }
    if (graph !== undefined) {
      const logic = graphOf(graph)
      const targets = logic.boxes.flatMap((box) => writesOf(box, operand))
      if (targets.length === 0) return []
      const values = await valuesOf(this.#reached, operandsOf(logic), instance)
      const flow = new PowerFlow(logic, (one) => values.get(one))
      const writers: Writer[] = []
      for (const { box, pin, title, values: given = [] } of targets) {
        const reasons = [...(pin === undefined ? [] : [pin]), ...given].flatMap((one) => flow.reasonsOf(box, one))
        writers.push({
          ...where,
          uId: box.node.uId,
          text: title,
          condition: pin === undefined ? null : (flow.input(box, pin) ?? null),
          because: await this.#causes(reasons, instance, depth),
        })
      }
      return writers
    }
    if (text === undefined) return []
    if (language !== 'SCL') return this.#inStatements(where, text, operand)
    const writers: Writer[] = []
    const isWritten = (target: string) => covers(target, operand)
    const isInstance = (target: string) => wanted.instance !== undefined && plain(target) === plain(wanted.instance)
    for (const one of assignmentsOf(text, isWritten, isInstance)) {
      const operands = [...one.conditions, one.value].flatMap((part) => operandsInText(part))
      const values = await valuesOf(this.#reached, operands, instance)
      const cause = (part: string): Reason => ({
        uId: 0,
        kind: 'operand',
        text: part,
        value: undefined,
        isNegated: false,
        operands: operandsInText(part).map((own) => ({ pin: '', text: own, value: values.get(own) })),
        because: [],
      })
      const parts = [...one.conditions, one.value].map(cause)
      const causes = await this.#causes(parts, instance, depth)
      const because = causes.map((made, i) => ({
        ...made,
        kind: i < one.conditions.length ? ('condition' as const) : made.kind,
      }))
      writers.push({ ...where, line: one.line, text: one.text, condition: null, because })
    }
    return writers
  }

  /** STL: the lines that assign, set or reset the operand or keep an edge in it, and calls that give it a value. */
  async #inStatements(
    where: Omit<Writer, 'text' | 'condition' | 'because'>,
    text: string,
    operand: string,
  ): Promise<Writer[]> {
    const found: Writer[] = []
    let call: { readonly callee: string; readonly instance: string } | undefined
    for (const [i, line] of text.split('\n').entries()) {
      const [, callee, instance = ''] = callStatement.exec(line) ?? []
      if (callee !== undefined) call = { callee, instance: instance || callee }
      const isOwn = operandsInText(line).some((one) => plain(one) === plain(operand))
      const writes =
        call === undefined ? isOwn && writingStatement.test(line) : await this.#givenBy(call, line, operand)
      if (writes) found.push({ ...where, line: i + 1, text: line.trim(), condition: null, because: [] })
      if (line.includes(';')) call = undefined
    }
    return found
  }

  /** Whether a line of a call in STL takes an output to the operand, or gives the operand as an input. */
  async #givenBy(call: { readonly callee: string; readonly instance: string }, line: string, operand: string) {
    const block = findBlock(this.#ctx, this.#device.id, unquoted(call.callee))
    const members = block?.isKnowHowProtected ? [] : block && (await this.#content(block)).interface
    for (const [, parameter = '', value = ''] of line.matchAll(stlParameter)) {
      if (plain(`${call.instance}.${parameter}`) === plain(operand)) return true
      if (plain(value) !== plain(operand)) continue
      const section = members?.find(({ name }) => plain(name) === plain(parameter))?.section
      if (section === undefined ? usualOutputs.includes(parameter.toUpperCase()) : writtenSections.includes(section))
        return true
    }
    return false
  }

  /** A called block, which stands among the operands of a text. */
  #isCode(name: string): boolean {
    const kind = findBlock(this.#ctx, this.#device.id, unquoted(name))?.kind
    return kind === 'FB' || kind === 'FC' || kind === 'OB'
  }

  /** Whether the program has a variable of this name; constants are operands too. */
  #isKnown(name: string): boolean {
    try {
      resolveTag(requireProgram(this.#reached.controller), name, false)
      return true
    } catch {
      return false
    }
  }

  async #causes(reasons: readonly Reason[], instance: string | undefined, depth: number): Promise<Cause[]> {
    const causes: Cause[] = []
    for (const { kind, text, value, isNegated, operands, because } of reasons) {
      const told: Cause['operands'][number][] = []
      for (const one of operands) {
        const name = globalName(one.text, instance)
        const isVariable = /^["#%]/.test(one.text)
        if (name !== undefined && this.#isCode(name)) continue
        const goesOn = depth > 1 && isVariable && name !== undefined && this.#isKnown(name)
        const why = goesOn ? await this.explain(name, depth - 1) : undefined
        told.push({
          ...(one.pin === '' ? {} : { pin: one.pin }),
          text: one.text,
          ...(name === undefined || !isVariable ? {} : { name }),
          value: one.value ?? null,
          ...(one.isNegated ? { isNegated: true } : {}),
          ...(why === undefined ? {} : { why }),
        })
      }
      const inner = await this.#causes(because, instance, depth)
      causes.push({ kind, text, value: value ?? null, isNegated, operands: told, because: inner })
    }
    return causes
  }
}

/** A place that writes an operand. */
interface Target {
  readonly box: Box
  /** What arrives here decides whether, or what, it writes. */
  readonly pin: Pin | undefined
  readonly title: string
  /** Of a box that computes or copies: the inputs with the variables that it does it with. */
  readonly values?: readonly Pin[]
}

/** Boxes of a network that write an operand: coils, outputs, and what is in its instance. */
function writesOf(box: Box, operand: string): Target[] {
  const { node, inputs, outputs } = box
  const wanted = plain(operand)
  // Else the first one: IN of a timer, CU of a counter.
  const first = (...names: string[]) => inputs.find((pin) => names.includes(pin.name)) ?? inputs[0]
  if (box.operand !== undefined && plain(box.operand) === wanted && !/^(Contact|PContact|NContact)$/.test(node.name)) {
    const pin = first('in', 's', 's1')
    // What resets a flip-flop decides as well.
    const values = inputs.filter(({ name }) => /^r1?$/i.test(name))
    return [{ box, pin, title: `${node.name} ${box.operand}`, values }]
  }
  const found: Target[] = []
  const cause = first('en', 'in', 's')
  const values = inputs.filter((pin) => pin !== cause && /^["#%]/.test(pin.operand ?? ''))
  for (const pin of outputs)
    if (pin.operand?.split(', ').some((one) => covers(one, operand)))
      found.push({ box, pin: cause, title: `${node.name}.${pin.name} => ${pin.operand}`, values })
  const instance = instanceText(box)
  if (instance === undefined) return found
  const isHere = (pin: Pin) => plain(`${instance}.${pin.name}`) === wanted
  const input = inputs.find(isHere)
  if (input) found.push({ box, pin: input, title: `${node.name}(${input.name} := ${input.operand ?? '…'})` })
  // The outputs of a called block are written by its own code. Those of a timer need not be connected.
  const output =
    outputs.find(isHere)?.name ?? instructionOutputs.find((name) => plain(`${instance}.${name}`) === wanted)
  if (node.kind !== 'call' && output !== undefined)
    found.push({ box, pin: cause, title: `${node.name} ${instance}.${output}`, values })
  return found
}

/** What timers, counters and edge blocks give in their instances. */
const instructionOutputs = ['Q', 'QU', 'QD', 'ET', 'CV']

/** STL: statements that change their operand; FP and FN keep the last state of an edge in it. */
const writingStatement = /^\s*(?:\w+:)?\s*(?:=|S|R|T|TAR[12]|F[PN]|C[UD]|S[PEDSF])\s/
const callStatement = /^\s*(?:\w+:)?\s*CALL\s+([^\s,(;]+|"[^"]*")(?:\s*,\s*("[^"]*"|[^\s,(;]+))?/i
/** `start := "Start"` in a call; outputs are written so too. */
const stlParameter = /("[^"]*"|[\p{L}_][\p{L}\p{N}_]*)\s*:=\s*([^,;\n]*?)\s*(?=[,;)]|$)/gu
const writtenSections: readonly string[] = ['Output', 'InOut', 'Return']
/** Outputs of instructions. */
const usualOutputs = [...instructionOutputs, 'OUT', 'RET_VAL', 'DONE', 'BUSY', 'ERROR', 'STATUS']

const isOutput = (name: string) => instructionOutputs.includes(unquoted(partsOf(name).at(-1) ?? '').toUpperCase())

const unquoted = (text: string) => text.replace(/^#?"(.*)"$/, '$1').replace(/^#/, '')
/** Spellings of one name are the same text: case and quotes do not matter. */
const plain = (text: string) => text.toLowerCase().replaceAll('"', '').replaceAll(' ', '')

/** Whether a value written to the target reaches the operand: it is the operand, or what the operand is a part of. */
function covers(target: string, operand: string): boolean {
  const [whole, part] = [plain(target), plain(operand)]
  return part === whole || (part.startsWith(whole) && /^[.[]/.test(part.slice(whole.length)))
}

/** `"DB".a[1].b` → `"DB"`, `a[1]`, `b`. */
function partsOf(name: string): string[] {
  return name.match(/(?:"[^"]*"|[^."[])+(?:\[[^\]]*\])?/g) ?? [name]
}
