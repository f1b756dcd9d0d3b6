/** Runs SCL in tests: one FB with its members, through checker, lowering, generator and host. */
import { defined } from '../../lib/optional.ts'
import { compileBlock } from '../compiler/codegen/function.ts'
import { link } from '../compiler/codegen/link.ts'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import type { ProgrammingFault } from '../library/faults.ts'
import { extentOf, layoutOf } from '../program/layout.ts'
import type { Diagnostic, Program, ProgramBlock, ProgramNetwork, ProgramTag } from '../program/program.ts'
import { Bool, Int, LTime, scalarNamed, Time, UDInt, UInt, USInt } from '../program/scalars.ts'
import type { Access, InstanceType, Member, ScalarType, StructType, Type } from '../program/type.ts'
import { VirtualClock } from '../runtime/clock.ts'
import type { NumberedBlock } from '../runtime/context.ts'
import { createHost, type ProgramHost } from '../runtime/host.ts'
import type { Interrupts } from '../runtime/interrupts.ts'

export function member(name: string, type: Type, section: Member['section'] = 'Static'): Member {
  return { name, type, section, isRetentive: false, comment: '' }
}

export function structure(members: Readonly<Record<string, Type>>, name?: string, isSystem = false): StructType {
  const list = Object.entries(members).map(([one, type]) => member(one, type, 'None'))
  return { kind: 'struct', isSystem, members: list, ...defined({ name }) }
}

export function array(low: number, high: number, element: Type): Type {
  return { kind: 'array', dimensions: [{ low, high }], element }
}

export function text(length: number, isWide = false): Type {
  return { kind: 'string', isWide, length }
}

function instance(name: string, members: Readonly<Record<string, Type>>): InstanceType {
  return {
    kind: 'instance',
    name,
    isSystem: true,
    members: Object.entries(members).map(([one, type]) => member(one, type)),
  }
}

/** System types as the tests of instructions need them; programs get theirs from plc/program/system-types.ts. */
export const systemTypes = {
  timer: (name: string, type: ScalarType = name.includes('LTIME') ? LTime : Time) =>
    instance(name, { ST: type, PT: type, ET: type, RU: Bool, IN: Bool, Q: Bool, R: Bool, IN_OLD: Bool }),
  iecTimer: structure({ ST: Time, PT: Time, ET: Time, RU: Bool, IN: Bool, Q: Bool, IN_OLD: Bool }, 'IEC_TIMER', true),
  counter: (name: string, type: ScalarType = Int) =>
    name.startsWith('CTUD')
      ? instance(name, {
          CU: Bool,
          CD: Bool,
          R: Bool,
          LD: Bool,
          QU: Bool,
          QD: Bool,
          CU_OLD: Bool,
          CD_OLD: Bool,
          PV: type,
          CV: type,
        })
      : name.startsWith('CTU')
        ? instance(name, { CU: Bool, R: Bool, Q: Bool, CU_OLD: Bool, PV: type, CV: type })
        : instance(name, { CD: Bool, LD: Bool, Q: Bool, CD_OLD: Bool, PV: type, CV: type }),
  iecCounter: structure(
    { CU: Bool, CD: Bool, R: Bool, LD: Bool, QU: Bool, QD: Bool, CU_OLD: Bool, CD_OLD: Bool, PV: Int, CV: Int },
    'IEC_COUNTER',
    true,
  ),
  edge: (name: 'R_TRIG' | 'F_TRIG') => instance(name, { CLK: Bool, Q: Bool, Stat_Bit: Bool }),
}

export interface SclTest {
  readonly members: Readonly<Record<string, Type | string>>
  readonly body: string
  /** Networks of other languages, instead of the body. */
  readonly networks?: readonly ProgramNetwork[]
  readonly tags?: readonly ProgramTag[]
  readonly access?: Access
  readonly isIecCheckOn?: boolean
  readonly setsEno?: boolean
  readonly sequence?: ProgramBlock['sequence']
  /** Global data blocks by name; numbers from 1 in this order. */
  readonly blocks?: Readonly<Record<string, { readonly type: Type; readonly access?: Access }>>
  readonly clock?: VirtualClock
  readonly interrupts?: Interrupts
  /** Further code blocks. */
  readonly others?: readonly ProgramBlock[]
}

