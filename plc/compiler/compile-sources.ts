/** Compiles a program that consists of source text only: for checks that must not change a project. */

import { readSource } from '../formats/source/read.ts'
import type { FormatFault } from '../model/fault.ts'
import type { Diagnostic } from '../program/program.ts'
import { compileProgram } from './compile-program.ts'
import { compilerVersion } from './compiler-version.ts'
import { interfaceFacts } from './interfaces.ts'
import { blobHash, encodeProgram, type ProgramBlobs } from './program-file.ts'

/**
 * The program as blobs, or the reasons why there is none: `faults` in the syntax of the text, `errors` in its meaning.
 */
export type CompiledSources =
  | { readonly ok: true; readonly program: ProgramBlobs }
  | { readonly ok: false; readonly faults: readonly FormatFault[]; readonly errors: readonly Diagnostic[] }

/** Compiles the blocks and types of a source, without tags. CPU-heavy: call it on the engine. */
export function compileSources(text: string): CompiledSources {
  const { blocks, faults } = readSource(text)
  if (faults.length > 0) return { ok: false, faults, errors: [] }
  const compiler = compilerVersion(import.meta.url)
  const documents = blocks.map(({ object }) => {
    return { object, document: blobHash(object.text ?? ''), facts: interfaceFacts(object) }
  })
  const { program, objects, others } = compileProgram({ documents, tables: [], compiler, unitsOf: () => [] })
  if (program) return { ok: true, program: encodeProgram(program, compiler) }
  const all = [...others, ...objects.flatMap(({ diagnostics }) => diagnostics)]
  return { ok: false, faults: [], errors: all.filter(({ severity }) => severity === 'error') }
}
