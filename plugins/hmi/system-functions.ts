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

/** The variable that a function works on. */
export function variableParameter({ function: name, parameters }: HmiAction): string | undefined {
  if (!runsFunction(name) || /screen|language/i.test(name)) return undefined
  const found = Object.entries(parameters).find(([key]) => /^(tag|variable|output value|tag name)$/i.test(key.trim()))
  return found?.[1]
}
