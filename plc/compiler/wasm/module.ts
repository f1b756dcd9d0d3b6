/**
 * Assembles functions, data and imports to a WebAssembly module (Core Specification 2.0, 5.5), and fills in the
 * relocations.
 */
import { type Grouped, grouped } from '../../../lib/grouped.ts'
import { CodeBuffer, patch, type Relocation, unsignedLength, writeUnsigned } from './code-buffer.ts'
import { Op, ValueType } from './opcodes.ts'

export interface FunctionType {
  readonly parameters: readonly ValueType[]
  readonly results: readonly ValueType[]
}

/** A function that is complete except for its relocations. */
export interface CompiledFunction {
  readonly name: string
  readonly type: FunctionType
  /** Types of the registers after the parameters. */
  readonly locals: readonly ValueType[]
  /** Instructions with the closing `end`. */
  readonly code: Uint8Array
  readonly relocations: readonly Relocation[]
}

export interface ImportedFunction {
  readonly name: string
  readonly type: FunctionType
}

export interface GlobalVariable {
  readonly name: string
  readonly type: typeof ValueType.i32 | typeof ValueType.i64
  readonly start: number
}

export interface ModuleContent {
  /** Imported from module `host`, in this order. */
  readonly imports: readonly ImportedFunction[]
  readonly functions: readonly CompiledFunction[]
  /** Exported under their names. */
  readonly globals: readonly GlobalVariable[]
  /** Names of functions that are exported. */
  readonly exports: readonly string[]
  /** Addresses of data by symbol. */
  readonly addresses: ReadonlyMap<string, number>
  /** Shared memory, imported as `host.memory`. */
  readonly memoryPages: number
}

const magic = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00)
/** Functions whose bodies are one part of a module. */
const functionsInPart = 100
const Section = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const

/**
 * Everything that depends on all functions together, but not on their code: it stays valid when the same functions get
 * other code.
 */
export class ModuleFrame {
  /** All bytes before the code. */
  readonly #head: Uint8Array
  readonly #functionIndex: ReadonlyMap<string, number>
  readonly #globalIndex: ReadonlyMap<string, number>
  readonly #addresses: ReadonlyMap<string, number>
  /** Values by the symbol of a relocation. */
  readonly #values = new Map<string, number>()
  /** Bodies with their relocations filled in. */
  readonly #bodies = new WeakMap<CompiledFunction, Uint8Array>()
  /** Of the last module. */
  #bodyGroups: Grouped<CompiledFunction> | undefined

  constructor(parts: ModuleContent) {
    const functionIndex = new Map<string, number>()
    for (const { name } of [...parts.imports, ...parts.functions]) functionIndex.set(name, functionIndex.size)
    this.#functionIndex = functionIndex
    this.#globalIndex = new Map(parts.globals.map(({ name }, i) => [name, i]))
    this.#addresses = parts.addresses
    this.#head = headOf(parts, functionIndex)
  }

