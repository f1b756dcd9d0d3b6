/**
 * Visits the instructions of generated code (Core Specification 2.0, 5.4). It knows only those that the code generator
 * writes.
 */
import type { CompiledFunction } from '../wasm/module.ts'
import { Op, PrefixedOp, prefixed, VectorOp, vectorPrefix } from '../wasm/opcodes.ts'

/**
 * Called for an instruction with its code and three positions: of its beginning, its operands, and the next
 * instruction.
 */
export type InstructionVisitor = (code: number, at: number, operands: number, next: number) => void

/** Bytes of a relocation; linking fills them in. */
const relocationSize = 5

/**
 * Visits the instructions of a function in order, including the closing `end`.
 * @throws Error for an instruction that generated code never contains: a mistake in this compiler
 */
export function visitInstructions({ code, relocations }: CompiledFunction, visit: InstructionVisitor): void {
  let nextRelocation = 0
  /** The position after a number, or after the bytes of a relocation. */
  const behindNumber = (at: number): number => {
    while ((relocations[nextRelocation]?.at ?? Number.POSITIVE_INFINITY) < at) nextRelocation++
    if (relocations[nextRelocation]?.at === at) return at + relocationSize
    let end = at
    while (((code[end] as number) & 0x80) !== 0) end++
    return end + 1
  }
  let at = 0
  while (at < code.length) {
    const op = code[at] as number
    const next = behindOperands(code, op, at + 1, behindNumber)
    visit(op, at, at + 1, next)
    at = next
  }
}

function behindOperands(code: Uint8Array, op: number, at: number, behindNumber: (at: number) => number): number {
  switch (op) {
    case Op.block:
    case Op.loop:
    case Op.if:
      return at + 1
    case Op.br:
    case Op.brIf:
    case Op.call:
    case Op.localGet:
    case Op.localSet:
    case Op.localTee:
    case Op.globalGet:
    case Op.globalSet:
    case Op.i32Const:
    case Op.i64Const:
      return behindNumber(at)
    case Op.brTable: {
      let end = behindNumber(at)
      for (let rest = unsignedAt(code, at); rest >= 0; rest--) end = behindNumber(end)
      return end
    }
    case Op.f32Const:
      return at + 4
    case Op.f64Const:
      return at + 8
    case prefixed:
      switch (code[at]) {
        case PrefixedOp.memoryCopy:
          return at + 3
        case PrefixedOp.memoryFill:
          return at + 2
        default:
          return at + 1
      }
    case vectorPrefix:
      return code[at] === VectorOp.const ? at + 17 : behindNumber(behindNumber(at + 1))
    default:
      // Loads and stores: alignment and offset.
      if (op >= Op.i32Load && op <= Op.i32Store16 + 3) return behindNumber(behindNumber(at))
      if (isPlain(op)) return at
      throw new Error(`instruction 0x${op.toString(16)} is not known`)
  }
}

/** Instructions without operands. */
function isPlain(op: number): boolean {
  return (op >= Op.i32Eqz && op <= Op.i32Extend16S + 3) || plain.has(op)
}

const plain: ReadonlySet<number> = new Set([Op.unreachable, Op.else, Op.end, Op.return, Op.drop, Op.select])

/** Reads the unsigned number (LEB128) at a position. */
export function unsignedAt(code: Uint8Array, at: number): number {
  let [value, factor] = [0, 1]
  for (let place = at; ; place++) {
    const byte = code[place] as number
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return value
    factor *= 128
  }
}
