/**
 * Hardware interrupts of inputs: an edge that the outside makes at the periphery raises the event of an organization
 * block, as the digital input module of a real station does.
 */
import type { StartInformation } from '../../../plc/runtime/block-events.ts'
import type { ControllerOptions, HardwareInterrupt } from './contract.ts'

interface Watched {
  readonly interrupt: HardwareInterrupt
  readonly address: number
  readonly mask: number
  readonly channel: number
  wasOn: boolean
}

/** EventType of the start information. */
const eventTypes = { rising: 1, falling: 2 } as const

/** The inputs that a controller watches. */
export class HardwareInterrupts {
  readonly #memory: Uint8Array
  readonly #watched: readonly Watched[]

  /** @param periphery the periphery of the inputs in the memory of the program */
  constructor(
    memory: Uint8Array,
    periphery: { readonly address: number; readonly size: number },
    { hardwareInterrupts = [] }: Pick<ControllerOptions, 'hardwareInterrupts'>,
  ) {
    this.#memory = memory
    this.#watched = hardwareInterrupts.flatMap((interrupt) => {
      const { byte, bit } = interrupt
      if (byte >= periphery.size) return []
      const [address, mask] = [periphery.address + byte, 1 << bit]
      return [{ interrupt, address, mask, channel: byte * 8 + bit, wasOn: (memory[address]! & mask) !== 0 }]
    })
  }

  /** Raises the events of the edges since the last look. */
  look(raise: (block: number, information: StartInformation) => void): void {
    for (const watched of this.#watched) {
      const { interrupt, address, mask, channel, wasOn } = watched
      const isOn = (this.#memory[address]! & mask) !== 0
      if (isOn === wasOn) continue
      watched.wasOn = isOn
      const edge = isOn ? 'rising' : 'falling'
      if (interrupt.edge !== edge && interrupt.edge !== 'both') continue
      raise(interrupt.organizationBlock, {
        // Blocks of S7-1500, and classic ones: address of the module and bit of the channel.
        ICHANNEL: channel & 0xff,
        EVENTTYPE: eventTypes[edge],
        IO_FLAG: 0x54,
        MDL_ADDR: interrupt.byte,
        POINT_ADDR: mask,
      })
    }
  }
}
