/**
 * Generated code as text that a person can check: what belongs together, up to the instruction that empties the stack,
 * is on one line. `get 0 | load 4 | i32 5 | i32Add | set 1` adds 5 to the number at address + 4.
 */
import type { CompiledBlock } from '../compiler/codegen/function.ts'
import { emptyBlock, Op, PrefixedOp, prefixed, ValueType, VectorOp, vectorPrefix } from '../compiler/wasm/opcodes.ts'

const names = new Map<number, string>(Object.entries(Op).map(([name, code]) => [code, name]))
const prefixedNames = new Map<number, string>(Object.entries(PrefixedOp).map(([name, code]) => [code, name]))
const vectorNames = new Map<number, string>(Object.entries(VectorOp).map(([name, code]) => [code, name]))
const types = new Map<number, string>(Object.entries(ValueType).map(([name, code]) => [code, name]))

/** Instructions behind which a line ends. */
const ends = new Set<string>(
  'block loop if else end br brIf brTable return call drop localSet globalSet i32Store i64Store f32Store f64Store i32Store8 i32Store16 memoryCopy memoryFill store'.split(
    ' ',
  ),
)

const shortNames: Readonly<Record<string, string>> = { localGet: 'get', localSet: 'set', localTee: 'tee' }

/** Returns the function of a block. */
export function wasmText({ function: own, routines, constants, image }: CompiledBlock): string {
  const list = (all: readonly number[]) => all.map((type) => types.get(type)).join(' ')
  const { parameters, results } = own.type
  const lines = [
    `function ${own.name} (${list(parameters)}) -> (${list(results)}), registers ${list(own.locals)}`,
    ...routines.map(({ name, type }) => `  imports ${name} (${list(type.parameters)}) -> (${list(type.results)})`),
    ...[...constants.keys()].map((symbol) => `  ${symbol}`),
    ...(['I', 'Q'] as const).flatMap((area) =>
      image[area][0] >= image[area][1] ? [] : [`  uses ${area} ${JSON.stringify(image[area])}`],
    ),
    ...new Reader(own).lines(),
  ]
  return `${lines.join('\n')}\n`
}

class Reader {
  readonly #code: Uint8Array
  readonly #view: DataView
  readonly #symbols: ReadonlyMap<number, string>
  #at = 0

  constructor({ code, relocations }: CompiledBlock['function']) {
    this.#code = code
    this.#view = new DataView(code.buffer, code.byteOffset, code.length)
    this.#symbols = new Map(
      relocations.map(({ at, kind, symbol, addend }) => [
        at,
        `${symbol.replace(/^[a-z]+:/, '')}${kind === 'index' ? '' : `+${addend}`}`,
      ]),
    )
  }

  lines(): string[] {
    const lines: string[] = []
    let line: string[] = []
    let depth = 1
    while (this.#at < this.#code.length) {
      const [name, ...operands] = this.#instruction()
      if (name === 'end' || name === 'else') depth--
      line.push([shortNames[name] ?? name, ...operands].join(' '))
      if (ends.has(name)) {
        lines.push('  '.repeat(Math.max(1, depth)) + line.join(' | '))
        line = []
      }
      if (name === 'block' || name === 'loop' || name === 'if' || name === 'else') depth++
    }
    return line.length === 0 ? lines : [...lines, `  ${line.join(' | ')}`]
  }

  #instruction(): [string, ...string[]] {
    const code = this.#byte()
    if (code === prefixed) {
      const name = prefixedNames.get(this.#unsigned()) ?? ''
      this.#at += name === 'memoryCopy' ? 2 : name === 'memoryFill' ? 1 : 0
      return [name]
    }
    if (code === vectorPrefix) {
      const name = vectorNames.get(this.#unsigned()) ?? ''
      if (name === 'const') {
        const bytes = this.#code.subarray(this.#at, this.#at + 16)
        this.#at += 16
        return ['v128', ...[...bytes].map((one) => one.toString(16).padStart(2, '0'))]
      }
      this.#at++
      return [name, this.#place()]
    }
    const name = names.get(code) ?? `0x${code.toString(16)}`
    switch (code) {
      case Op.block:
      case Op.loop:
      case Op.if: {
        const type = this.#byte()
        return type === emptyBlock ? [name] : [name, types.get(type) ?? '']
      }
      case Op.br:
      case Op.brIf:
      case Op.localGet:
      case Op.localSet:
      case Op.localTee:
      case Op.call:
      case Op.globalGet:
      case Op.globalSet:
        return [name, this.#place()]
      case Op.brTable: {
        const count = this.#unsigned()
        return [name, ...Array.from({ length: count + 1 }, () => String(this.#unsigned()))]
      }
      case Op.i32Const:
        return ['i32', this.#symbol() ?? String(this.#signed())]
      case Op.i64Const:
        return ['i64', String(this.#signed())]
      case Op.f32Const:
        this.#at += 4
        return ['f32', String(this.#view.getFloat32(this.#at - 4, true))]
      case Op.f64Const:
        this.#at += 8
        return ['f64', String(this.#view.getFloat64(this.#at - 8, true))]
      default:
    }
    if (code >= Op.i32Load && code <= Op.i32Store16) {
      const alignment = this.#byte()
      return alignment === 0 ? [name, this.#place()] : [name, this.#place(), `align ${alignment}`]
    }
    return [name]
  }

  /** What is relocated here, or a number. */
  #place(): string {
    return this.#symbol() ?? String(this.#unsigned())
  }

  #symbol(): string | undefined {
    const symbol = this.#symbols.get(this.#at)
    if (symbol !== undefined) this.#at += 5
    return symbol
  }

  #byte(): number {
    return this.#code[this.#at++] as number
  }

  #unsigned(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  #signed(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(this.#byte())
      value |= (byte & 0x7fn) << shift
      if (byte < 0x80n) return BigInt.asIntN(Number(shift) + 7, value)
    }
  }
}