export interface SclRun {
  readonly host: ProgramHost
  readonly clock: VirtualClock
  readonly faults: string[]
  /** The programming faults that occurred. */
  readonly programmingFaults: readonly ProgrammingFault[]
  readonly events: string[]
  /** One call of the block. */
  scan(): void
  get(path: string): unknown
  set(path: string, value: unknown): void
}

const dtl: Type = structure(
  {
    ...{ YEAR: UInt, MONTH: USInt, DAY: USInt, WEEKDAY: USInt, HOUR: USInt, MINUTE: USInt, SECOND: USInt },
    NANOSECOND: UDInt,
  },
  'DTL',
  true,
)

function typeOf(type: Type | string): Type {
  if (typeof type !== 'string') return type
  if (type === 'DTL') return dtl
  if (type === 'DT') return { kind: 'dateAndTime' }
  const length = /^(W?)String(?:\[(\d+)\])?$/.exec(type)
  if (length) return text(Number(length[2] ?? 254), length[1] === 'W')
  return scalarNamed(type) ?? { kind: 'unknown', text: type }
}

/** Returns a block of these parts; the others are those of an empty FB with optimized access. */
export function blockOf(name: string, parts: Partial<ProgramBlock>): ProgramBlock {
  return {
    name,
    kind: 'FB',
    number: 1,
    language: 'SCL',
    access: 'optimized',
    isIecCheckOn: false,
    setsEno: true,
    isKnowHowProtected: false,
    members: [],
    networks: [],
    document: '',
    ...parts,
  }
}

/** Makes a program of one FB `main`. */
export function sclProgram(test: SclTest): { readonly program: Program; readonly main: ProgramBlock } {
  const members = Object.entries(test.members).map(([name, type]) => member(name, typeOf(type)))
  const main = blockOf('main', {
    access: test.access ?? 'optimized',
    isIecCheckOn: test.isIecCheckOn ?? false,
    setsEno: test.setsEno ?? true,
    ...defined({ sequence: test.sequence }),
    members,
    networks: test.networks ?? [{ number: 1, title: '', language: 'SCL', text: test.body }],
  })
  const data = Object.entries(test.blocks ?? {}).map(([name, { type, access }], i) =>
    blockOf(name, { kind: 'GlobalDB', number: i + 1, access: access ?? 'optimized', type }),
  )
  const all = [main, ...data, ...(test.others ?? [])]
  const program: Program = {
    blocks: new Map(all.map((block) => [block.name.toLowerCase(), block])),
    types: new Map(),
    tags: new Map(test.tags?.map((tag) => [tag.name.toLowerCase(), tag])),
    constants: new Map(),
    family: 'S7-1500',
    isFamilyKnown: false,
    byNumber: new Map(data.map((block) => [`DB ${block.number}`, block])),
    diagnostics: [],
    typeOf: (one) => typeOf(one),
  }
  return { program, main }
}

/** Returns the diagnostics of the block. */
export function sclDiagnostics(test: SclTest): readonly Diagnostic[] {
  const { program, main } = sclProgram(test)
  return lowerBlock(program, main).diagnostics
}

