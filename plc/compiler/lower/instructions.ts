/** The system instructions: functions by their name. Instructions with an instance are in system-instances.ts. */
import { nearest } from '../../../lib/nearest.ts'
import { groupOfInstruction } from '../../library/known-instructions.ts'
import { scalarNamed } from '../../program/scalars.ts'
import { assign } from './assignments.ts'
import { refusesInstruction } from './family-checks.ts'
import type { Instruction, InstructionCall } from './instruction.ts'
import { anyBlockInstructions } from './instructions/any-blocks.ts'
import { bcdInstructions } from './instructions/bcd.ts'
import { conversionInstruction } from './instructions/conversion.ts'
import { dateInstructions } from './instructions/dates.ts'
import { distributionInstructions } from './instructions/distribution.ts'
import { errorInstructions } from './instructions/errors.ts'
import { fieldInstructions } from './instructions/fields.ts'
import { mathInstructions } from './instructions/math.ts'
import { moveInstructions } from './instructions/moves.ts'
import { nameInstructions } from './instructions/names.ts'
import { numberTextInstructions } from './instructions/number-texts.ts'
import { s5Instructions } from './instructions/s5.ts'
import { selectionInstructions, suffixedInstruction } from './instructions/selection.ts'
import { serviceInstructions } from './instructions/services.ts'
import { stringInstructions } from './instructions/strings.ts'
import { testFunctions } from './instructions/test-functions.ts'
import { timerInstructions } from './instructions/timers.ts'
import { wholeVariable } from './operands.ts'
import { referenceInstructions } from './references.ts'
import { statementQuestions } from './statement-list-questions.ts'
import { canBeInstance } from './system-instances.ts'
import type { CallArgument, Called, Operand, Variable } from './values.ts'

const byName: ReadonlyMap<string, Instruction> = new Map(
  [
    mathInstructions,
    selectionInstructions,
    numberTextInstructions,
    serviceInstructions,
    nameInstructions,
    dateInstructions,
    moveInstructions,
    stringInstructions,
    timerInstructions,
    s5Instructions,
    distributionInstructions,
    anyBlockInstructions,
    errorInstructions,
    referenceInstructions,
    bcdInstructions,
    fieldInstructions,
    testFunctions,
  ].flatMap((table) => Object.entries(table)),
)

/** Names followed by the type of the operation: `ABS_INT`, `SHL_WORD`. The arguments give the same type. */
const typedName = /^(ABS|SQR|SQRT|MIN|MAX|LIMIT|SEL|MUX|SHL|SHR|ROL|ROR|SWAP|MOVE)_([A-Z]+)$/

/** Text instructions whose name ends with the kind of text: `CONCAT_WSTRING`. */
const textName = /^(CONCAT|LEN|MAX_LEN|LEFT|RIGHT|MID|INSERT|DELETE|REPLACE|FIND)_W?STRING$/

/** Returns the instruction of this name, case ignored. */
export function findInstruction(name: string): Instruction | undefined {
  const typed = typedName.exec(name.toUpperCase())
  const text = textName.exec(name.toUpperCase())
  const upper = (typed && scalarNamed(typed[2] ?? '') ? typed[1] : text?.[1]) ?? name.toUpperCase()
  const found = byName.get(upper) ?? suffixedInstruction(upper) ?? conversionInstruction(upper)
  return found && withReturnPin(found)
}

/** Returns the instruction that STL has by this name, case ignored. */
export function findStatementInstruction(name: string): Instruction | undefined {
  const own = statementQuestions[name.toUpperCase()]
  return own ? withReturnPin(own) : findInstruction(name)
}

/** Returns the names of all instructions except conversions, in upper case. */
export function instructionNames(): readonly string[] {
  return [...byName.keys()]
}

/** Returns the instruction with the most similar name. */
export function nearestInstruction(name: string): string | undefined {
  return nearest(name.toUpperCase(), instructionNames())
}

/** Returns the message and hint for a name that is no instruction here. */
export function unknownInstruction(name: string): [message: string, hint: string] {
  const group = groupOfInstruction(name)
  if (group !== undefined)
    return [
      `TIA Portal has the instruction ${name} (${group}); it is not supported here.`,
      'docs/instructions.md lists what is compiled.',
    ]
  const close = nearestInstruction(name)
  return [
    `${name} is no instruction that is known here.`,
    close === undefined ? 'Blocks of the program are called with quotes.' : `Did you mean ${close}?`,
  ]
}

/**
 * Refuses what the CPU lacks, and adds the return pin of boxes: `OUT => x` or `RET_VAL => x` takes the return value
 * where the function has no such output.
 */
function withReturnPin(instruction: Instruction): Instruction {
  return (call) => {
    if (refusesInstruction(call.context, call.name, call.at)) return { statements: [] }
    // BCDCPL has its result at ERR_CODE in LAD, FBD and STL (TIA Portal help).
    const names = /^BCDCPL$/i.test(call.name) ? /^(OUT|RET_VAL|ERR_CODE)$/i : /^(OUT|RET_VAL)$/i
    const pin = call.arguments.find((one) => one.isOutput && names.test(one.name ?? ''))
    if (!pin || ownOutputs.has(call.name.toUpperCase())) {
      const ret = call.arguments.find((one) => one.isOutput && /^RET_VAL$/i.test(one.name ?? ''))
      return ret ? assigned(instruction, call, ret) : instruction(call)
    }
    return assigned(instruction, call, pin)
  }
}

function assigned(instruction: Instruction, call: InstructionCall, pin: CallArgument): Called {
  const { statements, value } = instruction({ ...call, arguments: call.arguments.filter((one) => one !== pin) })
  if (!value || !pin.operand) return { statements, ...(value ? { value } : {}) }
  return { statements: [...statements, ...assign(call.context, pin.operand, value, pin.at, pin.at)] }
}

/** Instructions whose OUT is a parameter of its own, besides the return value. */
const ownOutputs: ReadonlySet<string> = new Set(
  (
    'MOVE MOVE_BLK UMOVE_BLK FILL_BLK UFILL_BLK GATHER SCATTER GATHER_BLK SCATTER_BLK RD_SYS_T RD_LOC_T STRG_VAL VAL_STRG ' +
    'SCALE UNSCALE T_CONV S_CONV READ_LITTLE READ_BIG ATH HTA S_MOVE'
  ).split(' '),
)

/** Returns the instance before an instruction: `"DB".TON`, `#timer.TON`; its type must fit the instruction. */
export function systemInstance(object: Operand, instruction: string): Variable | undefined {
  const variable = wholeVariable(object)
  return variable && canBeInstance(variable.type, instruction) ? variable : undefined
}
