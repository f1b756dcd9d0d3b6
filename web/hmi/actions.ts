/** What events of objects do: system functions and scripts. */
import type { ModelItem } from '../../plugins/hmi/station-model.ts'
import { isOn, numberOf } from './convert.ts'
import type { Runtime } from './runtime.ts'
import { runScript } from './scripts.ts'

type Action = ModelItem['events'][number]['actions'][number]

/** Runs the actions of an event; `press` and `release` of a button that is held are two events. */
export async function fire(runtime: Runtime, item: ModelItem, ...names: readonly string[]): Promise<void> {
  const wanted = names.map((name) => name.toLowerCase())
  const isReleased = wanted.includes('release')
  // What holds a bit on pressing lets it go on releasing, without an event of its own.
  for (const { event, actions } of item.events)
    for (const action of actions)
      if (wanted.includes(event.toLowerCase()) || (isReleased && holds(action) && isPress(event)))
        await run(runtime, action, wanted)
}

const holds = (action: Action) => action.function.toLowerCase() === 'setbitwhilekeypressed'
const isPress = (event: string) => /^(press|down|keydown)$/i.test(event)

/** Whether an object does anything when it is operated. */
export function isOperable(item: ModelItem): boolean {
  return item.events.some(({ actions }) => actions.length > 0)
}

function parameter({ parameters }: Action, pattern: RegExp): string {
  return Object.entries(parameters).find(([key]) => pattern.test(key.trim()))?.[1] ?? ''
}

async function run(runtime: Runtime, action: Action, events: readonly string[]): Promise<void> {
  const { values } = runtime
  const index = values.indexOf(parameter(action, /^(tag|variable|output value|tag name)$/i))
  const current = index === undefined ? undefined : values.of(index).peek()
  const amount = numberOf(parameter(action, /^(value|input value|summand)$/i) || 1)
  const set = (value: unknown) => (index === undefined ? undefined : values.write(index, value))
  switch (action.function.toLowerCase()) {
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
    case 'setbitwhilekeypressed':
      return set(!events.includes('release'))
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
