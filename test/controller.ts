/** Controllers in tests: packages from SCL, access to memory by the names of tags and members. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defined } from '../lib/optional.ts'
import { compileProgram } from '../plc/compiler/compile-program.ts'
import { interfaceFacts } from '../plc/compiler/interfaces.ts'
import { blobHash, encodeProgram } from '../plc/compiler/program-file.ts'
import { readSource } from '../plc/formats/source/read.ts'
import type { TagEntry } from '../plc/model/object.ts'
import type {
  Controller,
  ControllerOptions,
  LoadedProgram,
  LoadPackage,
  MemoryRange,
} from '../plugins/simulation/controller/contract.ts'
import { createController } from '../plugins/simulation/controller/controller.ts'
import { loadPackage } from '../plugins/simulation/controller/load-package.ts'

/** Tags by name: `Int at %MW10`. */
export type TestTags = Readonly<Record<string, string>>

/**
 * Compiles SCL. An organization block named `OB35` has that number, and with it its class and priority; the name
 * `OB130_Startup` also gives the class. Others are numbered from 1.
 * @throws Error with the first diagnostics when the program has errors
 */
export function packageOf(source: string, tags: TestTags = {}): LoadPackage {
  const { blocks, faults } = readSource(source)
  if (faults[0]) throw new Error(`line ${faults[0].line}: ${faults[0].message}`)
  const documents = blocks.map(({ object }) => {
    const [, number, secondaryType] = /^OB(\d+)(?:_(\w+))?$/i.exec(object.name) ?? []
    const told = secondaryType === undefined ? {} : { secondaryType }
    return {
      object: number === undefined ? object : { ...object, number: Number(number), ...told },
      document: blobHash(object.text ?? ''),
      facts: interfaceFacts(object),
    }
  })
  const entries = Object.entries(tags).map(([name, text]) => {
    const [dataType = '', logicalAddress = ''] = text.split(' at ')
    return { name, dataType, logicalAddress } satisfies Partial<TagEntry>
  })
  const tables = [{ name: 'Tags', tags: entries, constants: [] }]
  const { program, objects, others } = compileProgram({ documents, tables, compiler: 'test', unitsOf: () => [] })
  if (!program) {
    const all = [...others, ...objects.flatMap(({ diagnostics }) => diagnostics)]
    const errors = all.filter(({ severity }) => severity === 'error')
    throw new Error(errors.map(({ code, message, line }) => `${line}: ${code}: ${message}`).join('\n'))
  }
  const { hash, blobs } = encodeProgram(program, 'test')
  return loadPackage({ program: hash }, new Map(blobs.map((blob) => [blob.hash, blob.bytes])), blobHash)
}

/**
 * Options of a controller in stepped time with cycles of 1 ms; the given ones override them. With real time a busy
 * computer may hold up a cycle for long, which must not end it.
 */
export function testOptions(storage: string, options: Partial<ControllerOptions> = {}): ControllerOptions {
  return {
    name: 'PLC',
    storage,
    maximumCycleTimeMs: options.time?.mode === 'real' ? 60_000 : 150,
    minimumCycleTimeMs: 1,
    time: { mode: 'stepped', cycleTimeMs: 1 },
    startTime: Date.UTC(2026, 0, 1),
    utcOffsetMinutes: 0,
    retentiveFlags: 0,
    startup: 'Stop',
    pendingAlarms: 1000,
    connections: [],
    cyclicInterrupts: {},
    ...options,
  }
}

export interface TestController {
  readonly controller: Controller
  readonly storage: string
  /** Loads a program in STOP. */
  load(source: string, tags?: TestTags): Promise<void>
  /**
   * Reads a number or Bool: a tag (`Start`), a member of a data block (`Data.count`, through structures), or an operand
   * (`%MW10`, unsigned).
   */
  get(name: string): Promise<number>
  /** Writes a number or Bool; inputs are written to the periphery. */
  set(name: string, value: number): Promise<void>
  /** Returns its place in memory. */
  range(name: string): MemoryRange & { readonly bit?: number }
  /** Ends the thread and deletes the folder. */
  end(): Promise<void>
}

/** Makes a controller that is on, in Stop, without a program. `t` is a test's context or anything with `after`. */
export async function testController(
  t: { after(work: () => Promise<void>): void },
  options: Partial<ControllerOptions> = {},
): Promise<TestController> {
  const storage = options.storage ?? (await mkdtemp(join(tmpdir(), 'gantry-controller-')))
  const controller = createController(testOptions(storage, options))
  const end = async () => {
    await controller.dispose()
    await rm(storage, { recursive: true, force: true })
  }
  t.after(end)
  await controller.change('powerOn')
  return testAccess(controller, storage, end)
}

