/** A program compiled once more, with what an earlier compile left. */
import { type CompileState, compileProgram } from '../compiler/compile-program.ts'
import { interfaceFacts } from '../compiler/interfaces.ts'
import type { ProgramDocument } from '../compiler/program-document.ts'
import { blobHash, encodeProgram } from '../compiler/program-file.ts'
import { decodeUnit, encodeUnit, type Unit } from '../compiler/unit.ts'
import type { ImportedObject } from '../model/object.ts'

/** A block as a document of a program. */
export function documentOf(object: ImportedObject): ProgramDocument {
  return { object, document: blobHash(object.text ?? ''), facts: interfaceFacts(object) }
}

/**
 * Compiles documents and tables with units that are stored as texts.
 * @param kept units by the name of their block: those of earlier compiles, to which the new ones are added
 * @returns what a compile at once gives too, and the state for the next one
 */
export function compileAgain(
  { documents, tables }: Pick<Parameters<typeof compileProgram>[0], 'documents' | 'tables'>,
  kept: Map<string, string>,
  before?: CompileState,
) {
  const output = compileProgram({
    documents,
    tables,
    compiler: 'this one',
    unitsOf: (name): Unit[] => {
      const text = kept.get(name)
      return text === undefined ? [] : [decodeUnit(text)]
    },
    before,
  })
  for (const { name, unit } of output.objects) if (unit) kept.set(name, encodeUnit(unit))
  const { objects, others, program, state } = output
  const shown = {
    objects: objects.map(({ isUnchanged: _how, ...object }) => object),
    others,
    hash: program && encodeProgram(program, 'this one', before?.program).hash,
  }
  return { shown, state }
}
