/** Puts functions, data and imports together into a WebAssembly module (Core Specification 2.0, 5.5), and fills in what was left open. */
import { CodeBuffer, patch, type Relocation } from './code-buffer.ts'
import { Op, ValueType } from './opcodes.ts'

export interface FunctionType {
  readonly parameters: readonly ValueType[]
  readonly results: readonly ValueType[]
}

/** A function that is finished but for its relocations. */
export interface CompiledFunction {
  readonly name: string
  readonly type: FunctionType
  /** Registers behind the parameters. */
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

export interface ModuleParts {
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
const Section = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const

/**
 * The bytes of the module.
 * @throws Error when a relocation names nothing: a mistake of the code generator
 */
export function writeModule(parts: ModuleParts): Uint8Array {
  const types = new TypeTable()
  const functionIndex = new Map<string, number>()
  for (const { name } of [...parts.imports, ...parts.functions]) functionIndex.set(name, functionIndex.size)
  const globalIndex = new Map(parts.globals.map(({ name }, i) => [name, i]))
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
  section(module, Section.code, (out) => {
    out.unsigned(parts.functions.length)
    for (const one of parts.functions) writeBody(out, one, { functionIndex, globalIndex, addresses: parts.addresses })
  })
  return module.bytes()
}

interface Symbols {
  readonly functionIndex: ReadonlyMap<string, number>
  readonly globalIndex: ReadonlyMap<string, number>
  readonly addresses: ReadonlyMap<string, number>
}

function writeBody(out: CodeBuffer, { name, locals, code, relocations }: CompiledFunction, symbols: Symbols): void {
  const head = new CodeBuffer()
  const runs: { type: ValueType; count: number }[] = []
  for (const type of locals) {
    const last = runs.at(-1)
    if (last?.type === type) last.count++
    else runs.push({ type, count: 1 })
  }
  head.unsigned(runs.length)
  for (const { type, count } of runs) {
    head.unsigned(count)
    head.byte(type)
  }
  const linked = code.slice()
  for (const { at, kind, symbol, addend } of relocations) {
    const value = resolve(symbol, symbols)
    if (value === undefined) throw new Error(`"${name}" needs ${symbol}, which is not in the module`)
    patch(linked, at, value + addend, kind === 'constant')
  }
  out.unsigned(head.length + linked.length)
  out.append(head.bytes())
  out.append(linked)
}

function resolve(symbol: string, { functionIndex, globalIndex, addresses }: Symbols): number | undefined {
  const colon = symbol.indexOf(':')
  const name = symbol.slice(colon + 1)
  switch (symbol.slice(0, colon)) {
    case 'function':
      return functionIndex.get(name)
    case 'global':
      return globalIndex.get(name)
    default:
      return addresses.get(name)
  }
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
