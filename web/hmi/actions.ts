/** What events of objects do: system functions and scripts. */
import type { ModelItem } from '../../plugins/hmi/station-model.ts'
import { isOn, numberOf } from './convert.ts'
import type { PopupMode } from './popups.ts'
import type { Runtime } from './runtime.ts'
import { runScript } from './scripts.ts'

type Action = ModelItem['events'][number]['actions'][number]

/** The events of each object that are under way: a release runs after its press, however long that takes. */
const running = new WeakMap<ModelItem, Promise<void>>()
/** The objects that are pressed now. */
const pressed = new WeakSet<ModelItem>()

/** Runs the actions of an event; `press` and `release` of a button that is held are two events. */
export function fire(runtime: Runtime, item: ModelItem, ...names: readonly string[]): Promise<void> {
  const wanted = names.map((name) => name.toLowerCase())
  if (wanted.some(isPress)) pressed.add(item)
  // At once, and not behind what the press still does: a bit is held no longer than the button is.
  if (wanted.includes('release')) letGo(runtime, item)
  const done = (running.get(item) ?? Promise.resolve()).then(() => runEvents(runtime, item, wanted))
  // A fault ends its own event only.
  running.set(
    item,
    done.catch(() => undefined),
  )
  return done
}

async function runEvents(runtime: Runtime, item: ModelItem, wanted: readonly string[]): Promise<void> {
  // What holds a bit does so while the object is pressed, whichever event it is configured for.
  for (const { event, actions } of item.events)
    for (const action of actions)
      if (isHold(action)) {
        if (wanted.some(isPress) && pressed.has(item)) await holdBit(runtime, action)
      } else if (wanted.includes(event.toLowerCase())) await run(runtime, action)
}

const isHold = (action: Action) => action.function.toLowerCase() === 'setbitwhilekeypressed'
const isPress = (event: string) => /^(press|down|keydown)$/i.test(event)

async function holdBit({ values }: Runtime, action: Action): Promise<void> {
  const index = values.indexOf(variableOf(action))
  if (index !== undefined) await values.hold(index)
}

/** Resets the bits that an object holds. */
function letGo({ values }: Runtime, item: ModelItem): void {
  pressed.delete(item)
  for (const action of item.events.flatMap(({ actions }) => actions).filter(isHold)) {
    const index = values.indexOf(variableOf(action))
    if (index !== undefined && values.holds(index)) void values.letGo(index)
  }
}

const variableOf = (action: Action) => parameter(action, /^(tag|variable|output value|tag name)$/i)

/** Whether an object does anything when it is operated. */
export function isOperable(item: ModelItem): boolean {
  return item.events.some(({ actions }) => actions.length > 0)
}

function parameter({ parameters }: Action, pattern: RegExp): string {
  return Object.entries(parameters).find(([key]) => pattern.test(key.trim()))?.[1] ?? ''
}

/** How a popup is shown: `-1`, `0` and `1` of exports, or their names. */
function modeOf(text: string): PopupMode {
  if (/^(0|off|hmioff)$/i.test(text.trim())) return 'off'
  return /^(1|on|hmion)$/i.test(text.trim()) ? 'on' : 'toggle'
}

/** A coordinate: a number, or the variable that has it. */
function coordinate({ values }: Runtime, action: Action, pattern: RegExp): number {
  const text = parameter(action, pattern).trim()
  const index = values.indexOf(text)
  const number = index === undefined ? Number(text) : numberOf(values.of(index).peek())
  return Number.isFinite(number) ? number : 0
}

async function run(runtime: Runtime, action: Action): Promise<unknown> {
  const { values } = runtime
  const index = values.indexOf(variableOf(action))
  const current = index === undefined ? undefined : values.of(index).peek()
  const amount = numberOf(parameter(action, /^(value|input value|summand)$/i) || 1)
  const set = (value: unknown) => (index === undefined ? undefined : values.write(index, value))
  switch (action.function.toLowerCase()) {
    case 'showpopupscreen': {
      const [left, top] = [
        coordinate(runtime, action, /^x coordinate$/i),
        coordinate(runtime, action, /^y coordinate$/i),
      ]
      return runtime.popup(parameter(action, /screen/i), modeOf(parameter(action, /mode/i)), left, top)
    }
    case 'showslideinscreen':
      return runtime.slide(parameter(action, /screen/i), modeOf(parameter(action, /mode/i)))
    case 'openscreeninpopup': {
      const isYes = (pattern: RegExp) => /^(true|1|-1|on)$/i.test(parameter(action, pattern).trim())
      const name = parameter(action, /^screen( name)?$/i)
      const frame = { caption: parameter(action, /caption|title|header/i), canClose: !isYes(/hide.*close/i) }
      const [left, top] = [coordinate(runtime, action, /^(left|x.*)$/i), coordinate(runtime, action, /^(top|y.*)$/i)]
      const isBound = parameter(action, /parent/i).trim() !== ''
      const key = parameter(action, /popup/i) || name
      return runtime.openWindow({ key, left, top, frame, isBound }, name, isYes(/toggle/i) ? 'toggle' : 'on')
    }
    case 'closepopup':
      return runtime.closePopup(parameter(action, /popup/i))
    case 'changescreen':
    case 'activatescreen':
      return runtime.show(parameter(action, /screen.*name/i))
    case 'activatepreviousscreen':
      return runtime.back()
    case 'setbit':
      return set(true)
    case 'resetbit':
      return set(false)
    case 'invertbit':
      return set(!isOn(current))
    case 'settag':
    case 'setvalue':
      return set(typed(parameter(action, /^(value|input value)$/i), current))
    case 'increasetag':
      return set(numberOf(current) + amount)
    case 'decreasetag':
      return set(numberOf(current) - amount)
    case 'setlanguage': {
      const wanted = parameter(action, /language/i)
      const { cultures } = runtime.model
      const next = cultures.find((culture) => culture.toLowerCase() === wanted.toLowerCase())
      runtime.culture.value =
        next ?? cultures[(cultures.indexOf(runtime.culture.peek()) + 1) % cultures.length] ?? wanted
      return undefined
    }
    default:
      return runScript(runtime, action.function, action.parameters)
  }
}

/** A text as a value of the kind that the variable has now. */
export function typed(text: string, current: unknown): unknown {
  if (typeof current === 'boolean') return /^(1|true|on)$/i.test(text.trim())
  if (typeof current === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  return text
}