  /**
   * Returns the bytes of the module in parts. Parts that are as in the last module are the same objects.
   * @param functions functions with the same names and types as those of the frame, in the same order
   * @throws Error when a relocation names an unknown symbol: a mistake of the code generator
   */
  module(functions: readonly CompiledFunction[]): readonly Uint8Array[] {
    const bodiesOf = (group: readonly CompiledFunction[]) => Buffer.concat(group.map((one) => this.#bodyOf(one)))
    this.#bodyGroups = grouped(functions, functionsInPart, bodiesOf, this.#bodyGroups)
    const { groups } = this.#bodyGroups
    const codeSize = groups.reduce((sum, { length }) => sum + length, unsignedLength(functions.length))
    const begin = new Uint8Array(1 + unsignedLength(codeSize) + unsignedLength(functions.length))
    begin[0] = Section.code
    writeUnsigned(begin, writeUnsigned(begin, 1, codeSize), functions.length)
    return [this.#head, begin, ...groups]
  }

  #bodyOf(one: CompiledFunction): Uint8Array {
    const known = this.#bodies.get(one)
    if (known) return known
    const { name, locals, code, relocations } = one
    const runs: { type: ValueType; count: number }[] = []
    for (const type of locals) {
      const last = runs.at(-1)
      if (last?.type === type) last.count++
      else runs.push({ type, count: 1 })
    }
    const runsSize = runs.reduce((sum, { count }) => sum + unsignedLength(count) + 1, unsignedLength(runs.length))
    const size = runsSize + code.length
    const body = new Uint8Array(unsignedLength(size) + size)
    let at = writeUnsigned(body, 0, size)
    at = writeUnsigned(body, at, runs.length)
    for (const { type, count } of runs) {
      at = writeUnsigned(body, at, count)
      body[at++] = type
    }
    body.set(code, at)
    for (const { at: place, kind, symbol, addend } of relocations)
      patch(body, at + place, this.#valueOf(symbol, name) + addend, kind === 'constant')
    this.#bodies.set(one, body)
    return body
  }

  #valueOf(symbol: string, user: string): number {
    const known = this.#values.get(symbol)
    if (known !== undefined) return known
    const value = this.#resolve(symbol)
    if (value === undefined) throw new Error(`"${user}" needs ${symbol}, which is not in the module`)
    this.#values.set(symbol, value)
    return value
  }

  #resolve(symbol: string): number | undefined {
    const colon = symbol.indexOf(':')
    const name = symbol.slice(colon + 1)
    switch (symbol.slice(0, colon)) {
      case 'function':
        return this.#functionIndex.get(name)
      case 'global':
        return this.#globalIndex.get(name)
      default:
        return this.#addresses.get(name)
    }
  }
}

/**
 * Returns the bytes of the module.
 * @throws Error when a relocation names an unknown symbol: a mistake of the code generator
 */
export function writeModule(parts: ModuleContent): Uint8Array<ArrayBuffer> {
  return Buffer.concat(new ModuleFrame(parts).module(parts.functions))
}

/** Everything up to the code. */
function headOf(parts: ModuleContent, functionIndex: ReadonlyMap<string, number>): Uint8Array {
  const types = new TypeTable()
  const typeOf = [...parts.imports, ...parts.functions].map(({ type }) => types.indexOf(type))

  const module = new CodeBuffer()
  module.append(magic)
  section(module, Section.type, (out) => types.write(out))
  section(module, Section.import, (out) => {
    out.unsigned(parts.imports.length + 1)
    for (const [i, { name }] of parts.imports.entries()) {
      out.name('host')
      out.name(name)
      out.byte(0x00)
      out.unsigned(typeOf[i] as number)
    }
    out.name('host')
    out.name('memory')
    out.byte(0x02)
    out.byte(0x03)
    out.unsigned(parts.memoryPages)
    out.unsigned(parts.memoryPages)
  })
  section(module, Section.function, (out) => {
    out.unsigned(parts.functions.length)
    for (let i = 0; i < parts.functions.length; i++) out.unsigned(typeOf[parts.imports.length + i] as number)
  })
  section(module, Section.global, (out) => {
    out.unsigned(parts.globals.length)
    for (const { type, start } of parts.globals) {
      out.byte(type)
      out.byte(0x01)
      out.byte(type === ValueType.i64 ? Op.i64Const : Op.i32Const)
      if (type === ValueType.i64) out.signed(BigInt(start))
      else out.signed32(start)
      out.byte(Op.end)
    }
  })
  section(module, Section.export, (out) => {
    out.unsigned(parts.exports.length + parts.globals.length)
    for (const name of parts.exports) {
      out.name(name)
      out.byte(0x00)
      out.unsigned(functionIndex.get(name) as number)
    }
    for (const [i, { name }] of parts.globals.entries()) {
      out.name(name)
      out.byte(0x03)
      out.unsigned(i)
    }
  })
  return module.bytes()
}

function section(module: CodeBuffer, id: number, write: (out: CodeBuffer) => void): void {
  const content = new CodeBuffer()
  write(content)
  module.byte(id)
  module.unsigned(content.length)
  module.append(content.bytes())
}

/** Function types, each once. */
class TypeTable {
  readonly #indices = new Map<string, number>()
  readonly #types: FunctionType[] = []

  indexOf(type: FunctionType): number {
    const key = `${type.parameters.join()}>${type.results.join()}`
    const known = this.#indices.get(key)
    if (known !== undefined) return known
    this.#indices.set(key, this.#types.length)
    return this.#types.push(type) - 1
  }

  write(out: CodeBuffer): void {
    out.unsigned(this.#types.length)
    for (const { parameters, results } of this.#types) {
      out.byte(0x60)
      for (const list of [parameters, results]) {
        out.unsigned(list.length)
        for (const type of list) out.byte(type)
      }
    }
  }
}
