/**
 * What programs ask of modules: LED, DeviceStates, ModuleStates, GET_DIAG, GEN_DIAG, and which module has an address.
 * They know the loaded hardware; without it every identifier is accepted and everything is well. Status numbers: TIA
 * Portal help of each instruction.
 */
import { DWord, WChar } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { type Cell, partsOf, writeBits } from '../cells.ts'
import type { RuntimeContext } from '../context.ts'
import { type Hardware, hardwareStatus, isOfCpu, writeBitField } from '../hardware.ts'
import { countFilled, type Four, meant, regionOf } from './memory.ts'
import { clearRegion } from './regions.ts'

interface Answer {
  readonly status: number
  readonly outputs?: readonly number[]
}

const done = 0
const diagnosticStatus = { wrongMode: 0x8080, wrongType: 0x8081, noModule: 0x8090, noDiagnostics: 0x8091 } as const
const ledStatus = { off: 1, green: 2, notThere: 9, noModule: 0x8091, noLeds: 0x8092, unknown: 0x8093 } as const
const addressStatus = { unused: 0x8090, wrongType: 0x8092, unusedClassic: 0x8093 } as const

/** Link and RX/TX, which no S7-1500 tells. */
const interfaceLeds = [5n, 6n]

/** CPUExecUnit, whose operating state is that of the CPU; 8 is RUN. */
const executionUnit = 52n
const running = 8

/** Members of DIS and DNN as they are filled. ComponentStateDetail: bit 15 always; 3 in bits 11 to 14: not there. */
const wellState = [0, 0x8000, 0, 1] as const
const goneState = [8, 0x9800, 5, 0x20] as const

/** Most elements of STATE: those of a PROFINET IO system, of a DP master system and of a device. */
const mostDevices = 1024
const mostOfBus = 128

function isNamed(cell: Cell | undefined, name: string): cell is Cell {
  return cell?.type.kind === 'struct' && cell.type.name?.toUpperCase() === name
}

function isWide(type: Type): boolean {
  return type === WChar || (type.kind === 'string' && type.isWide)
}

