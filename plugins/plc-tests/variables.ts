/** Variables of a compiled program for tests: names and values as those of virtual controllers. */
import type { CompiledProgram } from '../../plc/compiler/put-together.ts'
import type { TestValue } from '../../plc/program-tests/model.ts'
import type { FindVariable, TestVariable } from '../../plc/program-tests/variables.ts'
import { type ResolvedTag, readValue, resolveTag, writeValue } from '../simulation/index.ts'

/**
 * Makes what finds variables by name (`"Data".speed`, `Start`) or address (`%M0.0`).
 * @param added names of data blocks in lower case that are found by their quoted names, and that no hint names
 */
export function variablesOf(compiled: CompiledProgram, added: ReadonlySet<string> = new Set()): FindVariable {
  const loaded = (one: CompiledProgram) => ({
    ...{ hash: '', package: { hash: '', manifest: '' } },
    compiled: one,
    symbols: one.symbols,
  })
  const isAdded = (name: string) => added.has(name.toLowerCase())
  const dataBlocks = compiled.symbols.dataBlocks.filter(({ name }) => !isAdded(name))
  const whole = loaded(compiled)
  const told = loaded({ ...compiled, symbols: { ...compiled.symbols, dataBlocks } })
  return (path) => variableOf(resolveTag(isAdded(/^"([^"]+)"/.exec(path)?.[1] ?? '') ? whole : told, path))
}

function variableOf(tag: ResolvedTag): TestVariable {
  const { address, size, writeAddress, dataType } = tag
  const valueIn = (bytes: Uint8Array, clock: bigint) => readValue(tag, bytes, clock) as TestValue
  const put = (bytes: Uint8Array, value: TestValue, offset: number) => {
    for (const { address: at, bytes: part, mask } of writeValue(tag, value)) {
      const to = at - offset
      if (mask === undefined) bytes.set(part, to)
      else bytes[to] = ((bytes[to] ?? 0) & ~mask) | ((part[0] ?? 0) & mask)
    }
  }
  return {
    dataType,
    bytesOf: (memory) => memory.slice(address, address + size),
    valueIn,
    read: (memory, clock) => valueIn(memory.slice(address, address + size), clock),
    write(memory, value) {
      put(memory, value, 0)
      // An input has its value at once, and the process image keeps it.
      if (writeAddress !== address) put(memory, value, writeAddress - address)
    },
    asWritten(memory, value, clock) {
      const bytes = memory.slice(address, address + size)
      put(bytes, value, writeAddress)
      return valueIn(bytes, clock)
    },
  }
}
