/** A program as rules of the review get it in tests: with the facts that lowering its blocks finds. */
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import type { ImportedObject } from '../model/object.ts'
import type { Program } from '../program/program.ts'
import { ReviewedProgram } from '../review/reviewed-program.ts'

export function reviewed(program: Program, objects: readonly ImportedObject[]): ReviewedProgram {
  const facts = new Map(
    [...program.blocks].flatMap(([name, block]) =>
      /^(?:OB|FB|FC)$/.test(block.kind) ? [[name, lowerBlock(program, block).facts] as const] : [],
    ),
  )
  return new ReviewedProgram(program, objects, facts)
}
