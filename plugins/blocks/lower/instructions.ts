/** The instructions of the system: functions by their name, and instances of system types (timers, counters, edges). */
import type { ProgramBlock } from '../program/program.ts'
import type { BlockContext, SourceRange } from './block-context.ts'
import type { CallArgument, Called } from './calls.ts'
import { conversionInstruction } from './instructions/conversion.ts'
import { mathInstructions } from './instructions/math.ts'
import type { Variable } from './values.ts'

/** A call of an instruction. */
export interface InstructionCall {
  readonly context: BlockContext
  /** As it is written. */
  readonly name: string
  readonly at: SourceRange
  readonly arguments: readonly CallArgument[]
}

/** Works a call out; what is wrong with it is reported, and no value given. */
export type Instruction = (call: InstructionCall) => Called

const byName: ReadonlyMap<string, Instruction> = new Map(Object.entries(mathInstructions))

/** The instruction of this name, case ignored. */
export function findInstruction(name: string): Instruction | undefined {
  const upper = name.toUpperCase()
  return byName.get(upper) ?? conversionInstruction(upper)
}

/** The instance that `"DB".TON` names: the data block is of the instruction's type, e.g. `IEC_TIMER`. */
export function systemInstance(_context: BlockContext, block: ProgramBlock, instruction: string): Variable | undefined {
  const { type } = block
  if (!type || (type.kind !== 'instance' && type.kind !== 'struct') || !type.isSystem) return undefined
  const family = familyOf(instruction)
  if (family === undefined || !(type.name ?? '').toUpperCase().startsWith(family)) return undefined
  const members = type.kind === 'instance' ? type.members : type.members
  return {
    kind: 'variable',
    type: { kind: 'instance', name: instruction, isSystem: true, members },
    at: {
      kind: 'place',
      place: {
        base: { kind: 'block', block: block.name },
        offset: 0,
        indices: [],
        isStandard: block.access === 'standard',
      },
    },
    text: `"${block.name}"`,
  }
}

function familyOf(instruction: string): string | undefined {
  const upper = instruction.toUpperCase()
  if (/^(TON|TOF|TP|TONR)(_L?TIME)?$/.test(upper)) return 'IEC_'
  if (/^CT(U|D|UD)(_\w+)?$/.test(upper)) return 'IEC_'
  return undefined
}
