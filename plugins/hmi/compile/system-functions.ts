/** System functions that the runtime of the gateway has, by their names in TIA Portal. */
import type { HmiAction } from '../../../plc/formats/hmi/model.ts'
import type { ScreenKind } from '../objects/screen-kinds.ts'

export const systemFunctions: readonly string[] = [
  'ActivateScreen',
  'ActivatePreviousScreen',
  'ChangeScreen',
  'ShowPopupScreen',
  'ShowSlideInScreen',
  'OpenScreenInPopup',
  'ClosePopup',
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
  if (!runsFunction(name) || /screen|popup|language/i.test(name)) return undefined
  return Object.keys(parameters).find((key) => /^(tag|variable|output value|tag name)$/i.test(key.trim()))
}

/**
 * The screen that a function shows, and the kinds that it is looked up in, in this order; undefined: the function shows
 * none.
 */
export function screenParameter({ function: name, parameters }: HmiAction) {
  const wanted = {
    activatescreen: ['screen'],
    changescreen: ['screen'],
    showpopupscreen: ['popup'],
    showslideinscreen: ['slide-in'],
    openscreeninpopup: ['screen', 'popup'],
  }[name.toLowerCase()] as readonly ScreenKind[] | undefined
  if (wanted === undefined) return undefined
  // "Screen name", "Name of the screen", "Slide-in screen"; not "Screen window" and "Parent screen path".
  const key = Object.keys(parameters).find((one) => /screen/i.test(one) && !/path|window|parent/i.test(one))
  return { name: key === undefined ? '' : (parameters[key] ?? ''), kinds: wanted }
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
