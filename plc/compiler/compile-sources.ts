/** Compiles a program that is nothing but source text: for checks that must not touch a project. */

import { readSource } from '../formats/source/read.ts'
import type { FormatFault } from '../model/fault.ts'
import type { Diagnostic } from '../program/program.ts'
import { compileProgram } from './compile-program.ts'
import { compilerVersion } from './compiler-version.ts'
import { interfaceFacts } from './interfaces.ts'
import { blobHash, encodeProgram, type ProgramBlobs } from './program-file.ts'

/** The program as blobs, or what is wrong: `faults` of the text, `errors` of what it says. */
export type CompiledSources =
  | { readonly ok: true; readonly program: ProgramBlobs }
  | { readonly ok: false; readonly faults: readonly FormatFault[]; readonly errors: readonly Diagnostic[] }

/** Compiles the blocks and types of a source, without tags. CPU-heavy: to be called on the engine. */
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
