/** Linking again after a change: when only the code of blocks changed, the program stays as it is but for these blocks. */
import { type LinkTagTable, linkProgram } from '../program/link-program.ts'
import type { Program, ProgramBlock } from '../program/program.ts'
import type { ProgramDocument } from './compile-program.ts'
import { ProgramInterfaces } from './interfaces.ts'

/** A linked program with what its names stand for. */
export interface LinkedState {
  readonly program: Program
  /** The same object as long as no interface changes. */
  readonly interfaces: ProgramInterfaces
  /** Of all that linking looks at. */
  readonly declarations: string
  readonly documents: ReadonlyMap<string, string>
}

/** Links a program; `before` is what the last one gave. */
export function relink(
  documents: readonly ProgramDocument[],
  tables: readonly LinkTagTable[],
  before: LinkedState | undefined,
): LinkedState {
  const declarations = [
    ...documents.map(({ object, facts }) => `${object.name} ${facts.declaration}`),
    JSON.stringify(tables),
  ].join('\n')
  const hashes = new Map(documents.map(({ object, document }) => [object.name, document]))
  if (before?.declarations === declarations) {
    const changed = documents.filter(({ object, document }) => before.documents.get(object.name) !== document)
    return { ...before, documents: hashes, program: withCodeOf(before.program, changed) }
  }
  const program = linkProgram(
    documents.map(({ object, document }) => ({ object, document })),
    tables,
  )
  const interfaces = new ProgramInterfaces(
    documents.map(({ object: { name, kind, number }, facts }) => ({ name, kind, number, facts })),
    tables,
  )
  return { program, interfaces, declarations, documents: hashes }
}

/** The program with other networks in some of its blocks. */
function withCodeOf(program: Program, changed: readonly ProgramDocument[]): Program {
  if (changed.length === 0) return program
  const blocks = new Map(program.blocks)
  const byNumber = new Map(program.byNumber)
  // Alone they know nothing of each other, but their networks are the same.
  const alone = linkProgram(changed.map(({ object, document }) => ({ object, document }))).blocks
  for (const [key, { networks, document }] of alone) {
    const present = blocks.get(key)
    if (!present) continue
    const block: ProgramBlock = { ...present, networks, document }
    blocks.set(key, block)
    for (const [number, held] of byNumber) if (held === present) byNumber.set(number, block)
  }
  return { ...program, blocks, byNumber }
}