/** Gives access to a controller's memory by names. */
export function testAccess(controller: Controller, storage: string, end: () => Promise<void>): TestController {
  const placeOf = (name: string) => {
    if (!controller.program) throw new Error('no program is loaded')
    return findPlace(controller.program, name)
  }
  return {
    controller,
    storage,
    end,
    load: async (source, tags) => {
      await controller.load(packageOf(source, tags), { inRun: false, reinitialize: false })
    },
    range: placeOf,
    get: async (name) => {
      const place = placeOf(name)
      const { bytes } = await controller.read([place])
      return decode(bytes[0] ?? new Uint8Array(0), place)
    },
    set: async (name, value) => {
      const place = placeOf(name)
      const { areas } = (controller.program as LoadedProgram).compiled.linked
      const isInput = place.address >= areas.I.address && place.address < areas.I.address + areas.I.size
      const address = isInput ? place.address - areas.I.address + areas.PI.address : place.address
      const mask = place.bit === undefined ? {} : { mask: 1 << place.bit }
      await controller.write([{ address, bytes: encode(value, place), ...mask }])
    },
  }
}

interface Found extends MemoryRange {
  readonly bit?: number
  readonly isLittle: boolean
  readonly isSigned: boolean
  readonly isReal: boolean
}

function findPlace({ compiled: { linked }, symbols }: LoadedProgram, name: string): Found {
  const operand = /^%(I|Q|M|PI|PQ)([XBWD]?)(\d+)(?:\.(\d))?$/.exec(name)
  if (operand) {
    const [, area = 'M', size = 'X', byte = '0', bit] = operand
    const sizes: Record<string, number> = { B: 1, W: 2, D: 4 }
    const address = linked.areas[area as 'I'].address + Number(byte)
    const kind = { isLittle: false, isSigned: false, isReal: false }
    return { address, size: sizes[size] ?? 1, ...kind, ...(bit === undefined ? {} : { bit: Number(bit) }) }
  }
  const [first = '', ...rest] = name.split('.')
  const tag = symbols.tags.find((one) => one.name === first)
  const block = symbols.dataBlocks.find((one) => one.name === first)
  let type = symbols.types[tag?.type ?? block?.type ?? -1]
  let bit = tag?.bit
  let isLittle = block?.access === 'optimized'
  let address = tag
    ? linked.areas[tag.area].address + tag.byte
    : (linked.dataBlocks.get(first.toLowerCase())?.address ?? Number.NaN)
  for (const step of rest) {
    if (type?.kind !== 'struct') throw new Error(`${name}: nothing is inside`)
    if (type.access !== undefined) isLittle = type.access === 'optimized'
    const member = type.members.find((one) => one.name === step)
    if (!member) throw new Error(`no ${step} in ${name}`)
    address += member.byte
    bit = member.bit
    type = symbols.types[member.type]
  }
  if (type?.kind !== 'scalar') throw new Error(`${name} is no single value`)
  const { bits, family } = type.scalar
  return {
    address,
    size: Math.max(1, bits >> 3),
    isLittle,
    isSigned: type.scalar.isSigned,
    isReal: family === 'real',
    ...defined({ bit }),
  }
}

function decode(bytes: Uint8Array, { bit, size, isLittle, isSigned, isReal }: Found): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bit !== undefined) return (view.getUint8(0) >> bit) & 1
  if (isReal) return size === 4 ? view.getFloat32(0, isLittle) : view.getFloat64(0, isLittle)
  if (size === 8) return Number(isSigned ? view.getBigInt64(0, isLittle) : view.getBigUint64(0, isLittle))
  if (size === 4) return isSigned ? view.getInt32(0, isLittle) : view.getUint32(0, isLittle)
  if (size === 2) return isSigned ? view.getInt16(0, isLittle) : view.getUint16(0, isLittle)
  return isSigned ? view.getInt8(0) : view.getUint8(0)
}

function encode(value: number, { bit, size, isLittle, isReal }: Found): Uint8Array {
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  if (bit !== undefined) view.setUint8(0, value ? 0xff : 0)
  else if (isReal) size === 4 ? view.setFloat32(0, value, isLittle) : view.setFloat64(0, value, isLittle)
  else if (size === 8) view.setBigInt64(0, BigInt(value), isLittle)
  else if (size === 4) view.setInt32(0, value, isLittle)
  else if (size === 2) view.setInt16(0, value, isLittle)
  else view.setInt8(0, value)
  return bytes
}
