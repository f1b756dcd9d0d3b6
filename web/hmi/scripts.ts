/** Runs scripts of a station in a worker, which has nothing of the page and ends after a time. */
import type { Runtime } from './runtime.ts'

/** Time that a script has, ms. */
const limitMs = 5000

/** Before the script: what it may do, and nothing that reaches the network. */
const frame = `
for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts', 'Worker', 'BroadcastChannel', 'indexedDB', 'caches'])
  try { Object.defineProperty(self, name, { value: undefined }) } catch {}
const waiting = new Map()
let next = 0
const ask = (message) => new Promise((resolve, reject) => { waiting.set(++next, { resolve, reject }); postMessage({ ...message, id: next }) })
const Tags = (name) => ({ Read: () => ask({ do: 'read', name }), Write: (value) => ask({ do: 'write', name, value }) })
const HMIRuntime = { Tags, UI: { ChangeScreen: (name) => ask({ do: 'screen', name }) }, Language: (name) => ask({ do: 'language', name }) }
onmessage = ({ data }) => {
  if (data.id !== undefined) {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.error === undefined) one.resolve(data.value)
    else one.reject(new Error(data.error))
    return
  }
  script(...data.values).then((value) => postMessage({ done: true }), (error) => postMessage({ done: true, error: String(error?.message ?? error) }))
}
`

type Message = { id?: number; do?: string; name?: string; value?: unknown; done?: boolean; error?: string }

/** Runs a script by its name; a fault or the end of its time is shown in the page. */
export async function runScript(
  runtime: Runtime,
  name: string,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  const found = Object.entries(runtime.model.scripts).find(([one]) => one.toLowerCase() === name.toLowerCase())
  if (found === undefined) return
  const [, script] = found
  const source = `'use strict';${frame}\nasync function script(${script.parameters.join(', ')}) {\n${script.source}\n}`
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  const { fault } = runtime.values
  await new Promise<void>((resolve) => {
    const end = (text?: string) => {
      clearTimeout(timer)
      worker.terminate()
      URL.revokeObjectURL(url)
      if (text !== undefined) fault.value = `Script "${name}": ${text}`
      resolve()
    }
    const timer = setTimeout(() => end(`it was ended after ${limitMs / 1000} seconds.`), limitMs)
    worker.onerror = ({ message }) => end(message)
    worker.onmessage = async ({ data }: MessageEvent<Message>) => {
      if (data.done === true) return end(data.error)
      try {
        worker.postMessage({ id: data.id, value: await answer(runtime, data) })
      } catch (error) {
        worker.postMessage({ id: data.id, error: (error as Error).message })
      }
    }
    worker.postMessage({ values: script.parameters.map((one) => parameters[one]) })
  })
}

async function answer(runtime: Runtime, { do: what, name = '', value }: Message): Promise<unknown> {
  if (what === 'screen') return runtime.show(name)
  if (what === 'language') {
    runtime.culture.value = name
    return undefined
  }
  const index = runtime.values.indexOf(name)
  if (index === undefined) throw new Error(`"${name}" is no variable of the station`)
  if (what === 'write') return runtime.values.write(index, value)
  return runtime.values.of(index).peek()
}
