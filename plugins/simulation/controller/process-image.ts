/**
 * Process image, forces, modifications and clock bytes: all accesses to memory at the cycle control point that are not
 * made by the program.
 */
import { type Extent, joinedExtent } from '../../../plc/compiler/codegen/image-use.ts'
import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { ControllerOptions, Force, MemoryWrite, Modification, PulledModule } from './contract.ts'
import { ImagePartitions, without } from './image-partitions.ts'
import type { MemoryCopy } from './memory-copy.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'

/** Half periods of the clock bits 0 to 7, ns: 10, 5, 2.5, 2, 1.25, 1, 0.625 and 0.5 Hz. */
const halfPeriods = [50, 100, 200, 250, 400, 500, 800, 1000].map((ms) => ms * 1e6)

/** Writes bytes, or bits of one byte, to memory. */
function putBytes(memory: Uint8Array, { address, bytes, mask }: MemoryWrite): void {
  if (mask === undefined) memory.set(bytes, address)
  else memory[address] = (memory[address]! & ~mask) | (bytes[0]! & mask)
}

/** The process image of one program. */
export class ProcessImage {
  readonly #memory: Uint8Array
  readonly #copy: MemoryCopy
  readonly #areas: LinkedProgram['areas']
  /** Bytes that are copied in each cycle: what the program uses, and what was ever written from outside. */
  #inputs: Extent
  #outputs: Extent
  /** Of these the bytes of partition 0. */
  #inputRanges: readonly Extent[] = []
  #outputRanges: readonly Extent[] = []
  readonly #blocks: readonly OrganizationBlockPlan[]
  partitions: ImagePartitions
  #forces: readonly Force[] = []
  #outputForces: readonly Force[] = []
  #modifications: readonly Modification[] = []
  /** External values of forced bytes of the input periphery, by address: they are restored when the force ends. */
  readonly #outside = new Map<number, number>()
  /** The periphery of the outputs before HOLD. */
  #held: Uint8Array | undefined
  #keepsOutputs = false
  #clockByte: number | undefined
  #systemByte: number | undefined
  /** Inputs of modules that are not there: they are 0. */
  #pulledInputs: readonly Extent[] = []

  constructor(
    memory: Uint8Array,
    copy: MemoryCopy,
    { areas, image }: Pick<LinkedProgram, 'areas' | 'image'>,
    options: ControllerOptions,
    blocks: readonly OrganizationBlockPlan[] = [],
  ) {
    this.#blocks = blocks
    this.partitions = new ImagePartitions(options, blocks)
    this.#memory = memory
    this.#copy = copy
    this.#areas = areas
    this.#inputs = image.I
    this.#outputs = image.Q
    this.configure(options)
  }

  /** Looks for values that another program or the outside left: their bytes are copied from now on. */
  valuesTaken(): void {
    const { I, Q, PI, PQ } = this.#areas
    for (const { address, size } of [I, Q, PI, PQ]) {
      const bytes = this.#memory.subarray(address, address + size)
      const first = bytes.findIndex((byte) => byte !== 0)
      if (first >= 0) this.#include(address + first, address + bytes.findLastIndex((byte) => byte !== 0) + 1)
    }
  }

