/** Checks a code block and lowers it to the intermediate form. */
import type { BlockCode, Statement } from '../program/ir.ts'
import type { Diagnostic, Program, ProgramBlock } from '../program/program.ts'
import { BlockContext } from './block-context.ts'
import { lowerScl } from './scl.ts'

export interface LoweredBlock {
  /** Absent when there are errors. */
  readonly code?: BlockCode
  readonly diagnostics: readonly Diagnostic[]
}

/** Lowers a block of the program; one fault does not hide the next. */
export function lowerBlock(program: Program, block: ProgramBlock): LoweredBlock {
  const context = new BlockContext(program, block)
  const body: Statement[] = []
  for (const network of block.networks) {
    context.network = network.number
    if (network.language === 'SCL' && network.text !== undefined) body.push(...lowerScl(context, network.text))
    else if (network.text !== undefined || network.graph || network.statements || network.chart)
      context.report('unsupported-language', {}, `Networks in ${network.language} cannot be compiled yet.`)
  }
  const { diagnostics, locals, sites, signature, frameSize, prologue } = context
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics }
  if (block.kind !== 'OB' && block.kind !== 'FB' && block.kind !== 'FC') return { diagnostics }
  const code: BlockCode = {
    name: block.name,
    kind: block.kind,
    locals,
    signature,
    frameSize,
    body: [...prologue, ...body],
    sites,
  }
  return { code, diagnostics }
}
