/** Takes sources through reader, linker, lowering and generator to a host, for tests. */
import assert from 'node:assert/strict'
import { compileBlock } from '../compiler/codegen/function.ts'
import { link } from '../compiler/codegen/link.ts'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import { readSource } from '../formats/source/read.ts'
import type { CpuFamily } from '../program/cpu-family.ts'
import { linkProgram } from '../program/link-program.ts'
import { startImage } from '../program/memory-image.ts'
import { programSymbols } from '../program/program-symbols-of.ts'
import { type SymbolRow, symbolsOfBlock } from '../program/symbol-rows.ts'
import { VirtualClock } from '../runtime/clock.ts'
import { createHost, type HostOptions } from '../runtime/host.ts'
import { functionBlocksThatAsk, instanceKey } from '../runtime/instance-names.ts'
import { instancePaths, numberedBlocks } from '../runtime/numbered-blocks.ts'

/** Runs a program with an FB `Main` and its instance `Main_DB`. @param family of its CPU, where a device says it */
export function runSource(
  source: string,
  parts: Pick<
    HostOptions,
    'network' | 'alarms' | 'hasOrganizationBlock' | 'cycleTimes' | 'hardware' | 'startedBlocks'
  > = {},
  family?: CpuFamily,
) {
  const { blocks, faults } = readSource(`${source}\nDATA_BLOCK "Main_DB"\n"Main"\nBEGIN\nEND_DATA_BLOCK\n`)
  assert.deepEqual(faults, [])
  const program = linkProgram(
    blocks.map(({ object }) => ({ object })),
    [],
    family,
  )
  const all = [...program.blocks.values()]
  const compiled = all
    .filter(({ kind }) => !kind.endsWith('DB'))
    .map((block) => {
      const { code, diagnostics } = lowerBlock(program, block)
      assert.ok(code, JSON.stringify(diagnostics))
      return { name: block.name, compiled: compileBlock(code) }
    })
  const images = all
    .filter(({ kind }) => kind.endsWith('DB'))
    .map((block) => ({ block, bytes: startImage(block, program) }))
  const linked = link({
    blocks: compiled,
    dataBlocks: images.map(({ block, bytes }) => ({ name: block.name, size: bytes.length })),
  })
  const faultsSeen: string[] = []
  const clock = new VirtualClock()
  const table = programSymbols(program, () => undefined)
  const numbers = numberedBlocks(table, linked.dataBlocks)
  const paths = instancePaths(table, linked.dataBlocks, functionBlocksThatAsk(linked))
  const host = createHost(linked, {
    clock,
    ...parts,
    blockOfNumber: (number) => numbers.get(number),
    instancePath: (functionBlock, address) => paths.get(instanceKey(functionBlock, address)),
    onFault: (block, _site, _fault, isMasked) => isMasked || faultsSeen.push(block),
    onLook: () => {
      throw new Error('endless')
    },
  })
  const rowsOf = (of: string) => {
    const block = table.dataBlocks.find(({ name }) => name.toLowerCase() === of.toLowerCase())
    assert.ok(block, of)
    return symbolsOfBlock(table, block, { expandsArrays: true })
  }
  const addressOf = (name: string) => linked.dataBlocks.get(name.toLowerCase())?.address ?? 0
  for (const { block, bytes } of images) new Uint8Array(host.memory.buffer).set(bytes, addressOf(block.name))
  /** Every member of a data block by its name. */
  const symbols = new Map<string, ReadonlyMap<string, SymbolRow>>()
  const symbolAt = (path: string, of: string) => {
    const known = symbols.get(of) ?? new Map([...rowsOf(of)].map((symbol) => [symbol.name, symbol]))
    symbols.set(of, known)
    const symbol = known.get(path) ?? known.get(`${of}.${path}`) ?? known.get(`"${of}".${path}`)
    if (!symbol) throw new Error(`no member ${path}: ${[...known.keys()].join(' ')}`)
    return { symbol, at: addressOf(of) + symbol.byte, isLittle: symbol.access === 'optimized' }
  }
  return {
    faults: faultsSeen,
    clock,
    /** Memory of the program and its areas. */
    memory: { bytes: new Uint8Array(host.memory.buffer), areas: linked.areas },
    scan: () => host.run('Main', addressOf('Main_DB')),
    /** The pattern of a scalar member. */
    bits(path: string, of = 'Main_DB'): bigint {
      const { symbol, at, isLittle } = symbolAt(path, of)
      assert.ok(symbol.type.kind === 'scalar', path)
      const { bits } = symbol.type.scalar
      if (bits === 1) return BigInt((host.view.getUint8(at) >> (isLittle ? 0 : (symbol.bit ?? 0))) & 1)
      const bytes = Array.from({ length: bits / 8 }, (_one, i) => host.view.getUint8(at + i))
      return (isLittle ? bytes.reverse() : bytes).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
    },
    setBits(path: string, value: bigint, of = 'Main_DB'): void {
      const { symbol, at, isLittle } = symbolAt(path, of)
      assert.ok(symbol.type.kind === 'scalar', path)
      const { bits } = symbol.type.scalar
      if (bits === 1) {
        const mask = 1 << (isLittle ? 0 : (symbol.bit ?? 0))
        const old = host.view.getUint8(at)
        host.view.setUint8(at, value ? old | mask : old & ~mask)
        return
      }
      const size = bits / 8
      for (let i = 0; i < size; i++)
        host.view.setUint8(at + (isLittle ? i : size - 1 - i), Number((value >> BigInt(8 * i)) & 255n))
    },
    /** Writes a scalar member: a number or, for Bool, also true and false. */
    set(path: string, value: number | boolean, of = 'Main_DB'): void {
      const { symbol } = symbolAt(path, of)
      assert.ok(symbol.type.kind === 'scalar', path)
      const { bits, family } = symbol.type.scalar
      assert.ok(
        family === 'real' || Number.isInteger(Number(value)),
        `${path} is a ${symbol.type.scalar.name}, not ${value}`,
      )
      const bytes = new DataView(new ArrayBuffer(8))
      if (family !== 'real') bytes.setBigUint64(0, BigInt.asUintN(bits, BigInt(value)))
      else if (bits === 32) bytes.setFloat32(4, Number(value))
      else bytes.setFloat64(0, Number(value))
      this.setBits(path, bytes.getBigUint64(0), of)
    },
    /** A member by its path, as a number or a text. */
    get(path: string, of = 'Main_DB'): unknown {
      const { symbol, at, isLittle } = symbolAt(path, of)
      const { view } = host
      if (symbol.type.kind === 'string' && symbol.type.string.isWide) {
        const length = view.getUint16(at + 2, isLittle)
        return String.fromCharCode(...Array.from({ length }, (_one, i) => view.getUint16(at + 4 + 2 * i, isLittle)))
      }
      if (symbol.type.kind === 'string') {
        const length = view.getUint8(at + 1)
        return Buffer.from(new Uint8Array(view.buffer, at + 2, length)).toString('latin1')
      }
      assert.ok(symbol.type.kind === 'scalar', path)
      const type = symbol.type.scalar
      if (type.bits === 1) return isLittle ? view.getUint8(at) : (view.getUint8(at) >> (symbol.bit ?? 0)) & 1
      if (type.family === 'real')
        return type.bits === 32 ? view.getFloat32(at, isLittle) : view.getFloat64(at, isLittle)
      if (type.bits === 64)
        return Number(type.isSigned ? view.getBigInt64(at, isLittle) : view.getBigUint64(at, isLittle))
      if (type.bits === 32) return type.isSigned ? view.getInt32(at, isLittle) : view.getUint32(at, isLittle)
      if (type.bits === 16) return type.isSigned ? view.getInt16(at, isLittle) : view.getUint16(at, isLittle)
      return type.isSigned ? view.getInt8(at) : view.getUint8(at)
    },
  }
}

/** Returns the diagnostics of linking and lowering. @param family of the CPU, where a device says it */
export function diagnosticsOf(source: string, family?: CpuFamily) {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(
    blocks.map(({ object }) => ({ object })),
    [],
    family,
  )
  return [
    ...program.diagnostics,
    ...[...program.blocks.values()].flatMap((one) => lowerBlock(program, one).diagnostics),
  ]
}
