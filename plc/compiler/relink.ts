/**
 * Links again after a change: when only the code of blocks changed, the program stays the same except for these blocks.
 */
import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../lib/optional.ts'
import type { CpuFamily } from '../program/cpu-family.ts'
import { type LinkTagTable, linkProgram } from '../program/link-program.ts'
import { numberKey } from '../program/numbers.ts'
import type { Program, ProgramBlock } from '../program/program.ts'
import { networksOf } from '../program/program-block.ts'
import { ProgramInterfaces } from './interfaces.ts'
import type { ProgramDocument } from './program-document.ts'

/** A linked program with the meaning of its names. */
export interface LinkedState {
  readonly program: Program
  /** The same object while no declaration changes. */
  readonly interfaces: ProgramInterfaces
  readonly documents: readonly ProgramDocument[]
  readonly tables: readonly LinkTagTable[]
  /** As it was given. */
  readonly family?: CpuFamily
}

/** Links a program; `before` is the last result, `family` that of the CPU where it is known. */
export function relink(
  documents: readonly ProgramDocument[],
  tables: readonly LinkTagTable[],
  before: LinkedState | undefined,
  family?: CpuFamily,
): LinkedState {
  if (before && before.family === family && isDeepStrictEqual(before.tables, tables)) {
    const changed = changedCode(documents, before.documents)
    // Equal tables stay the same objects, which makes comparing them fast.
    if (changed) return { ...before, documents, program: withCodeOf(before.program, changed) }
  }
  const program = linkProgram(
    documents.map(({ object, document }) => ({ object, document })),
    tables,
    family,
  )
  const interfaces = new ProgramInterfaces(
    documents.map(({ object: { name, kind, number }, facts }) => ({ name, kind, number, facts })),
    tables,
  )
  return { program, interfaces, documents, tables, ...defined({ family }) }
}

/** Returns the documents that changed only in their code; `undefined`: something else changed. */
function changedCode(
  documents: readonly ProgramDocument[],
  before: readonly ProgramDocument[],
): ProgramDocument[] | undefined {
  if (documents.length !== before.length) return undefined
  const changed: ProgramDocument[] = []
  for (const [i, one] of documents.entries()) {
    const other = before[i]
    if (one === other) continue
    if (one.object.name !== other?.object.name || one.facts.declaration !== other.facts.declaration) return undefined
    if (one.document !== other.document) changed.push(one)
  }
  if (changed.length === 0) return changed
  // The program uses the first of several objects with one name.
  const first = new Map<string, ProgramDocument>()
  for (const one of documents) {
    const key = one.object.name.toLowerCase()
    if (!first.has(key)) first.set(key, one)
  }
  return changed.every((one) => first.get(one.object.name.toLowerCase()) === one) ? changed : undefined
}

/** Returns the program with the new networks in the changed blocks. */
function withCodeOf(program: Program, changed: readonly ProgramDocument[]): Program {
  if (changed.length === 0) return program
  const blocks = new Map(program.blocks)
  const byNumber = new Map(program.byNumber)
  for (const { object, document } of changed) {
    const key = object.name.toLowerCase()
    const present = blocks.get(key)
    if (!present) continue
    const block: ProgramBlock = { ...present, networks: networksOf(object), document }
    blocks.set(key, block)
    const number = numberKey(block.kind, block.number)
    if (byNumber.get(number) === present) byNumber.set(number, block)
  }
  return { ...program, blocks, byNumber }
}
