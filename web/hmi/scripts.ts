/**
 * Runs scripts of a station, which may come from anywhere, in a frame that has an origin of its own and no network
 * (`script-frame.ts`). What a script asks for comes as messages and is checked here.
 */
import type { Runtime } from './runtime.ts'
import type { ScriptStart } from './script-frame.ts'
import type { ScriptAnswer } from './script-worker.ts'

/** Time that a script has, ms; while the gateway answers it, none passes. */
const limitMs = 5000
/** Messages of one run: a script that asks for each of the variables of a large station sends fewer. */
const mostMessages = 10_000
/** Characters of a message: the longest text of a controller has 16 382. */
const longestMessage = 64 * 1024

let frame: Promise<Window> | undefined

/** The frame, made with the first script. What is in it comes from the gateway with the page (`publish.ts`). */
function scriptFrame(): Promise<Window> {
  frame ??= new Promise((resolve) => {
    const element = document.createElement('iframe')
    element.hidden = true
    element.setAttribute('sandbox', 'allow-scripts')
    element.addEventListener('load', () => resolve(element.contentWindow as Window), { once: true })
    element.srcdoc = JSON.parse(document.getElementById('script-frame')?.textContent ?? '""')
    document.body.append(element)
  })
  return frame
}

/** Runs a script by its name; a fault or the end of its time is shown in the page. */
export async function runScript(
  runtime: Runtime,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  const found = Object.entries(runtime.model.scripts).find(([one]) => one.toLowerCase() === name.toLowerCase())
  if (found === undefined) return
  const [, { parameters: names, source }] = found
  const start: ScriptStart = { parameters: names, source, values: names.map((one) => parameters[one]) }
  const fault = await run(runtime, await scriptFrame(), start)
  if (fault !== undefined) runtime.values.note(`Script "${name}": ${fault}`)
}

/** @returns why it has failed */
function run(runtime: Runtime, target: Window, start: ScriptStart): Promise<string | undefined> {
  const [{ port1: port, port2: portOfScript }, { port1: control, port2: controlOfFrame }] = [
    new MessageChannel(),
    new MessageChannel(),
  ]
  return new Promise((resolve) => {
    let isOver = false
    let count = 0
    let unanswered = 0
    let left = limitMs
    let since = 0
    let timer = 0
    const goOn = () => {
      since = performance.now()
      timer = window.setTimeout(() => end(`it was ended after ${limitMs / 1000} seconds.`), left)
    }
    const pause = () => {
      clearTimeout(timer)
      left -= performance.now() - since
    }
    // One after the other: what a script writes is written in its order, also when it does not wait for it.
    let last: Promise<unknown> = Promise.resolve()
    const end = (fault?: string) => {
      isOver = true
      clearTimeout(timer)
      control.postMessage('end')
      port.close()
      resolve(fault)
    }
    goOn()
    control.onmessage = ({ data }) => end(String(data).slice(0, 1000))
    port.onmessage = ({ data }) => {
      if (isOver) return
      if (++count > mostMessages) return end(`it was ended after ${mostMessages} messages.`)
      const message = readMessage(data)
      if (message === undefined) return end('it was ended: it sent what no script sends.')
      if (++unanswered === 1) pause()
      last = last.then(async () => {
        if (isOver) return
        if (message.do === 'done') return end(message.error)
        const answer = await answerTo(runtime, message)
        if (isOver) return
        port.postMessage({ id: message.id, ...answer } satisfies ScriptAnswer)
        if (--unanswered === 0) goOn()
      })
    }
    // An origin of its own has no name that could be given here; nobody else is in the frame.
    target.postMessage(start, '*', [portOfScript, controlOfFrame])
  })
}

interface Asked {
  readonly do: 'read' | 'write' | 'screen' | 'language'
  readonly id: number
  readonly name: string
  readonly value: unknown
}

/** A message as the protocol has it; undefined: it is another one. */
function readMessage(data: unknown): Asked | { readonly do: 'done'; readonly error?: string } | undefined {
  // Text: of other values the browser would make objects before anything could be checked.
  if (typeof data !== 'string' || data.length > longestMessage) return undefined
  let fields: Record<string, unknown>
  try {
    fields = (JSON.parse(data) ?? {}) as Record<string, unknown>
  } catch {
    return undefined
  }
  const { do: what, id, name, value, error } = fields
  if (what === 'done') return typeof error === 'string' ? { do: what, error: error.slice(0, 1000) } : { do: what }
  const isKnown = what === 'read' || what === 'write' || what === 'screen' || what === 'language'
  if (!isKnown || typeof id !== 'number' || typeof name !== 'string') return undefined
  return { do: what, id, name, value }
}

async function answerTo(runtime: Runtime, asked: Asked): Promise<{ value: unknown } | { error: string }> {
  try {
    return { value: await obey(runtime, asked) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Does what a script asks for, within its station. @throws Error which is the script's */
async function obey(runtime: Runtime, { do: what, name, value }: Asked): Promise<unknown> {
  const { model, values, culture } = runtime
  const isName = (one: string) => one.toLowerCase() === name.toLowerCase()
  if (what === 'screen') {
    const screen = model.screens.find((one) => isName(one.name))
    if (screen === undefined) throw new Error(`"${name}" is no screen of the station`)
    return runtime.show(screen.name)
  }
  if (what === 'language') {
    const language = model.cultures.find(isName)
    if (language === undefined) throw new Error(`"${name}" is no language of the station: ${model.cultures.join(', ')}`)
    culture.value = language
    return undefined
  }
  const index = values.indexOf(name)
  if (index === undefined) throw new Error(`"${name}" is no variable of the station`)
  if (what === 'read') return values.of(index).peek()
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Error(`"${name}" takes a text, a number, true or false`)
  return values.write(index, value)
}
