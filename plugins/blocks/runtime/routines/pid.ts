/**
 * PID_Compact as a model: the published PIDT1 law with weights and limits, automatic, manual, inactive and substitute mode. Its tuning is no part
 * of the model: modes 1 and 2 end at once with ErrorBits 16#0000_0010 (tuning cannot start here) and the block goes on in automatic mode.
 * Law (TIA Portal help, "PID_Compact", PIDT1 algorithm): y = K [ (b w - x) + (w - x) / (Ti s) + Td s / (a Td s + 1) (c w - x) ].
 * It is worked out once per call with the sampling time `CycleTime.Value`.
 */
import { type Cell, partsOf, readBits, writeBits } from '../cells.ts'
import type { RoutineFamily } from '../context.ts'
import { regionOf, whole } from './memory.ts'

const modes = { inactive: 0, tuning: [1, 2], automatic: 3, manual: 4, substitute: 5 } as const
const errors = { tuning: 0x10n, input: 0x1n } as const

export const pidRoutines: RoutineFamily = (context) => {
  const { view } = context
  const scratch = new DataView(new ArrayBuffer(4))
  const find = (cell: Cell, path: string): Cell => {
    let found = cell
    for (const name of path.split('.')) {
      const { type } = found
      const index =
        type.kind === 'struct' || type.kind === 'instance' ? type.members.findIndex((one) => one.name === name) : -1
      const part = partsOf(found)[index]
      if (!part) throw new Error(`PID_Compact has no member ${path}`)
      found = part
    }
    return found
  }
  const bits = (cell: Cell) => (cell.type.kind === 'scalar' ? readBits(view, cell.type, cell) : 0n)
  const put = (cell: Cell, value: bigint) => {
    if (cell.type.kind === 'scalar') writeBits(view, cell.type, cell, value)
  }
  return {
    'pid.compact': (address: number, type: number, isStandard: number) => {
      const { cell } = regionOf(context, address, type, isStandard, whole)
      const at = (path: string) => find(cell, path)
      const real = (path: string): number => {
        scratch.setUint32(0, Number(bits(at(path))))
        return scratch.getFloat32(0)
      }
      const int = (path: string) => Number(BigInt.asIntN(16, bits(at(path))))
      const is = (path: string) => bits(at(path)) !== 0n
      const setReal = (path: string, value: number) => {
        scratch.setFloat32(0, value)
        put(at(path), BigInt(scratch.getUint32(0)))
      }
      const set = (path: string, value: bigint | boolean) => put(at(path), BigInt(value))
      const [low, high] = [real('Config.OutputLowerLimit'), real('Config.OutputUpperLimit')]
      const limited = (value: number) => Math.min(Math.max(value, low), high)

      // The process value, out of the periphery where it is switched on.
      const scaling = (name: string) => real(`Config.InputScaling.${name}`)
      const input = is('Config.InputPerOn')
        ? scaling('LowerPointOut') +
          ((int('Input_PER') - scaling('LowerPointIn')) * (scaling('UpperPointOut') - scaling('LowerPointOut'))) /
            (scaling('UpperPointIn') - scaling('LowerPointIn'))
        : real('Input')
      const isInputRight = input >= real('Config.InputLowerLimit') && input <= real('Config.InputUpperLimit')
      const setpoint = Math.min(
        Math.max(real('Setpoint'), real('Config.SetpointLowerLimit')),
        real('Config.SetpointUpperLimit'),
      )
      set('SetpointLimit_H', real('Setpoint') >= real('Config.SetpointUpperLimit'))
      set('SetpointLimit_L', real('Setpoint') <= real('Config.SetpointLowerLimit'))
      set('InputWarning_H', input >= real('Config.InputUpperWarning'))
      set('InputWarning_L', input <= real('Config.InputLowerWarning'))

      let errorBits = is('ErrorAck') || is('Reset') ? 0n : bits(at('ErrorBits'))
      // `LastState` holds the mode + 1, so that 0 is the first call; bit 8 the ModeActivate of the last one.
      const last = int('LastState')
      const isFirst = (last & 0xff) === 0
      let state = isFirst ? (is('RunModeByStartup') ? int('Mode') : modes.inactive) : (last & 0xff) - 1
      const activates = is('ModeActivate') && (last & 0x100) === 0
      if (activates) state = int('Mode')
      if (state === modes.tuning[0] || state === modes.tuning[1]) {
        errorBits |= errors.tuning
        state = modes.automatic
      }
      if (state < 0 || state > 5 || is('Reset')) state = modes.inactive
      if (!isInputRight && state === modes.automatic) {
        errorBits |= errors.input
        if (!is('ActivateRecoverMode')) state = modes.inactive
      }
      const isManual = is('ManualEnable') || state === modes.manual
      const gain = real('Retain.CtrlParams.Gain') * (is('Config.InvertControl') ? -1 : 1)
      const [ti, td] = [real('Retain.CtrlParams.Ti'), real('Retain.CtrlParams.Td')]
      const time = Math.max(real('CycleTime.Value'), 0.001)
      const proportional = real('Retain.CtrlParams.PWeighting') * setpoint - input
      const weighted = real('Retain.CtrlParams.DWeighting') * setpoint - input
      const lag = real('Retain.CtrlParams.TdFiltRatio') * td
      const derivative =
        isFirst || td === 0 ? 0 : (lag * real('LastDerivative') + td * (weighted - real('LastInput'))) / (lag + time)
      let integral = real('IntegralPart')
      let output = 0
      if (is('Reset')) integral = 0
      if (isManual) {
        output = limited(real('ManualValue'))
        // Without a jump when automatic mode takes over.
        integral = output - gain * proportional
      } else if (state === modes.automatic && isInputRight) {
        const step = ti > 0 ? (gain * time * (setpoint - input)) / ti : 0
        const wanted = gain * (proportional + derivative) + integral + step
        output = limited(wanted)
        // The integral stands still while the output is at its limit and would go on beyond.
        if (output === wanted || Math.sign(step) !== Math.sign(wanted - output)) integral += step
      } else if (state === modes.substitute) output = limited(real('SubstituteOutput'))
      else if (state === modes.automatic) output = real('Output')
      setReal('IntegralPart', integral)
      setReal('LastInput', weighted)
      setReal('LastDerivative', derivative)
      setReal('ScaledInput', input)
      setReal('CurrentSetpoint', setpoint)
      setReal('Output', output)
      set('Output_PER', BigInt.asIntN(16, BigInt(Math.round((Math.min(Math.max(output, -117), 117) * 27_648) / 100))))
      set('State', BigInt(isManual ? modes.manual : state))
      set('ErrorBits', errorBits)
      set('Error', !isInputRight || (errorBits & errors.input) !== 0n)
      set('LastState', BigInt((state + 1) | (is('ModeActivate') ? 0x100 : 0)))
      return undefined
    },
  }
}
