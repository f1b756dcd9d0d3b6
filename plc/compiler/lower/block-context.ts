/**
 * What the lowering of one block has in common, whatever its language: registers, frame, places in the source, diagnostics, and what its
 * names stand for.
 *
 * Where the members of a block live. FB: Input, Output, Static and scalar InOut in the instance; other InOut behind an address in the instance.
 * FC: scalar parameters in registers (an InOut is copied from its parameter to its result at the beginning), others behind an address.
 * Temp: scalars in registers, others in the frame. Constants are values.
 */
import type { Expression, Place, Signature, Site, SourceSite, Statement } from '../../ir/ir.ts'
import { extentOf, layoutOf } from '../../program/layout.ts'
import { literalOf, scalarValue } from '../../program/literals.ts'
import { framedTemporaries } from '../../program/local-addresses.ts'
import { defaultImage } from '../../program/memory-image.ts'
import { startInformationMembers } from '../../program/organization-blocks.ts'
import type { Diagnostic, Program, ProgramBlock } from '../../program/program.ts'
import { UDInt } from '../../program/scalars.ts'
import type { TemporaryPlace } from '../../program/temporary-place.ts'
import type { Member, ScalarType, Type } from '../../program/type.ts'
import { isOpenArray, openParameter } from './open-array-parameters.ts'
import { placeOfValue } from './places.ts'
import type { SourceRange } from './source-range.ts'
import { type At, type Operand, type Variable, wrong } from './values.ts'

export class BlockContext {
  readonly program: Program
  readonly block: ProgramBlock
  readonly diagnostics: Diagnostic[] = []
  readonly locals: (ScalarType | 'address')[] = []
  readonly sites: SourceSite[] = []
  readonly signature: Signature
  /** What is done before anything else. */
  readonly prologue: Statement[] = []
  /** What is done after anything else, wherever the block ends. */
  readonly epilogue: Statement[] = []
  /** The group that holds the body when there is an epilogue. */
  #bodyLabel: number | undefined
  /** Names of scalar temporaries by their registers. */
  readonly temporaries = new Map<number, string>()
  /**
   * Registers of variables whose old value is read only to be kept in part or to be handed over: bits of them are assigned, or they are
   * given for an in-out. That they are read so says nothing of them.
   */
  readonly partlyWritten = new Set<number>()
  frameSize = 0
  /** Where temporaries begin that lie in the frame as in a standard block. */
  framedAt: Place | undefined
  network = 1
  /** Whether operations that fail clear ENO: the block's property, or because somebody looks at the ENO of one instruction. */
  setsEno: boolean
  #nextLabel = 0
  readonly #members = new Map<string, Operand>()
  /** Networks in which local names stand first, by the name in lower case. */
  readonly #named = new Map<string, SourceRange & { readonly network: number }>()

