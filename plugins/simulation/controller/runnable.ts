/** From a package to a program that the controller's thread can run. Modules are compiled beside the event loop, and the scan does not wait for it either. */
import { problem } from '../../../core/index.ts'
import { type ProgramSymbols, runtimeTools } from '../../blocks/index.ts'
import type { LoadedProgram, LoadPackage } from './contract.ts'
import type { RunnableProgram } from './messages.ts'
import { planOrganizationBlocks } from './organization-blocks.ts'
import { retentiveRanges } from './retentive.ts'

/**
 * Reads the program of a package.
 * @throws GatewayError `unacceptable_content` when a part is missing or is not what its hash says, or was made by another version
 */
export async function readPackage({ hash, manifest, program, blobs }: LoadPackage): Promise<LoadedProgram> {
  const { blobHash, decodeProgram } = await runtimeTools()
  const compiled = await decodeProgram(program, async (name) => {
    const bytes = blobs.get(name)
    if (bytes === undefined) throw problem('unacceptable_content', `The package names ${name}, which is not in it.`)
    if (blobHash(bytes) !== name)
      throw problem('unacceptable_content', `The content of ${name} in the package has another hash.`)
    return bytes
  })
  return { hash: program, package: { hash, manifest }, compiled, symbols: compiled.symbols }
}

/** Compiles the module and puts start values into new memory. */
export async function makeRunnable({ compiled, symbols }: LoadedProgram): Promise<RunnableProgram> {
  const { wasm, ...linked } = compiled.linked
  const module = await WebAssembly.compile(wasm)
  const memory = new WebAssembly.Memory({ initial: linked.pages, maximum: linked.pages, shared: true })
  const bytes = new Uint8Array(memory.buffer)
  for (const part of [...linked.constants, ...compiled.image]) bytes.set(part.bytes, part.address)
  return {
    linked,
    module,
    memory,
    image: compiled.image,
    dataBlocks: symbols.dataBlocks.flatMap((block) => {
      const place = linked.dataBlocks.get(block.name.toLowerCase())
      if (!place) return []
      const retentive = block.retentive.map(([byte, size]) => [place.address + byte, size] as const)
      return [{ ...place, retentive }]
    }),
    organizationBlocks: planOrganizationBlocks(symbols, compiled.linked),
    numbers: numbersOf(compiled.linked.dataBlocks, symbols),
  }
}

function numbersOf(places: LoadedProgram['compiled']['linked']['dataBlocks'], symbols: ProgramSymbols) {
  return new Map(
    symbols.dataBlocks.flatMap(({ name, number, access }) => {
      const place = places.get(name.toLowerCase())
      return place ? [[number, { ...place, access }] as const] : []
    }),
  )
}

/** Ranges of a loaded program whose values survive power-off. */
export function retentiveRangesOf({ compiled: { linked }, symbols }: LoadedProgram, flags: number) {
  return retentiveRanges({ linked, symbols }, flags)
}
