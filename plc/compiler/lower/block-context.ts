/**
 * The state of the lowering of one block in any language: registers, frame, places in the source, diagnostics, and the
 * meaning of its names.
 *
 * Places of the members of a block. FB: Input, Output, Static and scalar InOut in the instance; other InOut behind an
 * address in the instance. FC: scalar parameters in registers (an InOut is copied from its parameter to its result at
 * the beginning), others behind an address. Temp: scalars in registers, others in the frame. Constants are values.
 */
import { defined } from '../../../lib/optional.ts'
import type { Expression, Place, Signature, Site, SourceSite, Statement } from '../../ir/ir.ts'
import { visitAll } from '../../ir/walk.ts'
import { extentOf, layoutOf } from '../../program/layout.ts'
import { literalOf, scalarValue } from '../../program/literals.ts'
import { framedTemporaries } from '../../program/local-addresses.ts'
import { defaultImage } from '../../program/memory-image.ts'
import { startInformationMembers } from '../../program/organization-blocks.ts'
import type { Diagnostic, Program, ProgramBlock } from '../../program/program.ts'
import { UDInt } from '../../program/scalars.ts'
import type { TemporaryPlace } from '../../program/temporary-place.ts'
import type { Member, ScalarType, Type } from '../../program/type.ts'
import { Watch } from './checks/watch.ts'
import { isOpenArray, openParameter } from './open-array-parameters.ts'
import { placeOfValue } from './places.ts'
import { Probes } from './probes.ts'
import type { SourceRange } from './source-range.ts'
import { type At, type Operand, type Variable, wrong } from './values.ts'

export class BlockContext {
  readonly program: Program
  readonly block: ProgramBlock
  readonly diagnostics: Diagnostic[] = []
  readonly locals: (ScalarType | 'address')[] = []
  readonly sites: SourceSite[] = []
  readonly #told = new Set<string>()
  readonly signature: Signature
  /** Statements that run before all others. */
  readonly prologue: Statement[] = []
  /** Statements that run after all others, wherever the block ends. */
  readonly epilogue: Statement[] = []
  /** The group around the body when there is an epilogue. */
  #bodyLabel: number | undefined
  /** Names of scalar temporaries by their registers. */
  readonly temporaries = new Map<number, string>()
  /** Temporaries that are no scalars, with their bytes in the frame. */
  readonly framed: { readonly name: string; readonly from: number; readonly size: number }[] = []
  /**
   * Registers of variables whose old value is read only to keep a part of it or to pass it on: some of their bits are
   * assigned, or they are passed for an in-out. Such a read does not count as a use.
   */
  readonly partlyWritten = new Set<number>()
  /** What the rules of the block look at while it is lowered. */
  readonly watch = new Watch()
  /** Present when the execution is recorded. */
  readonly probes: Probes | undefined
  frameSize = 0
  /** Beginning of the temporaries that have the layout of a standard block in the frame. */
  framedAt: Place | undefined
  network = 1
  /** The step or transition of a sequence program that is lowered now; see `within`. */
  #element: string | undefined
  /** Something is left out since its type is not known: what the rest of the code lacks is not certain. */
  isPartial = false
  /** Whether operations that fail clear ENO: by the block's property, or because the ENO of one instruction is used. */
  setsEno: boolean
  /** While an argument is read that is an address in a partner: its data block is not one of this program. */
  isForPartner = false
  #nextLabel = 0
  readonly #members = new Map<string, Operand>()
  /** The network that uses each local name first, by the name in lower case. */
  readonly #named = new Map<string, SourceRange & { readonly network: number }>()

  constructor(program: Program, block: ProgramBlock, isProbed = false) {
    this.program = program
    this.block = block
    this.probes = isProbed ? new Probes(this) : undefined
    this.setsEno = block.setsEno
    this.signature = signatureOf(block)
    if (block.kind !== 'FB')
      this.locals.push(
        ...this.signature.parameters.map(({ type }) => type),
        ...this.signature.results.map(({ type }) => type),
      )
    this.#placeMembers()
    this.#takeStartInformation()
  }

  get element(): string | undefined {
    return this.#element
  }

  /** Lowers a part of a sequence program; messages name it. */
  within<T>(element: string, work: () => T): T {
    this.#element = element
    const result = work()
    this.#element = undefined
    return result
  }

