/** Generates CASE: a jump table where the labels are close together, else one comparison after the other. */
import type { Expression, Statement } from '../../ir/ir.ts'
import { Op, ValueType } from '../wasm/opcodes.ts'
import type { FunctionEmitter } from './emitter.ts'
import { registerOf } from './registers.ts'

type Switch = Extract<Statement, { kind: 'switch' }>

/** What a switch needs from the function that contains it. */
interface SwitchContext {
  readonly out: FunctionEmitter
  expression(expression: Expression): void
}

/** Largest number of entries of a table; a table also has at most four times as many entries as there are labels. */
const largestTable = 1024
const sparsest = 4

export function emitSwitch(
  context: SwitchContext,
  statement: Switch,
  body: (statements: readonly Statement[]) => void,
): void {
  const { out } = context
  const register = registerOf(statement.type)
  const selector = out.take(register)
  context.expression(statement.selector)
  out.set(selector)
  // Block k ends where branch k begins; the last one is ELSE.
  const end = out.open(Op.block)
  const labels = [...statement.branches.map(() => 0), 0].map(() => out.open(Op.block)).reverse()
  const table = register === ValueType.i32 ? tableOf(statement) : undefined
  if (table) {
    out.get(selector)
    if (table.low !== 0n) {
      out.i32(Number(BigInt.asIntN(32, table.low)))
      out.op(Op.i32Sub)
    }
    const otherwise = labels[statement.branches.length] as number
    out.branchTable(
      table.entries.map((branch) => labels[branch] ?? otherwise),
      otherwise,
    )
  } else compareAll(out, statement, selector, labels)
  for (const { body: statements } of statement.branches) {
    out.end()
    body(statements)
    out.branch(end)
  }
  out.end()
  body(statement.otherwise)
  out.end()
  out.release(selector)
}

/** For each value from `low` on, the number of its branch; `undefined` when the table would be too large. */
function tableOf({ branches }: Switch): { low: bigint; entries: number[] } | undefined {
  let [low, high, count] = [0n, -1n, 0n]
  for (const { ranges } of branches)
    for (const [from, to] of ranges) {
      if (to < from) continue
      if (count === 0n || from < low) low = from
      if (count === 0n || to > high) high = to
      count += to - from + 1n
    }
  const size = high - low + 1n
  if (count < 3n || size > largestTable || size > count * BigInt(sparsest)) return undefined
  const none = branches.length
  const entries = new Array<number>(Number(size)).fill(none)
  for (const [i, { ranges }] of branches.entries())
    for (const [from, to] of ranges)
      for (let value = from; value <= to; value++) {
        const at = Number(value - low)
        if (entries[at] === none) entries[at] = i
      }
  return { low, entries }
}

function compareAll(
  out: FunctionEmitter,
  { type, branches }: Switch,
  selector: number,
  labels: readonly number[],
): void {
  const isWide = registerOf(type) === ValueType.i64
  const push = (value: bigint) => {
    if (isWide) out.i64(BigInt.asIntN(64, value))
    else out.i32(Number(BigInt.asIntN(32, value)))
  }
  const atLeast = isWide ? (type.isSigned ? Op.i64GeS : Op.i64GeU) : type.isSigned ? Op.i32GeS : Op.i32GeU
  const atMost = isWide ? (type.isSigned ? Op.i64LeS : Op.i64LeU) : type.isSigned ? Op.i32LeS : Op.i32LeU
  for (const [i, { ranges }] of branches.entries())
    for (const [from, to] of ranges) {
      out.get(selector)
      push(from)
      if (from === to) out.op(isWide ? Op.i64Eq : Op.i32Eq)
      else {
        out.op(atLeast)
        out.get(selector)
        push(to)
        out.op(atMost)
        out.op(Op.i32And)
      }
      out.branchIf(labels[i] as number)
    }
  out.branch(labels[branches.length] as number)
}
