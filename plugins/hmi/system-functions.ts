/** System functions that the runtime of the gateway has, by their names in TIA Portal. */
import type { HmiAction } from '../../plc/formats/hmi/model.ts'

export const systemFunctions: readonly string[] = [
  'ActivateScreen',
  'ActivatePreviousScreen',
  'SetBit',
  'ResetBit',
  'InvertBit',
  'SetBitWhileKeyPressed',
  'SetTag',
  'SetValue',
  'IncreaseTag',
  'DecreaseTag',
  'SetLanguage',
]

const known = new Set(systemFunctions.map((name) => name.toLowerCase()))

export function runsFunction(name: string): boolean {
  return known.has(name.toLowerCase())
}

/** Name of the parameter with the variable that a function works on. */
function variableKey({ function: name, parameters }: HmiAction): string | undefined {
  if (!runsFunction(name) || /screen|language/i.test(name)) return undefined
  return Object.keys(parameters).find((key) => /^(tag|variable|output value|tag name)$/i.test(key.trim()))
}

/** The variable that a function works on. */
export function variableParameter(action: HmiAction): string | undefined {
  const key = variableKey(action)
  return key === undefined ? undefined : action.parameters[key]
}

/** The action with another variable; as it is when there is none. */
export function withVariable(action: HmiAction, other: (name: string) => string | undefined): HmiAction {
  const key = variableKey(action)
  if (key === undefined) return action
  const name = other(action.parameters[key] ?? '')
  return name === undefined ? action : { ...action, parameters: { ...action.parameters, [key]: name } }
}
