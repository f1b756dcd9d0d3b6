/**
 * Forces on the memory card: as in an S7-1500 they survive power-off and loads until they are removed. They are stored
 * by operand, because the process images of another program may have other addresses in memory.
 */
import { join } from 'node:path'
import { defined } from '../../../core/index.ts'
import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { Force } from './contract.ts'
import { readIfThere, replaceFile } from './files.ts'

type Areas = LinkedProgram['areas']
const areaNames = ['I', 'Q', 'PI', 'PQ'] as const

/** A force as stored in the file. */
interface KeptForce {
  readonly key: string
  readonly area: (typeof areaNames)[number]
  readonly byte: number
  /** The forced bytes, in hexadecimal. */
  readonly bytes: string
  readonly mask?: number
}

/** The forces stored on the memory card of one controller. */
export class KeptForces {
  readonly #path: string
  #forces: readonly KeptForce[] = []
  #writing: Promise<unknown> = Promise.resolve()

  /** @param storage folder of the memory card */
  constructor(storage: string) {
    this.#path = join(storage, 'forces.json')
  }

  /** Reads the file. Returns false when it is damaged; then there are no forces. */
  async read(): Promise<boolean> {
    await this.#writing
    this.#forces = []
    const file = await readIfThere(this.#path)
    if (file === undefined) return true
    const forces = parsed(Buffer.from(file).toString('utf8'))
    this.#forces = forces ?? []
    return forces !== undefined
  }

  /** Returns the forces for the memory of a program, without those outside its process images. */
  of(areas: Areas): Force[] {
    return this.#forces.flatMap(({ key, area, byte, bytes, mask }) => {
      const content = Uint8Array.from(Buffer.from(bytes, 'hex'))
      const { address, size } = areas[area]
      if (byte + content.length > size) return []
      return [{ key, address: address + byte, bytes: content, ...defined({ mask }) }]
    })
  }

  /** Replaces the kept forces. Resolves when they are on the disk. */
  async write(forces: readonly Force[], areas: Areas): Promise<void> {
    this.#forces = forces.flatMap(({ key, address, bytes, mask }) => {
      const area = areaNames.find(
        (name) => address >= areas[name].address && address < areas[name].address + areas[name].size,
      )
      if (area === undefined) return []
      const kept = { key, area, byte: address - areas[area].address, bytes: Buffer.from(bytes).toString('hex') }
      return [mask === undefined ? kept : { ...kept, mask }]
    })
    const content = JSON.stringify(this.#forces)
    const write = this.#writing.then(() => replaceFile(this.#path, content, true))
    this.#writing = write.catch(() => undefined)
    await write
  }
}

function parsed(text: string): readonly KeptForce[] | undefined {
  try {
    const all: unknown = JSON.parse(text)
    return Array.isArray(all) && all.every(isKept) ? all : undefined
  } catch {
    return undefined
  }
}

function isKept(one: Partial<KeptForce> | null): one is KeptForce {
  if (typeof one !== 'object' || one === null) return false
  const { key, area, byte, bytes, mask } = one
  const isPlace = areaNames.some((name) => name === area) && Number.isInteger(byte) && (byte ?? -1) >= 0
  const isContent = typeof bytes === 'string' && /^(?:[0-9a-f]{2})+$/.test(bytes)
  return (
    typeof key === 'string' &&
    isPlace &&
    isContent &&
    (mask === undefined || (Number.isInteger(mask) && mask >= 0 && mask <= 255))
  )
}
