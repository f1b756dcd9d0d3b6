/**
 * Retentive data of a controller on its memory card: flags from MB0 on and the retentive members of data blocks, found again by block name and
 * layout. One file: a line of JSON that says what follows, then the bytes.
 */
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkedProgram } from '../../blocks/codegen/link.ts'
import type { ProgramSymbols } from '../../blocks/index.ts'
import type { MemoryRange } from './contract.ts'
import { readIfThere, replaceFile } from './files.ts'

/** Of a program, what is looked at. */
export interface RetentiveProgram {
  readonly linked: Pick<LinkedProgram, 'areas' | 'dataBlocks'>
  readonly symbols: Pick<ProgramSymbols, 'dataBlocks'>
}

interface Head {
  readonly format: 1
  readonly checksum: string
  /** Flag bytes. */
  readonly flags: number
  readonly blocks: readonly { readonly name: string; readonly layout: string; readonly size: number }[]
}

const newLine = 10

/** Where the retentive data of a program stand: flags first, then block after block. */
export function retentiveRanges({ linked, symbols }: RetentiveProgram, flags: number): MemoryRange[] {
  const size = Math.min(flags, linked.areas.M.size)
  const ranges: MemoryRange[] = size > 0 ? [{ address: linked.areas.M.address, size }] : []
  for (const block of symbols.dataBlocks) {
    const address = linked.dataBlocks.get(block.name.toLowerCase())?.address
    if (address === undefined) continue
    for (const [byte, length] of block.retentive) ranges.push({ address: address + byte, size: length })
  }
  return ranges
}

export class RetentiveFile {
  readonly #folder: string
  #last = ''

  constructor(folder: string) {
    this.#folder = folder
  }

  get #path(): string {
    return join(this.#folder, 'retentive.bin')
  }

  /** Writes the bytes of `retentiveRanges` when they have changed since the last time. */
  async write(
    program: RetentiveProgram,
    flags: number,
    bytes: readonly Uint8Array[],
    isDurable: boolean,
  ): Promise<void> {
    const all = Buffer.concat(bytes)
    const checksum = createHash('sha256').update(all).digest('hex')
    const head: Head = {
      format: 1,
      checksum,
      flags: Math.min(flags, program.linked.areas.M.size),
      blocks: program.symbols.dataBlocks
        .filter(({ retentive }) => retentive.length > 0)
        .map(({ name, layout, retentive }) => ({
          name,
          layout,
          size: retentive.reduce((sum, [, size]) => sum + size, 0),
        })),
    }
    const line = `${JSON.stringify(head)}\n`
    if (line === this.#last && !isDurable) return
    await mkdir(this.#folder, { recursive: true })
    await replaceFile(this.#path, Buffer.concat([Buffer.from(line), all]), isDurable)
    this.#last = line
  }

  /**
   * Puts what was kept into the memory of a program. Blocks with another layout are left alone.
   * @returns false when the file is damaged: nothing was put
   */
  async restore(program: RetentiveProgram, flags: number, memory: Uint8Array): Promise<boolean> {
    const file = await readIfThere(this.#path)
    if (file === undefined) return true
    const end = file.indexOf(newLine)
    const head = end < 0 ? undefined : headOf(file.subarray(0, end))
    const data = file.subarray(end + 1)
    if (!head || createHash('sha256').update(data).digest('hex') !== head.checksum) return false
    const { M } = program.linked.areas
    memory.set(data.subarray(0, Math.min(head.flags, flags, M.size)), M.address)
    const blocks = new Map(program.symbols.dataBlocks.map((block) => [block.name.toLowerCase(), block]))
    let at = head.flags
    for (const { name, layout, size } of head.blocks) {
      const block = blocks.get(name.toLowerCase())
      const address = program.linked.dataBlocks.get(name.toLowerCase())?.address
      let from = at
      at += size
      if (block?.layout !== layout || address === undefined) continue
      for (const [byte, length] of block.retentive) {
        memory.set(data.subarray(from, Math.min(from + length, at)), address + byte)
        from += length
      }
    }
    return true
  }
}

function headOf(line: Uint8Array): Head | undefined {
  try {
    const head = JSON.parse(Buffer.from(line).toString('utf8')) as Head
    return head.format === 1 && Array.isArray(head.blocks) && Number.isInteger(head.flags) ? head : undefined
  } catch {
    return undefined
  }
}
