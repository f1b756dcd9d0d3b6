/** The instance data block of a phase in a controller: its expected and its actual content, byte by byte. */
import { problem } from '../../../core/index.ts'
import {
  type Controller,
  type ResolvedTag,
  readValue,
  requireProgram,
  resolveTag,
  writeValue,
} from '../../simulation/index.ts'
import type { JsonScalar, MemberValue } from './script.ts'

/** Maximum number of differences reported. */
const mostDifferences = 20

/** A member of the instance whose value is not the expected one. */
export interface Difference {
  readonly variable: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Compares all members at once, so that a write to a wrong member is found as well. */
export class InstanceMemory {
  readonly #controller: Controller
  readonly #instance: string
  readonly #tags = new Map<string, ResolvedTag>()
  #address = 0
  #size = 0
  /** Expected content. */
  expected = new Uint8Array(0)

  constructor(controller: Controller, instance: string) {
    this.#controller = controller
    this.#instance = instance
  }

  /** Finds the instance; its current content becomes the expected one. @throws GatewayError `not_found` */
  async begin(): Promise<void> {
    const { compiled } = requireProgram(this.#controller)
    const place = compiled.linked.dataBlocks.get(this.#instance.toLowerCase())
    if (!place) throw problem('not_found', `The program has no data block "${this.#instance}".`)
    this.#address = place.address
    this.#size = place.size
    this.expected = await this.read()
  }

  async read(): Promise<Uint8Array<ArrayBuffer>> {
    const { bytes } = await this.#controller.read([{ address: this.#address, size: this.#size }])
    return Uint8Array.from(bytes[0]!)
  }

  /** Writes members; the values become the expected ones. */
  async write(values: readonly MemberValue[]): Promise<void> {
    if (values.length === 0) return
    this.expect(values)
    await this.#controller.write(values.flatMap(([path, value]) => this.#encoded(path, value)))
  }

  /** Restores the whole instance. */
  async restore(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.expected = bytes
    await this.#controller.write([{ address: this.#address, bytes }])
  }

  /**
   * Moves the start of a timer in saved content, as if time had stood still since: its first member is the time of the
   * clock at its start (docs/plc-semantics.md#timers).
   */
  moveTimer(bytes: Uint8Array<ArrayBuffer>, path: readonly string[], milliseconds: number): void {
    const [start] = this.#place(path)
    const view = new DataView(bytes.buffer, bytes.byteOffset + start)
    view.setInt32(0, view.getInt32(0, true) + milliseconds, true)
  }

  /** What is generated is optimized, so each member has bytes of its own. */
  expect(values: readonly MemberValue[]): void {
    for (const [path, value] of values)
      for (const { address, bytes } of this.#encoded(path, value)) this.expected.set(bytes, address - this.#address)
  }

  /** Members that may have any value: their actual values become the expected ones. */
  leaveOpen(paths: readonly (readonly string[])[], actual: Uint8Array): void {
    for (const path of paths) {
      const [start, end] = this.#place(path)
      this.expected.set(actual.subarray(start, end), start)
    }
  }

  isAsExpected(actual: Uint8Array): boolean {
    return Buffer.compare(actual, this.expected) === 0
  }

  differences(actual: Uint8Array, members: readonly (readonly string[])[]): Difference[] {
    const found: Difference[] = []
    for (const path of members) {
      const [start, end] = this.#place(path)
      if (Buffer.compare(actual.subarray(start, end), this.expected.subarray(start, end)) === 0) continue
      const [expected, here] = [this.valueIn(this.expected, path), this.valueIn(actual, path)]
      found.push({ variable: path.join('.'), expected, actual: here })
      if (found.length >= mostDifferences) break
    }
    return found
  }

  /** The value of a member in the bytes of the instance. */
  valueIn(bytes: Uint8Array, path: readonly string[]): unknown {
    return readValue(this.#tag(path), bytes.subarray(...this.#place(path)))
  }

  #encoded(path: readonly string[], value: JsonScalar) {
    return writeValue(this.#tag(path), value)
  }

  #place(path: readonly string[]): [start: number, end: number] {
    const { address, size } = this.#tag(path)
    return [address - this.#address, address - this.#address + size]
  }

  #tag(path: readonly string[]): ResolvedTag {
    const key = path.join('.')
    const known = this.#tags.get(key)
    if (known) return known
    const name = [this.#instance, ...path].map((part) => `"${part}"`).join('.')
    const tag = resolveTag(requireProgram(this.#controller), name)
    this.#tags.set(key, tag)
    return tag
  }
}
