/** What the documentation of a program says beside its texts: who calls whom, who uses what. */
import type { ImportedObject } from '../model/object.ts'
import type { Use } from '../uses/use.ts'
import { usesOf } from '../uses/uses-of.ts'

export interface ProgramFacts {
  /** Code and data blocks by kind and name, then types, then tables. */
  readonly objects: readonly ImportedObject[]
  /** The blocks that each block calls, without repetition, in the order of the calls. */
  readonly calls: ReadonlyMap<ImportedObject, readonly ImportedObject[]>
  /** The objects that use each name, by the name in lower case; a table is used by none, whatever its name. */
  readonly usedBy: ReadonlyMap<string, readonly ImportedObject[]>
  /** Objects of the program that an object uses. */
  readonly usesOf: ReadonlyMap<ImportedObject, readonly ImportedObject[]>
  /** Organization blocks, blocks that nobody else calls, and one of those that only call each other. */
  readonly roots: readonly ImportedObject[]
}

/** The program of a controller. */
export interface DocumentedProgram {
  /** The controller; absent where there is one, and of what belongs to none of several. */
  readonly name?: string
  readonly facts: ProgramFacts
}

const kindOrder = ['OB', 'FB', 'FC', 'GlobalDB', 'InstanceDB', 'ArrayDB', 'UDT', 'TagTable', 'WatchTable', 'ForceTable']
const codeKinds = new Set(['OB', 'FB', 'FC'])
const tableKinds = new Set(['TagTable', 'WatchTable', 'ForceTable'])

/** Collects the facts of a program, in time in line with its texts. */
export function factsOf(given: readonly ImportedObject[]): ProgramFacts {
  const objects = [...given].sort(
    (a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || (a.name < b.name ? -1 : 1),
  )
  const named = new Map(
    objects.filter(({ kind }) => !tableKinds.has(kind)).map((object) => [object.name.toLowerCase(), object]),
  )
  const calls = new Map<ImportedObject, readonly ImportedObject[]>()
  const usedBy = new Map<string, Set<ImportedObject>>()
  const used = new Map<ImportedObject, readonly ImportedObject[]>()
  for (const object of objects) {
    const { uses } = usesOf(object)
    const targets = new Set<ImportedObject>()
    for (const use of uses) {
      const key = use.name.toLowerCase()
      const target = named.get(key)
      if (key === '' || target === object) continue
      const users = usedBy.get(key) ?? new Set()
      usedBy.set(key, users.add(object))
      if (target !== undefined) targets.add(target)
    }
    used.set(object, [...targets])
    if (codeKinds.has(object.kind)) calls.set(object, calledBy(object, uses, named))
  }
  return {
    objects,
    calls,
    usedBy: new Map([...usedBy].map(([name, users]) => [name, [...users]])),
    usesOf: used,
    roots: rootsOf(calls),
  }
}

/** The objects that use one. */
export function usersOf({ usedBy }: ProgramFacts, { kind, name }: ImportedObject): readonly ImportedObject[] {
  return tableKinds.has(kind) ? [] : (usedBy.get(name.toLowerCase()) ?? [])
}

function rootsOf(calls: ProgramFacts['calls']): ImportedObject[] {
  const called = new Set([...calls].flatMap(([caller, blocks]) => blocks.filter((block) => block !== caller)))
  const roots = [...calls.keys()].filter((block) => block.kind === 'OB' || !called.has(block))
  const reached = new Set<ImportedObject>()
  const reach = (first: ImportedObject) => {
    const left = [first]
    for (let block = left.pop(); block !== undefined; block = left.pop()) {
      if (reached.has(block)) continue
      reached.add(block)
      left.push(...(calls.get(block) ?? []))
    }
  }
  for (const root of roots) reach(root)
  for (const block of calls.keys())
    if (!reached.has(block)) {
      roots.push(block)
      reach(block)
    }
  return roots
}

/** A call of an instance data block is one of its function block; a member of the type of an FB is an instance. */
function calledBy(
  { interface: sections }: ImportedObject,
  uses: readonly Use[],
  named: ReadonlyMap<string, ImportedObject>,
): ImportedObject[] {
  const found = new Set<ImportedObject>()
  const add = (name: string | undefined) => {
    const target = name === undefined ? undefined : named.get(name.toLowerCase())
    if (target === undefined) return
    if (codeKinds.has(target.kind)) found.add(target)
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
  readonly block: ImportedObject
  readonly depth: number
  /** Its calls are shown where it comes first, or it calls itself. */
  readonly isRepeated: boolean
}

/** The call trees, one line for each call; what a block calls is shown once. */
export function callTree({ roots, calls }: ProgramFacts): CallLine[] {
  const lines: CallLine[] = []
  const shown = new Set<ImportedObject>()
  const stack = [...roots].reverse().map((block) => ({ block, depth: 0 }))
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { block, depth } = next
    const called = calls.get(block) ?? []
    const isRepeated = shown.has(block) && called.length > 0
    lines.push({ block, depth, isRepeated })
    if (isRepeated) continue
    shown.add(block)
    stack.push(...[...called].reverse().map((one) => ({ block: one, depth: depth + 1 })))
  }
  return lines
}

/** A tag at an input or output of the process image. */
export interface IoRow {
  readonly name: string
  readonly dataType: string
  readonly address: string
  readonly table: ImportedObject
  readonly comment: Readonly<Record<string, string>>
  readonly usedBy: readonly ImportedObject[]
}

/** Tags of inputs and outputs in the order of their addresses: inputs first. */
export function ioList({ objects, usedBy }: ProgramFacts): IoRow[] {
  const rows = objects.flatMap((table) =>
    (table.tags ?? [])
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
