/**
 * The assignments of an SCL text to one operand, by statements and as inputs of calls, with the conditions they stand
 * under.
 */
import { parseScl } from '../../plc/languages/scl/parser.ts'
import type { Statement } from '../../plc/languages/scl/syntax.ts'
import { tokenText } from '../../plc/languages/scl/tokens.ts'

export interface SclAssignment {
  /** Counts from 1. */
  readonly line: number
  readonly text: string
  /** What is assigned. */
  readonly value: string
  /** `IF`, `CASE` and loops around it, from the outermost on, as they are written. */
  readonly conditions: readonly string[]
}

/** @param isWanted whether a target, as it is written, is the operand */
export function assignmentsOf(text: string, isWanted: (target: string) => boolean): SclAssignment[] {
  const { tree } = parseScl(text)
  const { tokens } = tree
  const startOf = (node: { readonly start: number }) => tokens.start[node.start] as number
  const textOf = (node: { readonly start: number; readonly end: number }) =>
    text.slice(startOf(node), tokens.start[node.end]).trimEnd().replace(/\s+/g, ' ')
  const found: SclAssignment[] = []
  const walk = (statements: readonly Statement[], conditions: readonly string[]) => {
    for (const statement of statements) {
      switch (statement.kind) {
        case 'assignment': {
          if (!isWanted(textOf(statement.target))) break
          const line = text.slice(0, startOf(statement)).split('\n').length
          found.push({ line, text: textOf(statement), value: textOf(statement.value), conditions })
          break
        }
        case 'callStatement':
          // A call of an instance assigns its inputs.
          for (const argument of statement.call.arguments) {
            if (argument.name < 0 || argument.isOutput || argument.value === undefined) continue
            const name = tokenText(tokens, argument.name).replace(/^#?"?([^"]*)"?$/, '$1')
            if (!isWanted(`${textOf(statement.call.callee)}.${name}`)) continue
            const line = text.slice(0, startOf(argument)).split('\n').length
            found.push({ line, text: textOf(argument), value: textOf(argument.value), conditions })
          }
          break
        case 'if': {
          const before: string[] = []
          for (const { condition, body } of statement.branches) {
            const own = textOf(condition)
            walk(body, [...conditions, ...before, own])
            before.push(`NOT (${own})`)
          }
          walk(statement.otherwise ?? [], [...conditions, ...before])
          break
        }
        case 'case':
          for (const { labels, body } of statement.branches)
            walk(body, [...conditions, `${textOf(statement.selector)} = ${labels.map(textOf).join(', ')}`])
          walk(statement.otherwise ?? [], [...conditions, `${textOf(statement.selector)}: no other label`])
          break
        case 'while':
          walk(statement.body, [...conditions, textOf(statement.condition)])
          break
        case 'for':
        case 'repeat':
        case 'region':
          walk(statement.body, conditions)
          break
        default:
      }
    }
  }
  walk(tree.statements, [])
  return found
}
