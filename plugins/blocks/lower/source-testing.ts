/** Sources through reader, linker, lowering and generator to a host, for tests. */
import assert from 'node:assert/strict'
import { compileBlock } from '../codegen/function.ts'
import { link } from '../codegen/link.ts'
import { linkProgram } from '../program/link-program.ts'
import { startImage } from '../program/memory-image.ts'
import { symbolsOfBlock } from '../program/symbol-table.ts'
import { VirtualClock } from '../runtime/clock.ts'
import { createHost } from '../runtime/host.ts'
import { readSource } from '../source/read.ts'
import { lowerBlock } from './lower-block.ts'

/** A program with an FB `Main` and its instance `Main_DB`. */
export function runSource(source: string) {
  const { blocks, faults } = readSource(`${source}\nDATA_BLOCK "Main_DB"\n"Main"\nBEGIN\nEND_DATA_BLOCK\n`)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
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
  const host = createHost(linked, {
    clock: new VirtualClock(),
    onFault: (block) => faultsSeen.push(block),
    onLongLoop: () => {
      throw new Error('endless')
    },
  })
  const addressOf = (name: string) => linked.dataBlocks.get(name.toLowerCase())?.address ?? 0
  for (const { block, bytes } of images) new Uint8Array(host.memory.buffer).set(bytes, addressOf(block.name))
  return {
    faults: faultsSeen,
    scan: () => host.run('Main', addressOf('Main_DB')),
    /** A member by its path, as a number, or a text. */
    get(path: string, of = 'Main_DB'): unknown {
      const block = program.blocks.get(of.toLowerCase())
      assert.ok(block)
      for (const symbol of symbolsOfBlock(block)) {
        if (symbol.name !== path && symbol.name !== `${of}.${path}` && symbol.name !== `"${of}".${path}`) continue
        const at = addressOf(of) + symbol.byte
        const { view } = host
        const isLittle = block.access === 'optimized'
        const { type } = symbol
        if (type.kind === 'string') {
          const length = view.getUint8(at + 1)
          return Buffer.from(new Uint8Array(view.buffer, at + 2, length)).toString('latin1')
        }
        assert.ok(type.kind === 'scalar', path)
        if (type.bits === 1) return isLittle ? view.getUint8(at) : (view.getUint8(at) >> (symbol.bit ?? 0)) & 1
        if (type.family === 'real')
          return type.bits === 32 ? view.getFloat32(at, isLittle) : view.getFloat64(at, isLittle)
        if (type.bits === 64)
          return Number(type.isSigned ? view.getBigInt64(at, isLittle) : view.getBigUint64(at, isLittle))
        if (type.bits === 32) return type.isSigned ? view.getInt32(at, isLittle) : view.getUint32(at, isLittle)
        if (type.bits === 16) return type.isSigned ? view.getInt16(at, isLittle) : view.getUint16(at, isLittle)
        return type.isSigned ? view.getInt8(at) : view.getUint8(at)
      }
      throw new Error(`no member ${path}: ${[...symbolsOfBlock(block)].map(({ name }) => name).join(' ')}`)
    },
  }
}

/** What linking and lowering object to. */
export function diagnosticsOf(source: string) {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  return [
    ...program.diagnostics,
    ...[...program.blocks.values()].flatMap((one) => lowerBlock(program, one).diagnostics),
  ]
}
