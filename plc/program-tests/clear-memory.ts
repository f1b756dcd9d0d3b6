/**
 * Clears the memory of a program by WebAssembly's own instruction: engines fill shared memory from JavaScript byte by
 * byte, fifty times slower, and every case begins with it.
 */
import { FunctionEmitter } from '../compiler/codegen/emitter.ts'
import { ModuleFrame } from '../compiler/wasm/module.ts'
import { ValueType } from '../compiler/wasm/opcodes.ts'

const type = { parameters: [ValueType.i32], results: [] }

/** Returns what fills the first bytes of a memory of so many pages with zeros. */
export function memoryClearer(memory: WebAssembly.Memory, pages: number): (size: number) => void {
  const out = new FunctionEmitter(type.parameters, [])
  out.i32(0)
  out.i32(0)
  out.get(0)
  out.memoryFill()
  const code = out.finish()
  const clear = { name: 'clear', type, locals: out.locals, code, relocations: out.relocations }
  const frame = new ModuleFrame({
    ...{ imports: [], functions: [clear], globals: [], exports: ['clear'] },
    ...{ addresses: new Map(), memoryPages: pages },
  })
  const module = new WebAssembly.Module(Buffer.concat(frame.module([clear])))
  return new WebAssembly.Instance(module, { host: { memory } }).exports.clear as (size: number) => void
}
