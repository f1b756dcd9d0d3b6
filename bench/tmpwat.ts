import { readFileSync, writeFileSync } from 'node:fs'
import { compileBlock } from '../plc/compiler/codegen/function.ts'
import { link } from '../plc/compiler/codegen/link.ts'
import { lowerBlock } from '../plc/compiler/lower/lower-block.ts'
import { readSource } from '../plc/formats/source/read.ts'
import { linkProgram } from '../plc/program/link-program.ts'
import { startImage } from '../plc/program/memory-image.ts'
const { blocks } = readSource(`${readFileSync(process.argv[2]!, 'utf8')}\nDATA_BLOCK "Data"\n"Bench"\nBEGIN\nEND_DATA_BLOCK\n`)
const program = linkProgram(blocks.map(({ object }) => ({ object })))
const compiled = [...program.blocks.values()].filter(({ kind }) => kind === 'FB' || kind === 'FC').map((block) => ({ name: block.name, compiled: compileBlock(lowerBlock(program, block).code!) }))
const image = startImage(program.blocks.get('data')!, program)
const linked = link({ blocks: compiled, dataBlocks: [{ name: 'Data', size: image.length }] })
writeFileSync('/tmp/ctrlwalk/out.wasm', Buffer.concat(linked.wasm))
const wabt = await ((await import('/tmp/ctrlwalk/wabt/node_modules/wabt/index.js' as string)).default)()
const raw = readFileSync('/tmp/ctrlwalk/out.wasm'); const parts = [raw.subarray(0, 8)]; let at = 8
while (at < raw.length) { const begin = at; const id = raw[at++]; let size = 0, shift = 0, b; do { b = raw[at++]!; size |= (b & 127) << shift; shift += 7 } while (b & 128); at += size; if (id !== 0) parts.push(raw.subarray(begin, at)) }
const m = wabt.readWasm(new Uint8Array(Buffer.concat(parts)), { readDebugNames: false, extended_const: true, threads: true, simd: true, bulk_memory: true, sign_extension: true } as never)
console.log(m.toText({ foldExprs: true, inlineExport: false }))
