/** What the documentation of a program says beside its texts: who calls whom, who uses what. */
import type { ImportedObject } from '../model/object.ts'
import type { Use } from '../uses/use.ts'
import { usesOf } from '../uses/uses-of.ts'

export interface ProgramFacts {
  /** Code and data blocks by kind and name, then types, then tables. */
  readonly objects: readonly ImportedObject[]
  /** Names of the blocks that each block calls, without repetition, in the order of the calls; by name. */
  readonly calls: ReadonlyMap<string, readonly string[]>
  /** Names of the objects that use each name, by the name in lower case. */
  readonly usedBy: ReadonlyMap<string, readonly string[]>
  /** Objects of the program that an object uses. */
  readonly usesOf: ReadonlyMap<string, readonly string[]>
  /** Blocks that nobody calls, and organization blocks: where the call trees begin. */
  readonly roots: readonly string[]
}

/** The program of a controller. */
export interface DocumentedProgram {
  /** The controller; absent where there is one, and of what belongs to none of several. */
  readonly name?: string
  readonly facts: ProgramFacts
}

const kindOrder = ['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB', 'UDT', 'TagTable', 'WatchTable', 'ForceTable']
const codeKinds = new Set(['OB', 'FB', 'FC'])

/** Collects the facts of a program, in time in line with its texts. */
export function factsOf(given: readonly ImportedObject[]): ProgramFacts {
  const objects = [...given].sort(
    (a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || (a.name < b.name ? -1 : 1),
  )
  const named = new Map(objects.map((object) => [object.name.toLowerCase(), object]))
  const calls = new Map<string, readonly string[]>()
  const usedBy = new Map<string, Set<string>>()
  const used = new Map<string, readonly string[]>()
  for (const object of objects) {
    const { uses } = usesOf(object)
    const names = new Set<string>()
    for (const use of uses) {
      if (use.name === '' || use.name.toLowerCase() === object.name.toLowerCase()) continue
      const key = use.name.toLowerCase()
      const users = usedBy.get(key) ?? new Set()
      usedBy.set(key, users.add(object.name))
      const target = named.get(key)
      if (target !== undefined) names.add(target.name)
    }
    used.set(object.name, [...names])
    if (codeKinds.has(object.kind)) calls.set(object.name, calledBy(object, uses, named))
  }
  const called = new Set([...calls.values()].flat())
  return {
    objects,
    calls,
    usedBy: new Map([...usedBy].map(([name, users]) => [name, [...users]])),
    usesOf: used,
    roots: objects
      .filter(({ kind, name }) => kind === 'OB' || (codeKinds.has(kind) && !called.has(name)))
      .map(({ name }) => name),
  }
}

/** A call of an instance data block is one of its function block; a member of the type of an FB is an instance. */
function calledBy(
  { interface: sections }: ImportedObject,
  uses: readonly Use[],
  named: ReadonlyMap<string, ImportedObject>,
): string[] {
  const found = new Set<string>()
  const add = (name: string | undefined) => {
    const target = name === undefined ? undefined : named.get(name.toLowerCase())
    if (target === undefined) return
    if (codeKinds.has(target.kind)) found.add(target.name)
    else if (target.kind === 'InstanceDB' && target.instanceOf !== undefined) add(target.instanceOf)
  }
  for (const { access, name } of uses) if (access === 'Call' || access === 'Instance') add(name)
  for (const { members } of sections)
    for (const { dataType } of members) {
      const type = /^(?:Array\s*\[[^\]]*\]\s*of\s+)?"?([^"]+)"?$/i.exec(dataType)?.[1]
      if (type !== undefined && named.get(type.toLowerCase())?.kind === 'FB') add(type)
    }
  return [...found]
}

/** A line of a call tree. */
export interface CallLine {
  readonly name: string
  readonly depth: number
  /** Its calls are shown where it comes first, or it calls itself. */
  readonly isRepeated: boolean
}

/** The call trees, one line for each call; what a block calls is shown once. */
export function callTree({ roots, calls }: ProgramFacts): CallLine[] {
  const lines: CallLine[] = []
  const shown = new Set<string>()
  const stack = [...roots].reverse().map((name) => ({ name, depth: 0 }))
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { name, depth } = next
    const called = calls.get(name) ?? []
    const isRepeated = shown.has(name) && called.length > 0
    lines.push({ name, depth, isRepeated })
    if (isRepeated) continue
    shown.add(name)
    stack.push(...[...called].reverse().map((one) => ({ name: one, depth: depth + 1 })))
  }
  return lines
}

/** A tag at an input or output of the process image. */
export interface IoRow {
  readonly name: string
  readonly dataType: string
  readonly address: string
  readonly table: string
  readonly comment: Readonly<Record<string, string>>
  readonly usedBy: readonly string[]
}

/** Tags of inputs and outputs in the order of their addresses: inputs first. */
export function ioList({ objects, usedBy }: ProgramFacts): IoRow[] {
  const rows = objects.flatMap(({ name: table, tags = [] }) =>
    tags
      .filter(({ logicalAddress }) => /^%[IQEA]/i.test(logicalAddress))
      .map(({ name, dataType, logicalAddress, comment }) => ({
        ...{ name, dataType, address: logicalAddress, table, comment },
        usedBy: usedBy.get(name.toLowerCase()) ?? [],
      })),
  )
  return rows.sort((a, b) => addressOrder(a.address) - addressOrder(b.address))
}

function addressOrder(address: string): number {
  const [, area = '', byte = '0', bit = '0'] = /^%([IQEA])[BWDX]?(\d+)(?:\.(\d+))?/i.exec(address) ?? []
  return (/[QA]/i.test(area) ? 1e9 : 0) + Number(byte) * 8 + Number(bit)
}