  /** Reads an argument by the name of its parameter: ADDR_1 to ADDR_4 of GET and PUT are addresses in a partner. */
  argument<T>(name: string | undefined, read: () => T): T {
    this.isForPartner = name !== undefined && /^ADDR_[1-4]$/i.test(name)
    try {
      return read()
    } finally {
      this.isForPartner = false
    }
  }

  /** Takes a register; it contains 0 at the beginning of a call. */
  local(type: ScalarType | 'address'): number {
    return this.locals.push(type) - 1
  }

  label(): number {
    return this.#nextLabel++
  }

  /** Returns the statement that ends the block, with the epilogue when it has one. */
  returns(): Statement {
    return this.#bodyLabel === undefined ? { kind: 'return' } : { kind: 'leave', label: this.#bodyLabel }
  }

  /** Returns the whole code of the block, given the code of its networks. */
  wholeBody(body: readonly Statement[]): Statement[] {
    const prologue = this.block.kind === 'OB' ? withoutUnreadInformation(this.prologue, body) : this.prologue
    if (this.#bodyLabel === undefined) return [...prologue, ...body]
    return [...prologue, { kind: 'group', label: this.#bodyLabel, body }, ...this.epilogue]
  }

  /** Reserves a place in the frame for a value of the type, in either layout. */
  frame(type: Type): Place {
    const [native, packed] = [extentOf(type, 'optimized'), extentOf(type, 'standard')]
    const [size, align] = [Math.max(native.size, packed.size), Math.max(native.align, packed.align)]
    const offset = Math.ceil(this.frameSize / align) * align
    this.frameSize = offset + size
    return { base: { kind: 'frame' }, offset, indices: [], isStandard: false }
  }

  site({ line, column, uId }: SourceRange): Site {
    return (
      this.sites.push({
        network: this.network,
        ...defined({ line, column, uId }),
      }) - 1
    )
  }

  report(
    code: Diagnostic['code'],
    at: SourceRange,
    message: string,
    hint?: string,
    severity: Diagnostic['severity'] = 'error',
  ): void {
    const diagnostic: Diagnostic = {
      code,
      severity,
      object: this.block.name,
      network: this.network,
      ...at,
      ...defined({ element: this.#element }),
      message,
      ...defined({ hint }),
    }
    // What is read twice has its fault once.
    const told = JSON.stringify(diagnostic)
    if (this.#told.has(told)) return
    this.#told.add(told)
    this.diagnostics.push(diagnostic)
  }

  /** Reports a diagnostic about a member of the interface, with the network that uses it first. */
  reportMember(
    code: Diagnostic['code'],
    member: string,
    message: string,
    hint: string,
    severity: Diagnostic['severity'],
  ): void {
    const place = this.#named.get(member.toLowerCase())
    this.diagnostics.push({
      code,
      severity,
      object: this.block.name,
      member,
      ...place,
      message,
      hint,
    })
  }

  /**
   * Returns the meaning of a local name; `undefined` when the block has no such member.
   * @param at the place of the name; messages about the member give the first such place
   */
  localName(name: string, at: SourceRange = {}): Operand | undefined {
    const key = name.toLowerCase()
    const found = this.#members.get(key)
    if (found && !this.#named.has(key)) this.#named.set(key, { network: this.network, ...at })
    return found
  }

  /** Leaves out what is of a type that is not known: the linker has reported that. */
  leftOut(): Operand {
    this.isPartial = true
    return wrong
  }

  /** Records where the source has what a node of the intermediate form does, and returns the node. */
  noted<Node extends object>(node: Node, at: SourceRange, text: string): Node {
    this.watch.places.set(node, { text, at: { network: this.network, ...at, ...defined({ element: this.#element }) } })
    return node
  }

  /** Whether this member was looked up so far. */
  isNamed(name: string): boolean {
    return this.#named.has(name.toLowerCase())
  }

  /** Records that the old value of a variable is read only to keep a part of it, or to pass it on. */
  notePartlyWritten({ at }: Pick<Variable, 'at'>): void {
    if (at.kind === 'local') this.partlyWritten.add(at.local)
  }

  /** Returns the names of the members, for "did you mean". */
  localNames(): string[] {
    return this.block.members.map(({ name }) => name)
  }

  #placeMembers(): void {
    const { block } = this
    const offsets = new Map<Member, { byte: number; bit?: number }>()
    if (block.kind === 'FB') {
      const data = block.members.filter(({ section }) => isInstanceData(section))
      const layout = layoutOf(data, block.access)
      for (const [i, member] of data.entries()) {
        const offset = layout.offsets[i]
        if (offset) offsets.set(member, offset)
      }
    }
    let [parameter, result] = [0, 0]
    const results = this.signature.parameters.length
    if (block.kind === 'FC' && block.returnType && block.returnType.kind !== 'void') {
      if (block.returnType.kind === 'scalar')
        this.#set(block.name, variable(block.returnType, { kind: 'local', local: results + result++ }, block.name))
      else this.#set(block.name, this.#behind(block.returnType, parameter++, block.name))
      const own = this.#members.get(block.name.toLowerCase())
      if (own) this.#set('Ret_Val', own)
    }
    const overlaid = framedTemporaries(block)
    if (overlaid.length > 0) this.#overlaid(overlaid)
    const shared = block.kind === 'FC' ? overlaidParameters(block.members) : new Map<string, Member>()
    const bases = new Map<string, (overlay: Member) => Variable>()
    for (const member of block.members) {
      const { name, type, section, overlays } = member
      if (overlaid.includes(member)) continue
      if (block.kind === 'FC' && overlays !== undefined && section !== 'Constant') {
        const view = bases.get(overlays.toLowerCase())
        this.#set(
          name,
          view && type.kind !== 'unknown' ? readOnlyInput(view(member), section === 'Input' ? 'in' : section) : wrong,
        )
        continue
      }
      if (shared.get(name.toLowerCase()) === member) {
        // A scalar with an overlay is in the frame; overlays of other parameters use the address of the parameter.
        if (type.kind !== 'scalar') {
          const local = parameter++
          this.#set(name, readOnlyInput(this.#behind(type, local, name), section))
          bases.set(name.toLowerCase(), (overlay) => this.#behind(overlay.type, local, overlay.name))
          continue
        }
        const view = this.#parameterInFrame(type, {
          ...(section === 'Output' ? {} : { from: parameter++ }),
          ...(section === 'Input' ? {} : { to: results + result++ }),
        })
        bases.set(name.toLowerCase(), view)
        this.#set(name, readOnlyInput(view(member), section === 'Input' ? 'in' : section))
        continue
      }
      const offset = offsets.get(member)
      if (section === 'Constant') this.#set(name, constantOf(member))
      else if (section === 'Return') continue
      else if (offset) this.#set(name, this.#inInstance(member, offset, block.members))
      else if (section === 'Temp' || block.kind === 'OB') this.#set(name, this.#temporary(member))
      else if (type.kind !== 'scalar') this.#set(name, readOnlyInput(this.#behind(type, parameter++, name), section))
      else if (section === 'Input')
        this.#set(name, readOnlyInput(variable(type, { kind: 'local', local: parameter++ }, name), 'in'))
      else if (section === 'Output') this.#set(name, variable(type, { kind: 'local', local: results + result++ }, name))
      else if (section === 'InOut') {
        const local = results + result++
        this.prologue.push({ kind: 'setLocal', local, value: { kind: 'local', type, local: parameter++ } })
        this.#set(name, variable(type, { kind: 'local', local }, name))
      }
    }
  }

  /**
   * Makes an organization block copy its start information at its beginning: a block that interrupts it gets other
   * information in the same area.
   */
  #takeStartInformation(): void {
    for (const { member, at } of startInformationMembers(this.block)) {
      const operand = this.#members.get(member.name.toLowerCase())
      if (operand?.kind !== 'variable') continue
      const { type } = member
      const isStandard = this.block.access === 'standard'
      const place: Place = { base: { kind: 'startInformation' }, offset: at.byte, indices: [], isStandard }
      const from: Place = at.bit === undefined ? place : { ...place, bit: at.bit }
      const to = operand.at
      if (type.kind !== 'scalar') {
        if (to.kind === 'place')
          this.prologue.push({ kind: 'copy', type, from: placeOfValue(type, from), to: to.place, site: this.site({}) })
        continue
      }
      const value: Expression = { kind: 'load', type, place: from }
      if (to.kind === 'local') this.prologue.push({ kind: 'setLocal', local: to.local, value })
      else this.prologue.push({ kind: 'store', place: to.place, type, value, site: this.site({}) })
    }
  }

  /** Returns the places of the temporaries. */
  temporaryPlaces(): TemporaryPlace[] {
    return this.block.members.flatMap(({ name, section }): TemporaryPlace[] => {
      if (section !== 'Temp' && this.block.kind !== 'OB') return []
      const operand = this.#members.get(name.toLowerCase())
      if (operand?.kind !== 'variable') return []
      if (operand.at.kind === 'local') return [{ name }]
      const { offset, bit } = operand.at.place
      return [{ name, byte: offset, ...defined({ bit }) }]
    })
  }

  #set(name: string, operand: Operand): void {
    if (!this.#members.has(name.toLowerCase())) this.#members.set(name.toLowerCase(), operand)
  }

  /**
   * Puts a scalar parameter of an FC in the frame in the layout of a standard block; the result gives the variable of
   * the parameter or of an overlay there.
   */
  #parameterInFrame(type: ScalarType, { from, to }: { from?: number; to?: number }): (shown: Member) => Variable {
    const bottom = Math.ceil(this.frameSize / 2) * 2
    const size = Math.ceil(extentOf(type, 'standard').size / 2) * 2
    this.frameSize = bottom + size
    const start: Place = { base: { kind: 'frame' }, offset: bottom, indices: [], isStandard: true }
    const own = placeOfValue(type, start)
    this.prologue.push({ kind: 'clear', place: start, size })
    if (from !== undefined) {
      const value: Expression = { kind: 'local', type, local: from }
      this.prologue.push({ kind: 'store', place: own, type, value, site: this.site({}) })
    }
    if (to !== undefined) {
      this.#bodyLabel ??= this.label()
      this.epilogue.push({ kind: 'setLocal', local: to, value: { kind: 'load', type, place: own } })
    }
    return (shown) => variable(shown.type, { kind: 'place', place: placeOfValue(shown.type, start) }, shown.name)
  }

  #inInstance(
    { name, type, section, overlays }: Member,
    { byte, bit }: { byte: number; bit?: number },
    all: readonly Member[],
  ): Variable {
    const isStandard = this.block.access === 'standard'
    const place: Place = {
      base: { kind: 'instance' },
      offset: byte,
      indices: [],
      isStandard,
      ...defined({ bit }),
    }
    const kept = overlays === undefined ? type : (memberNamed(all, overlays)?.type ?? type)
    if (section === 'InOut' && kept.kind !== 'scalar') {
      const address: Expression = { kind: 'load', type: UDInt, place }
      if (isOpenArray(type)) return openParameter(this, type, address, isStandard, `#${name}`)
      const behind: Place = { base: { kind: 'pointer', address }, offset: 0, indices: [], isStandard }
      return variable(type, { kind: 'place', place: placeOfValue(type, behind) }, name)
    }
    const own = placeOfValue(type, place)
    return readOnlyInput(variable(type, { kind: 'place', place: own }, name), section === 'Input' ? 'in' : section)
  }

  /** The variable at the address in a parameter. */
  #behind(type: Type, local: number, text: string): Variable {
    const address: Expression = { kind: 'local', type: 'address', local }
    const isStandard = this.block.access === 'standard'
    if (isOpenArray(type)) return openParameter(this, type, address, isStandard, `#${text}`)
    const place: Place = { base: { kind: 'pointer', address }, offset: 0, indices: [], isStandard }
    return variable(type, { kind: 'place', place: placeOfValue(type, place) }, text)
  }

  #temporary({ name, type, startValue = '' }: Member): Operand {
    if (type.kind === 'unknown') return wrong
    if (type.kind === 'scalar') {
      const local = this.local(type)
      this.temporaries.set(local, name)
      const read = literalOf(startValue)
      const start = 'kind' in read ? scalarValue(read, type) : undefined
      if (start && 'value' in start)
        this.prologue.push({ kind: 'setLocal', local, value: { kind: 'constant', type, value: start.value } })
      return variable(type, { kind: 'local', local }, name)
    }
    const place = this.#startingFrame(type)
    this.framed.push({ name, from: place.offset, size: this.frameSize - place.offset })
    return variable(type, { kind: 'place', place }, name)
  }

  /**
   * Puts members that share memory by `AT` in the frame in the layout of a standard block, so that their parts are at
   * the same offsets as on a controller.
   */
  #overlaid(members: readonly Member[]): void {
    const { offsets, size } = layoutOf(members, 'standard')
    const bottom = Math.ceil(this.frameSize / 2) * 2
    this.frameSize = bottom + size
    const base = { kind: 'frame' } as const
    this.framedAt = { base, offset: bottom, indices: [], isStandard: true }
    this.prologue.push({ kind: 'clear', place: { base, offset: bottom, indices: [], isStandard: true }, size })
    for (const [i, { name, type }] of members.entries()) {
      const { byte = 0, bit } = offsets[i] ?? {}
      const place: Place = {
        base,
        offset: bottom + byte,
        indices: [],
        isStandard: true,
        ...defined({ bit }),
      }
      this.#set(name, type.kind === 'unknown' ? wrong : variable(type, { kind: 'place', place }, name))
    }
  }

  #startingFrame(type: Type): Place {
    const place = this.frame(type)
    this.prologue.push(...this.started(type, place))
    return place
  }

  /** Gives a place in the frame the start values of its type: texts get their length, all else is zero. */
  started(type: Type, place: Place): Statement[] {
    const bytes = defaultImage(type, place.isStandard ? 'standard' : 'optimized')
    if (bytes.length === 0) return []
    if (bytes.every((byte) => byte === 0)) return [{ kind: 'clear', place, size: bytes.length }]
    // The bytes already have the layout of the place: they are copied unchanged.
    const from: Place = { base: { kind: 'constant', bytes }, offset: 0, indices: [], isStandard: place.isStandard }
    return [{ kind: 'copy', type, from, to: place, site: this.site({}) }]
  }
}

function variable(type: Type, at: At, name: string): Variable {
  return { kind: 'variable', type, at, text: `#${name}` }
}

function memberNamed(members: readonly Member[], name: string): Member | undefined {
  return members.find((one) => one.name.toLowerCase() === name.toLowerCase())
}

/** Parameters whose memory others share (AT), by their own names in lower case. */
function overlaidParameters(members: readonly Member[]): Map<string, Member> {
  const found = new Map<string, Member>()
  for (const { overlays, section } of members) {
    const base = overlays === undefined ? undefined : memberNamed(members, overlays)
    if (base && base.section === section && base.overlays === undefined && section !== 'Temp')
      found.set(base.name.toLowerCase(), base)
  }
  return found
}

/**
 * Marks an input as read-only. A scalar input is the block's own copy: writing it gives a warning. An input that an FC
 * gets by address belongs to the caller.
 */
function readOnlyInput(one: Variable, section: string): Variable {
  if (section === 'Input') return { ...one, readOnly: 'input' }
  return section === 'in' ? { ...one, readOnly: 'in' } : one
}

function constantOf({ name, type, startValue }: Member): Operand {
  const read = literalOf(startValue ?? (type.kind === 'string' ? "''" : '0'))
  if (!('kind' in read)) return wrong
  return type.kind === 'unknown' ? wrong : { ...read, type, text: `#${name}` }
}

/** Whether an instance contains the members of this section. */
export function isInstanceData(section: string): boolean {
  return section === 'Input' || section === 'Output' || section === 'InOut' || section === 'Static'
}

/** Returns the parameters and results of an FC; an FB is called with only the address of its instance. */
export function signatureOf(block: Pick<ProgramBlock, 'kind' | 'members' | 'returnType'>): Signature {
  const parameters: { name: string; type: ScalarType | 'address' }[] = []
  const results: { name: string; type: ScalarType }[] = []
  if (block.kind !== 'FC') return { parameters, results }
  const { returnType } = block
  if (returnType?.kind === 'scalar') results.push({ name: 'Ret_Val', type: returnType })
  else if (returnType && returnType.kind !== 'void') parameters.push({ name: 'Ret_Val', type: 'address' })
  for (const { name, type, section, overlays } of block.members) {
    if (overlays !== undefined || (section !== 'Input' && section !== 'Output' && section !== 'InOut')) continue
    if (type.kind !== 'scalar') parameters.push({ name, type: 'address' })
    else {
      if (section !== 'Output') parameters.push({ name, type })
      if (section !== 'Input') results.push({ name, type })
    }
  }
  return { parameters, results }
}

/** Leaves out start information that the block never reads: then the controller does not make it. */
function withoutUnreadInformation(prologue: readonly Statement[], body: readonly Statement[]): Statement[] {
  const read = new Set<number>()
  visitAll([...prologue, ...body], {
    expression(expression) {
      if (expression.kind === 'local') read.add(expression.local)
    },
  })
  return prologue.filter(
    (one) =>
      one.kind !== 'setLocal' ||
      read.has(one.local) ||
      one.value.kind !== 'load' ||
      one.value.place.base.kind !== 'startInformation',
  )
}
