/**
 * Compiles network expressions to LAD and FBD networks: `#run := (#start OR #run) AND NOT #stop;` becomes the contacts,
 * branches and coils an engineer would draw. expression.ts describes the notation; elements.ts has the names of the
 * parts and their templates.
 */

import { FormatError, type FormatFault, LineIndex } from '../../model/fault.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import { ExpressionFault, faultAt, wholeStatement } from './expression-fault.ts'
import { parseExpression } from './expression-parser.ts'
import { NetworkCompiler } from './network-compiler.ts'
import type { ProgramNames } from './program-names.ts'

export interface CompileOptions {
  readonly language: 'LAD' | 'FBD'
  readonly names?: ProgramNames
}

/**
 * Compiles the expressions of one network.
 * @param expressions one text with any number of statements, or one text per statement
 * @throws FormatError with every fault: line and column in its text; `path` is `/expressions/<index>` when a list is
 *   given
 */
export function compileExpression(expressions: string | readonly string[], options: CompileOptions): LogicNetwork {
  const texts = typeof expressions === 'string' ? [expressions] : expressions
  const faults: FormatFault[] = []
  const compiler = new NetworkCompiler(options.language, options.names ?? {})
  texts.forEach((text, index) => {
    const place = typeof expressions === 'string' ? {} : { path: `/expressions/${index}` }
    const parsed = parseExpression(text, options.names)
    faults.push(...parsed.faults.map((fault) => ({ ...fault, ...place })))
    const lines = new LineIndex(text)
    for (const statement of parsed.statements) {
      try {
        compiler.statement(statement)
      } catch (error) {
        if (!(error instanceof ExpressionFault)) throw error
        const at = error.at === wholeStatement ? statement.at : error.at
        faults.push({ ...faultAt(lines, at, error.message), ...place })
      }
    }
  })
  if (faults.length === 0 && compiler.isEmpty)
    faults.push({ code: 'source-syntax', message: 'there is no statement', line: 1, column: 1 })
  if (faults.length > 0) throw new FormatError(faults)
  return compiler.network()
}
