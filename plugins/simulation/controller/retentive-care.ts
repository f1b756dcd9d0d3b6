/** Saves the retentive data of a running controller to its memory card: at intervals, and finally at power-off. */
import { isGatewayError } from '../../../core/index.ts'
import { RetentiveFile, type RetentiveLayout, type RetentiveProgram } from './retentive.ts'
import { copyRanges, sizeOf } from './snapshot.ts'

/** Retentive data: the bytes of the ranges of their layout, one after the other. */
export interface RetentiveData {
  readonly layout: RetentiveLayout
  readonly bytes: Uint8Array
}

/** Saves the retentive data of one controller. */
export class RetentiveCare {
  readonly #file: RetentiveFile
  readonly #note: (severity: 'warning' | 'error', message: string) => void
  readonly #copy: () => Promise<RetentiveData | undefined>
  /** The save in progress. */
  #saving: Promise<void> | undefined

  /**
   * Creates the object for one controller.
   * @param folder folder of the memory card
   * @param note reports a failure
   * @param copy returns the current data; rejects with a GatewayError when state or program change during the copy
   */
  constructor(
    folder: string,
    note: (severity: 'warning' | 'error', message: string) => void,
    copy: () => Promise<RetentiveData | undefined>,
  ) {
    this.#file = new RetentiveFile(folder)
    this.#note = note
    this.#copy = copy
  }

  get isSaving(): boolean {
    return this.#saving !== undefined
  }

  /** Copies the saved data into the memory of a program. Returns false when the saved data cannot be read. */
  async restore(program: RetentiveProgram, flags: number, memory: Uint8Array): Promise<boolean> {
    if (await this.#file.restore(program, flags, memory)) return true
    this.#note('warning', 'The file of retentive data is damaged: retentive data have start values.')
    return false
  }

  /** Saves the data when they have changed since the last time. Never rejects. */
  save(): Promise<void> {
    this.#saving = this.#copyAndWrite()
      .catch((error: Error) => {
        // A GatewayError means that the state or the program has changed during the copy.
        if (!isGatewayError(error)) this.#note('warning', `Retentive data could not be saved: ${error.message}`)
      })
      .finally(() => {
        this.#saving = undefined
      })
    return this.#saving
  }

  async #copyAndWrite(): Promise<void> {
    const data = await this.#copy()
    if (data) await this.#file.write(data.layout, data.bytes, false)
  }

  /**
   * Waits until the current data are on the card: after a reset, old data must not return, even when the process ends
   * after the answer.
   */
  async keep(): Promise<void> {
    await this.#saving
    await this.save()
  }

  /** Saves from the memory of an ended program, and waits until the data are on the disk. Never rejects. */
  async keepForLast(
    ended: { readonly memory: Uint8Array; readonly retentive: RetentiveLayout } | undefined,
  ): Promise<void> {
    await this.#saving
    if (!ended) return
    const bytes = new Uint8Array(sizeOf(ended.retentive.ranges))
    copyRanges(ended.memory, ended.retentive.ranges, bytes)
    await this.#file
      .write(ended.retentive, bytes, true)
      .catch((error: Error) => this.#note('error', `Retentive data could not be saved: ${error.message}`))
  }

  /** Resolves when no save is in progress. */
  async settled(): Promise<void> {
    await this.#saving
  }
}
