/** RESET_TIMER and PRESET_TIMER, the coils RT and PT of ladder (docs/plc-semantics.md#timers). */

import { typeName } from '../../../program/type-name.ts'
import type { Instruction } from '../instruction.ts'
import { wholeVariable } from '../operands.ts'
import { isTimer } from '../system-functions.ts'
import { callSystemInstance } from '../system-instances.ts'
import { nothing } from './arguments.ts'

function ofTimer(name: 'RESET_TIMER' | 'PRESET_TIMER'): Instruction {
  return ({ context, arguments: given, at }) => {
    const argument =
      given.find((one) => one.name?.toUpperCase() === 'TIMER') ??
      given.filter((one) => one.name === undefined)[name === 'RESET_TIMER' ? 0 : 1]
    if (!argument?.operand) {
      context.report('missing-parameter', at, `Parameter "TIMER" of ${name} is not given.`)
      return nothing
    }
    if (argument.operand.kind === 'wrong') return nothing
    const timer = wholeVariable(argument.operand)
    if (!timer || !isTimer(timer.type)) {
      const of = timer ? `, not ${typeName(timer.type)}` : ''
      context.report('wrong-operand', argument.at, `${name} works on an IEC timer${of}.`)
      return nothing
    }
    return callSystemInstance(
      context,
      timer,
      name,
      given.filter((one) => one !== argument),
      at,
    )
  }
}

export const timerInstructions: Readonly<Record<string, Instruction>> = {
  RESET_TIMER: ofTimer('RESET_TIMER'),
  PRESET_TIMER: ofTimer('PRESET_TIMER'),
}
