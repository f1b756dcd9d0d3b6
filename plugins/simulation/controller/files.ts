/** Files that are either complete or absent: they are written with another name and then renamed. */
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renameFile } from '../../../lib/patient-rename.ts'

/**
 * Replaces a file.
 * @param isDurable waits until it is on the disk, so that it also survives a loss of power
 */
export async function replaceFile(path: string, content: Uint8Array | string, isDurable: boolean): Promise<void> {
  const beside = `${path}.new`
  const file = await open(beside, 'w')
  try {
    await file.writeFile(content)
    if (isDurable) await file.sync()
  } finally {
    await file.close()
  }
  await renameFile(beside, path)
}

/** Returns the bytes of the file; `undefined` when it does not exist. */
export async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A small text on the memory card, which is replaced one writing after the other without being waited for. */
export class CardText {
  readonly #path: string
  #writing: Promise<unknown> = Promise.resolve()

  constructor(folder: string, name: string) {
    this.#path = join(folder, name)
  }

  save(text: string): void {
    this.#writing = this.#writing.then(() => replaceFile(this.#path, text, false)).catch(() => undefined)
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  /** The text as it was saved last; `undefined` when there is none. */
  async read(): Promise<string | undefined> {
    await this.settled()
    const file = await readIfThere(this.#path)
    return file && Buffer.from(file).toString('utf8')
  }
}