/** Compiles and links. The memory is prepared as at a start of the controller: texts have their length. */
export function runScl(test: SclTest): SclRun {
  const { program, main } = sclProgram(test)
  const codes = [main, ...(test.others ?? [])].map((block) => {
    const { code, diagnostics } = lowerBlock(program, block)
    if (!code) throw new Error(diagnostics.map(({ code: id, message }) => `${id}: ${message}`).join('\n'))
    return { name: block.name, compiled: compileBlock(code) }
  })
  const own = { kind: 'struct', isSystem: false, members: main.members } as const
  const data = [...program.blocks.values()].filter(({ kind }) => kind === 'GlobalDB')
  const sizes = data.map((block) => ({
    name: block.name,
    size: extentOf(block.type as Type, block.access).size,
  }))
  const linked = link({
    blocks: codes,
    dataBlocks: [{ name: 'main data', size: layoutOf(main.members, main.access).size }, ...sizes],
    areas: { I: 64, Q: 64, M: 64 },
    stackSize: 262_144,
  })
  const clock = test.clock ?? new VirtualClock()
  const faults: string[] = []
  const events: string[] = []
  const programmingFaults: ProgrammingFault[] = []
  const blockOfNumber = (number: number): NumberedBlock | undefined => {
    const block = data.find((one) => one.number === number)
    const place = block && linked.dataBlocks.get(block.name.toLowerCase())
    return place && { ...place, access: block.access }
  }
  const host = createHost(linked, {
    clock,
    onFault: (block, site, fault) => {
      faults.push(`${block}:${site}`)
      programmingFaults.push(fault)
    },
    onLook: () => {
      throw new Error('a loop does not end')
    },
    onStop: () => void events.push('stop'),
    onRetrigger: () => void events.push('retrigger'),
    blockOfNumber,
    ...(test.interrupts ? { interrupts: test.interrupts } : {}),
  })
  const address = (name: string) => linked.dataBlocks.get(name)?.address ?? 0
  const base = address('main data')
  const { view } = host
  prepare(view, own, main.access, base)
  for (const block of data) prepare(view, block.type as Type, block.access, address(block.name.toLowerCase()))
  const at = (path: string): Found => {
    const [first = '', ...rest] = path.split('.')
    const block = data.find((one) => one.name === first)
    const start: Found = block
      ? { type: block.type as Type, access: block.access, address: address(block.name.toLowerCase()) }
      : { type: own, access: main.access, address: base }
    return (block ? rest : [first, ...rest]).reduce(inside, start)
  }
  return {
    host,
    clock,
    faults,
    programmingFaults,
    events,
    scan: () => void host.run('main', base),
    get: (path) => readValue(view, at(path)),
    set: (path, value) => writeValue(view, at(path), value),
  }
}

interface Found {
  readonly type: Type
  readonly access: Access
  readonly address: number
  readonly bit?: number
}

/** A member, or an element by its number from 0. */
function inside({ type, access, address, bit }: Found, name: string): Found {
  if (type.kind === 'array') {
    const index = Number(name)
    const one = extentOf(type.element, access)
    if (one.isBit) return { type: type.element, access, address: address + (index >> 3), bit: index & 7 }
    return { type: type.element, access, address: address + index * Math.ceil(one.size / one.align) * one.align }
  }
  if (type.kind !== 'struct' && type.kind !== 'instance') throw new Error(`no ${name} in ${type.kind} at ${bit}`)
  const index = type.members.findIndex((one) => one.name === name)
  const [found, offset] = [type.members[index], layoutOf(type.members, access).offsets[index]]
  if (!found || !offset) throw new Error(`no member ${name}`)
  return {
    type: found.type,
    access,
    address: address + offset.byte,
    ...defined({ bit: offset.bit }),
  }
}

function prepare(view: DataView, type: Type, access: Access, address: number): void {
  if (type.kind === 'string') {
    if (type.isWide) view.setUint16(address, type.length, access === 'optimized')
    else view.setUint8(address, type.length)
  } else if (type.kind === 'struct' || type.kind === 'instance') {
    for (const { name } of type.members) {
      const found = inside({ type, access, address }, name)
      prepare(view, found.type, access, found.address)
    }
  } else if (type.kind === 'array' && type.element.kind !== 'scalar') {
    const { low = 0, high = -1 } = type.dimensions[0] ?? {}
    for (let i = 0; i <= high - low; i++) {
      const found = inside({ type, access, address }, String(i))
      prepare(view, found.type, access, found.address)
    }
  }
}

