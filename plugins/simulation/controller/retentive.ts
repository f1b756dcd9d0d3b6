/**
 * Retentive data of a controller on its memory card: flags from MB0 on and the retentive members of data blocks,
 * identified by block name and layout. One file: a line of JSON that describes the content, then the bytes.
 */

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { ProgramSymbols } from '../../../plc/program/program-symbols.ts'
import type { MemoryRange } from './contract.ts'
import { readIfThere, replaceFile } from './files.ts'

/** The parts of a program that this module uses. */
export interface RetentiveProgram {
  readonly linked: Pick<LinkedProgram, 'areas' | 'dataBlocks'>
  readonly symbols: Pick<ProgramSymbols, 'dataBlocks'>
}

/** The places of a program's retentive data. */
export interface RetentiveLayout {
  /** Flags first, then each block. */
  readonly ranges: readonly MemoryRange[]
  /** Number of flag bytes. */
  readonly flags: number
  readonly blocks: readonly KeptBlock[]
}

interface KeptBlock {
  readonly name: string
  readonly layout: string
  readonly size: number
}

interface Head {
  readonly format: 1
  readonly checksum: string
  readonly flags: number
  readonly blocks: readonly KeptBlock[]
}

const newLine = 10

/**
 * Returns the layout of a program's retentive data.
 * @param flagBytes number of retentive flag bytes from MB0 on
 */
export function retentiveLayout({ linked, symbols }: RetentiveProgram, flagBytes: number): RetentiveLayout {
  const flags = Math.min(flagBytes, linked.areas.M.size)
  const ranges: MemoryRange[] = flags > 0 ? [{ address: linked.areas.M.address, size: flags }] : []
  const blocks: KeptBlock[] = []
  for (const { name, layout, retentive } of symbols.dataBlocks) {
    const address = linked.dataBlocks.get(name.toLowerCase())?.address
    if (address === undefined || retentive.length === 0) continue
    for (const [byte, length] of retentive) ranges.push({ address: address + byte, size: length })
    blocks.push({ name, layout, size: retentive.reduce((sum, [, size]) => sum + size, 0) })
  }
  return { ranges, flags, blocks }
}

/** The file with the retentive data of one controller. */
export class RetentiveFile {
  readonly #folder: string
  #last: { readonly layout: RetentiveLayout; readonly bytes: Uint8Array } | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  get #path(): string {
    return join(this.#folder, 'retentive.bin')
  }

  /**
   * Writes the content of the ranges of `layout`, one after the other, when it has changed since the last time.
   * @param isDurable true: writes in any case, and waits until the data are on the disk
   */
  async write(layout: RetentiveLayout, bytes: Uint8Array, isDurable: boolean): Promise<void> {
    const isSame = this.#last?.layout === layout && Buffer.compare(this.#last.bytes, bytes) === 0
    if (isSame && !isDurable) return
    const { flags, blocks } = layout
    const head: Head = { format: 1, checksum: checksumOf(bytes), flags, blocks }
    await mkdir(this.#folder, { recursive: true })
    await replaceFile(this.#path, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]), isDurable)
    this.#last = { layout, bytes }
  }

  /**
   * Copies the saved data into the memory of a program. Blocks with a different layout are not changed.
   * @returns false when the file is damaged; then nothing is copied
   */
  async restore(program: RetentiveProgram, flags: number, memory: Uint8Array): Promise<boolean> {
    const file = await readIfThere(this.#path)
    if (file === undefined) return true
    const end = file.indexOf(newLine)
    const head = end < 0 ? undefined : headOf(file.subarray(0, end))
    const data = file.subarray(end + 1)
    if (!head || checksumOf(data) !== head.checksum) return false
    if (head.blocks.reduce((sum, { size }) => sum + size, head.flags) !== data.length) return false
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

function checksumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function headOf(line: Uint8Array): Head | undefined {
  try {
    const head = JSON.parse(Buffer.from(line).toString('utf8')) as Head
    const isSize = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
    const isRight =
      head.format === 1 &&
      isSize(head.flags) &&
      head.blocks.every(
        ({ name, layout, size }) => typeof name === 'string' && typeof layout === 'string' && isSize(size),
      )
    return isRight ? head : undefined
  } catch {
    return undefined
  }
}