/** The routines by the name of their instruction; each takes numbers, and four numbers for a variable. */
export function moduleDiagnostics(context: RuntimeContext) {
  const { view } = context
  const hardware = () => context.hardware?.()
  const isThere = (identifier: bigint) => isOfCpu(identifier) || (hardware()?.isKnown(Number(identifier)) ?? true)
  /** Undefined: no variable is given. */
  const cellOf = (variable: Four): Cell | undefined => {
    const cell = meant(regionOf(context, ...variable))
    return cell?.type.kind === 'void' ? undefined : cell
  }

  /** Whether a variable takes the states: a Bool, or an array of enough Bools. */
  const statesFault = (cell: Cell | undefined, wanted: number): number => {
    const type = cell?.type
    if (type?.kind === 'scalar' && type.bits === 1) return done
    if (type?.kind !== 'array' || type.element.kind !== 'scalar' || type.element.bits !== 1)
      return hardwareStatus.wrongType
    return countFilled(type) < wanted ? hardwareStatus.tooShort : done
  }

  /** Bit 0: one of the others is set. Without configured hardware no device is in a state that requires attention. */
  const states = (
    identifier: bigint,
    mode: bigint,
    state: Four,
    find: (hardware: Hardware) => { readonly set: readonly number[]; readonly wanted: number } | undefined,
  ): number => {
    const target = cellOf(state)
    const loaded = hardware()
    if (!loaded) {
      clearRegion(context, regionOf(context, ...state))
      return statesFault(target, 0)
    }
    if (mode < 1n || mode > 5n) return hardwareStatus.wrongMode
    const found = find(loaded)
    if (!found) return loaded.isKnown(Number(identifier)) ? hardwareStatus.wrongKind : hardwareStatus.notThere
    const fault = statesFault(target, found.wanted)
    if (fault === hardwareStatus.wrongType) return fault
    if (target) writeBitField(view, target, found.set.length > 0 ? [0, ...found.set] : [])
    return fault
  }

  /** Writes the members of a structure from its first on. */
  const fill = (cell: Cell, values: readonly number[]): void => {
    for (const [i, part] of partsOf(cell).entries())
      if (part.type.kind === 'scalar') writeBits(view, part.type, part, BigInt(values[i] ?? 0))
  }

  const isGone = (module: number) => hardware()?.isGone(module) ?? false

  const moduleAt = (direction: 'inputs' | 'outputs', byte: number) => hardware()?.moduleWith(direction, byte)

  return {
    /** LED 1, RUN/STOP, shines green; ERROR and MAINT are off. */
    LED: (module: bigint, led: bigint): number => {
      if (!isThere(module)) return ledStatus.noModule
      if (!isOfCpu(module) && hardware()) return ledStatus.noLeds
      if (interfaceLeds.includes(led)) {
        context.fail()
        return ledStatus.notThere
      }
      if (led < 1n || led > 3n) return ledStatus.unknown
      return led === 1n ? ledStatus.green : ledStatus.off
    },
    DEVICESTATES: (system: bigint, mode: bigint, ...state: Four) =>
      states(system, mode, state, (loaded) => {
        const set = loaded.deviceStates(Number(system), Number(mode))
        return set && { set, wanted: loaded.isBus(Number(system)) ? mostOfBus : mostDevices }
      }),
    // Bit 1 is slot 0.
    MODULESTATES: (device: bigint, mode: bigint, ...state: Four) =>
      states(device, mode, state, (loaded) => {
        const slots = loaded.moduleStates(Number(device), Number(mode))
        return slots && { set: slots.map((slot) => slot + 1), wanted: mostOfBus }
      }),
    /** MODE: 0 the modes that there are, 1 the state of the component, 2 that of what is below it. */
    GET_DIAG: (mode: bigint, module: bigint, ...variables: number[]): Answer => {
      const answer = (status: number): Answer => ({ status, outputs: [0] })
      const target = cellOf(variables.slice(0, 4) as Four)
      if (mode > 2n || mode < 0n) return answer(diagnosticStatus.wrongMode)
      const isRight =
        target === undefined || (mode === 0n ? target.type === DWord : isNamed(target, mode === 1n ? 'DIS' : 'DNN'))
      if (!isRight) return answer(diagnosticStatus.wrongType)
      if (!isThere(module)) return answer(diagnosticStatus.noModule)
      const below = hardware()?.modulesOf(Number(module)) ?? []
      if (target?.type === DWord) writeBits(view, DWord, target, 0b111n)
      else if (target && mode === 1n) {
        const isOut = isGone(Number(module)) || (below.length > 0 && below.every(isGone))
        const [maintenance, detail, own, io] = isOut ? goneState : wellState
        fill(target, [maintenance, detail, own, io, module === executionUnit ? running : 0])
      } else if (target) {
        const all = below.length === 0 ? [false] : below.map(isGone)
        const io = all.reduce((bits, one) => bits | (one ? goneState : wellState)[3], 0)
        fill(target, [all.includes(true) ? goneState[2] : wellState[2], io, 0])
      }
      return answer(done)
    },
    GEN_DIAG: (module: bigint, mode: bigint): number => {
      if (mode < 1n || mode > 3n) return diagnosticStatus.wrongMode
      if (!isThere(module)) return diagnosticStatus.noModule
      // No configured component takes diagnostics of a program.
      return hardware() ? diagnosticStatus.noDiagnostics : done
    },
    RD_ADDR: (module: bigint): Answer => {
      const found = hardware()?.addressesOf(Number(module))
      const { inputs, outputs } = found ?? {}
      const numbers = [inputs?.firstByte, inputs?.bytes, outputs?.firstByte, outputs?.bytes].map((one) => one ?? 0)
      return { status: found ? done : addressStatus.unused, outputs: numbers }
    },
    /** The module that has a variable of the inputs or outputs. */
    IO2MOD: (...variable: Four): Answer => {
      const cell = cellOf(variable)
      if (!cell || isWide(cell.type)) return { status: addressStatus.wrongType, outputs: [0] }
      const { areas } = context.program
      const byteIn = (name: 'I' | 'PI' | 'Q' | 'PQ') => {
        const byte = cell.address - areas[name].address
        return byte >= 0 && byte < areas[name].size ? byte : undefined
      }
      const [input, output] = [byteIn('I') ?? byteIn('PI'), byteIn('Q') ?? byteIn('PQ')]
      const found =
        input !== undefined ? moduleAt('inputs', input) : output !== undefined ? moduleAt('outputs', output) : undefined
      return { status: found === undefined ? addressStatus.unused : done, outputs: [found ?? 0] }
    },
    /** IOID: 0 bit 15 of the address tells an output, 16#54 inputs, 16#55 outputs. */
    LOG2MOD: (area: bigint, given: bigint): Answer => {
      const isOutput = area === 0n ? (given & 0x8000n) !== 0n : area === 0x55n
      const byte = Number(area === 0n ? given & 0x7fffn : given)
      const isArea = area === 0n || area === 0x54n || area === 0x55n
      const found = isArea ? moduleAt(isOutput ? 'outputs' : 'inputs', byte) : undefined
      return { status: found === undefined ? addressStatus.unusedClassic : done, outputs: [found ?? 0] }
    },
  }
}