  constructor(program: Program, block: ProgramBlock) {
    this.program = program
    this.block = block
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

  /** A register; it holds 0 at the beginning of a call. */
  local(type: ScalarType | 'address'): number {
    return this.locals.push(type) - 1
  }

  label(): number {
    return this.#nextLabel++
  }

  /** The block ends: with the epilogue, when it has one. */
  returns(): Statement {
    return this.#bodyLabel === undefined ? { kind: 'return' } : { kind: 'leave', label: this.#bodyLabel }
  }

  /** The whole code of the block, of what its networks do. */
  wholeBody(body: readonly Statement[]): Statement[] {
    if (this.#bodyLabel === undefined) return [...this.prologue, ...body]
    return [...this.prologue, { kind: 'group', label: this.#bodyLabel, body }, ...this.epilogue]
  }

  /** A place in the frame for a value of the type, in either layout. */
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
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
        ...(uId === undefined ? {} : { uId }),
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
    this.diagnostics.push({
      code,
      severity,
      object: this.block.name,
      network: this.network,
      ...at,
      message,
      ...(hint === undefined ? {} : { hint }),
    })
  }

  /** Reports something about a member of the interface, with the network that names it first. */
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
   * What a local name stands for; `undefined` when the block has no such member.
   * @param at where it is named; messages about the member tell the first such place
   */
  localName(name: string, at: SourceRange = {}): Operand | undefined {
    const key = name.toLowerCase()
    const found = this.#members.get(key)
    if (found && !this.#named.has(key)) this.#named.set(key, { network: this.network, ...at })
    return found
  }

  /** Whether anything asked for this member so far. */
  isNamed(name: string): boolean {
    return this.#named.has(name.toLowerCase())
  }

  /** Notes that the old value of a variable is read only to be kept in part, or to be handed over. */
  notePartlyWritten({ at }: Pick<Variable, 'at'>): void {
    if (at.kind === 'local') this.partlyWritten.add(at.local)
  }

  /** Names of the members, for "did you mean". */
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
        // A scalar that an overlay shows otherwise lies in the frame; others are shown where their address points to.
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

  /** An organization block copies what the system tells it at its beginning: others that interrupt it are told something else. */
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

  /** Where the temporaries live. */
  temporaryPlaces(): TemporaryPlace[] {
    return this.block.members.flatMap(({ name, section }): TemporaryPlace[] => {
      if (section !== 'Temp' && this.block.kind !== 'OB') return []
      const operand = this.#members.get(name.toLowerCase())
      if (operand?.kind !== 'variable') return []
      if (operand.at.kind === 'local') return [{ name }]
      const { offset, bit } = operand.at.place
      return [{ name, byte: offset, ...(bit === undefined ? {} : { bit }) }]
    })
  }

  #set(name: string, operand: Operand): void {
    if (!this.#members.has(name.toLowerCase())) this.#members.set(name.toLowerCase(), operand)
  }

  /** A scalar parameter of an FC in the frame, as it lies in a standard block; what shows it there, whole or as something else. */
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
      ...(bit === undefined ? {} : { bit }),
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

  /** What a parameter's address points to. */
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
    return variable(type, { kind: 'place', place: this.#startingFrame(type) }, name)
  }

  /** What `AT` lays one over another lies in the frame as in a standard block, so that the parts are where they are on a controller. */
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
        ...(bit === undefined ? {} : { bit }),
      }
      this.#set(name, type.kind === 'unknown' ? wrong : variable(type, { kind: 'place', place }, name))
    }
  }

  #startingFrame(type: Type): Place {
    const place = this.frame(type)
    this.prologue.push(...this.started(type, place))
    return place
  }

  /** Gives a place in the frame the start values of its type: texts know their length, all else is zero. */
  started(type: Type, place: Place): Statement[] {
    const bytes = defaultImage(type, place.isStandard ? 'standard' : 'optimized')
    if (bytes.length === 0) return []
    if (bytes.every((byte) => byte === 0)) return [{ kind: 'clear', place, size: bytes.length }]
    // The bytes have the layout of the place already: they are copied as they are.
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

/** Parameters whose memory others share (AT), by their names in lower case. */
function overlaidParameters(members: readonly Member[]): Map<string, Member> {
  const found = new Map<string, Member>()
  for (const { overlays, section } of members) {
    const base = overlays === undefined ? undefined : memberNamed(members, overlays)
    if (base && base.section === section && base.overlays === undefined && section !== 'Temp')
      found.set(base.name.toLowerCase(), base)
  }
  return found
}

/** A scalar input is the block's own copy: writing it is a warning. What an FC is given by address is the caller's. */
function readOnlyInput(one: Variable, section: string): Variable {
  if (section === 'Input') return { ...one, readOnly: 'input' }
  return section === 'in' ? { ...one, readOnly: 'in' } : one
}

function constantOf({ name, type, startValue }: Member): Operand {
  const read = literalOf(startValue ?? '0')
  if (!('kind' in read)) return wrong
  return type.kind === 'unknown' ? wrong : { ...read, type, text: `#${name}` }
}

/** Members that an instance holds. */
export function isInstanceData(section: string): boolean {
  return section === 'Input' || section === 'Output' || section === 'InOut' || section === 'Static'
}

/** How an FC is called; an FB is called with the address of its instance alone. */
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