function readValue(view: DataView, { type, access, address, bit }: Found): unknown {
  const little = access === 'optimized'
  if (type.kind === 'string') {
    const width = type.isWide ? 2 : 1
    const length = type.isWide ? view.getUint16(address + 2, little) : view.getUint8(address + 1)
    const codes = Array.from({ length }, (_one, i) => {
      const place = address + (2 + i) * width
      return type.isWide ? view.getUint16(place, little) : view.getUint8(place)
    })
    return String.fromCharCode(...codes)
  }
  if (type.kind === 'array') {
    const { low = 0, high = -1 } = type.dimensions[0] ?? {}
    return Array.from({ length: high - low + 1 }, (_one, i) =>
      readValue(view, inside({ type, access, address }, String(i))),
    )
  }
  if (type.kind === 'struct' || type.kind === 'instance')
    return Object.fromEntries(
      type.members.map(({ name }) => [name, readValue(view, inside({ type, access, address }, name))]),
    )
  if (type.kind === 'dateAndTime') return Buffer.from(view.buffer, address, 8).toString('hex')
  if (type.kind !== 'scalar') throw new Error(`${type.kind} cannot be read`)
  switch (type.bits) {
    case 1:
      return ((view.getUint8(address) >> (bit ?? 0)) & 1) === 1
    case 8:
      return type.isSigned ? view.getInt8(address) : view.getUint8(address)
    case 16:
      return type.isSigned ? view.getInt16(address, little) : view.getUint16(address, little)
    case 32:
      if (type.family === 'real') return view.getFloat32(address, little)
      return type.isSigned ? view.getInt32(address, little) : view.getUint32(address, little)
    case 64:
      if (type.family === 'real') return view.getFloat64(address, little)
      return type.isSigned ? view.getBigInt64(address, little) : view.getBigUint64(address, little)
  }
}

function writeValue(view: DataView, found: Found, value: unknown): void {
  const { type, access, address, bit } = found
  const little = access === 'optimized'
  if (type.kind === 'string') {
    const all = String(value)
    const width = type.isWide ? 2 : 1
    if (type.isWide) view.setUint16(address + 2, all.length, little)
    else view.setUint8(address + 1, all.length)
    for (let i = 0; i < all.length; i++) {
      if (type.isWide) view.setUint16(address + (2 + i) * width, all.charCodeAt(i), little)
      else view.setUint8(address + 2 + i, all.charCodeAt(i))
    }
    return
  }
  if (type.kind === 'array' || type.kind === 'struct' || type.kind === 'instance') {
    for (const [name, one] of Object.entries(value as object)) writeValue(view, inside(found, name), one)
    return
  }
  if (type.kind === 'dateAndTime') {
    for (const [i, byte] of Buffer.from(String(value), 'hex').entries()) view.setUint8(address + i, byte)
    return
  }
  if (type.kind !== 'scalar') throw new Error(`${type.kind} cannot be written`)
  if (type.bits === 1) {
    const old = view.getUint8(address)
    const mask = 1 << (bit ?? 0)
    view.setUint8(address, value ? old | mask : old & ~mask)
  } else if (type.bits === 8) view.setUint8(address, Number(value) & 0xff)
  else if (type.bits === 16) view.setUint16(address, Number(value) & 0xffff, little)
  else if (type.bits === 32 && type.family === 'real') view.setFloat32(address, Number(value), little)
  else if (type.bits === 32) view.setUint32(address, Number(value) >>> 0, little)
  else if (type.family === 'real') view.setFloat64(address, Number(value), little)
  else view.setBigUint64(address, BigInt.asUintN(64, BigInt(value as bigint)), little)
}

/** Returns the codes of all diagnostics. */
export function codesOf(test: SclTest): string[] {
  return sclDiagnostics(test).map(({ code }) => code)
}