  /** Adds bytes of an image or its periphery to those that are copied; other addresses are ignored. */
  #include(from: number, to: number): void {
    const { I, Q, PI, PQ } = this.#areas
    const within = ({ address, size }: typeof I): Extent => [
      Math.max(from, address) - address,
      Math.max(Math.max(from, address), Math.min(to, address + size)) - address,
    ]
    for (const area of [I, PI]) this.#inputs = joinedExtent(this.#inputs, within(area))
    for (const area of [Q, PQ]) this.#outputs = joinedExtent(this.#outputs, within(area))
    this.#placeRanges()
  }

  configure(options: ControllerOptions): void {
    const { clockMemoryByte, systemMemoryByte, outputsInStop, pulledModules = [] } = options
    this.setGone(pulledModules)
    this.partitions = new ImagePartitions(options, this.#blocks)
    this.#placeRanges()
    this.#keepsOutputs = outputsInStop === 'Keep'
    const { address, size } = this.#areas.M
    const place = (byte: number | undefined) => (byte !== undefined && byte < size ? address + byte : undefined)
    this.#clockByte = place(clockMemoryByte)
    this.#systemByte = place(systemMemoryByte)
  }

  /** Modules whose inputs are 0, since they do not answer. */
  setGone(modules: readonly PulledModule[]): void {
    this.#pulledInputs = modules.flatMap(({ inputs }) =>
      inputs.map(({ firstByte, bytes }): Extent => [firstByte, firstByte + bytes]),
    )
  }

  get forces(): readonly Force[] {
    return this.#forces
  }
  setForces(forces: readonly Force[]): void {
    for (const { address, bytes } of forces) this.#include(address, address + bytes.length)
    for (const [address, byte] of this.#outside) this.#memory[address] = byte
    this.#outside.clear()
    this.#forces = forces
    const { Q, PI, PQ } = this.#areas
    for (const { address, bytes } of forces)
      for (let at = address; at < address + bytes.length; at++)
        if (isIn(at, PI)) this.#outside.set(at, this.#memory[at]!)
    this.#outputForces = forces.flatMap((force) => {
      if (isIn(force.address, PQ)) return [force]
      return isIn(force.address, Q) ? [{ ...force, address: force.address - Q.address + PQ.address }] : []
    })
    this.applyForces()
  }

  get modifications(): readonly Modification[] {
    return this.#modifications
  }
  setModifications(modifications: readonly Modification[]): void {
    this.#modifications = modifications
  }

  /** Writes values from outside the program; forces override them. */
  write(writes: readonly MemoryWrite[]): void {
    for (const one of writes) {
      putBytes(this.#memory, one)
      this.#include(one.address, one.address + one.bytes.length)
      const { address, bytes, mask = 255 } = one
      for (const [i, byte] of this.#outside.size === 0 ? [] : bytes.entries()) {
        const before = this.#outside.get(address + i)
        if (before !== undefined) this.#outside.set(address + i, (before & ~mask) | (byte & mask))
      }
    }
    this.applyForces()
  }

  /** Applies the forced values to the image, after all writes. */
  applyForces(): void {
    for (const force of this.#forces) putBytes(this.#memory, force)
  }

  /** Writes the modifications of a point of the cycle; forces override them. */
  modify(at: Modification['at']): void {
    const due = this.#modifications.filter((one) => one.at === at)
    if (due.length === 0) return
    this.write(due)
    // Inputs that are modified at the start of a cycle are what its program sees.
    if (at === 'start') this.readInputs(0)
    if (due.some(({ once }) => once === true))
      this.#modifications = this.#modifications.filter((one) => one.at !== at || one.once !== true)
  }

  /** Copies outputs to the periphery, then inputs from it, without those of other partitions. */
  update(): void {
    this.writeOutputs(0)
    this.readInputs(0)
  }

  /** Copies the inputs of a partition from the periphery. */
  readInputs(partition: number): void {
    const { I, PI } = this.#areas
    for (const [from, to] of this.#pulledInputs)
      this.#memory.fill(0, PI.address + Math.min(from, PI.size), PI.address + Math.min(to, PI.size))
    this.#copyRanges(partition === 0 ? this.#inputRanges : this.partitions.get(partition)?.inputs, I, PI)
    this.applyForces()
  }

  /** Copies the outputs of a partition to the periphery. */
  writeOutputs(partition: number): void {
    const { Q, PQ } = this.#areas
    this.applyForces()
    this.#copyRanges(partition === 0 ? this.#outputRanges : this.partitions.get(partition)?.outputs, PQ, Q)
    for (const force of this.#outputForces) putBytes(this.#memory, force)
  }

  #copyRanges(ranges: readonly Extent[] | undefined, to: { address: number; size: number }, from: { address: number }) {
    if (ranges === undefined) return
    // Two of them in each cycle: iterators would take longer than the copy.
    for (let i = 0; i < ranges.length; i++) {
      const range = ranges[i] as Extent
      const size = Math.min(range[1], to.size) - range[0]
      if (size > 0) this.#copy(to.address + range[0], from.address + range[0], size)
    }
  }

  /** Finds what partition 0 copies. */
  #placeRanges(): void {
    this.#inputRanges = without(this.#inputs, this.partitions.inputs)
    this.#outputRanges = without(this.#outputs, this.partitions.outputs)
  }

  /**
   * Switches outputs off: in STOP they have their substitute value 0, unless they are configured to keep the last one;
   * forces stay active.
   */
  outputsOff(): void {
    if (this.#keepsOutputs) return
    const { PQ } = this.#areas
    this.#memory.fill(0, PQ.address, PQ.address + PQ.size)
    for (const force of this.#outputForces) putBytes(this.#memory, force)
  }

  /** HOLD: the outputs are as in STOP. */
  hold(): void {
    const { PQ } = this.#areas
    this.#held = this.#memory.slice(PQ.address, PQ.address + PQ.size)
    this.outputsOff()
  }

  /** HOLD has ended: the outputs have their values again. */
  continue(): void {
    if (this.#held) this.#memory.set(this.#held, this.#areas.PQ.address)
    this.#held = undefined
    for (const force of this.#outputForces) putBytes(this.#memory, force)
  }

  /** The clock bits start with a half period of 0. */
  setClock(nanoseconds: number): void {
    if (this.#clockByte === undefined) return
    let bits = 0
    for (let i = 0; i < halfPeriods.length; i++) bits |= (Math.floor(nanoseconds / halfPeriods[i]!) & 1) << i
    this.#memory[this.#clockByte] = bits
  }

  /** The bits are: first scan, diagnostics changed, always 1, always 0. The upper bits belong to the program. */
  setSystem(isFirstScan: boolean, isDiagnosticsChanged: boolean): void {
    if (this.#systemByte === undefined) return
    const upper = this.#memory[this.#systemByte]! & 0xf0
    this.#memory[this.#systemByte] = upper | (isFirstScan ? 1 : 0) | (isDiagnosticsChanged ? 2 : 0) | 4
  }
}

function isIn(address: number, area: { readonly address: number; readonly size: number }): boolean {
  return address >= area.address && address < area.address + area.size
}
