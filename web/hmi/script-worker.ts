/**
 * What comes before a script in its worker: the objects that scripts use. Everything here is within reach of the
 * script, so the page trusts none of it: it checks each message (`scripts.ts`).
 */

/** A message to the page, as JSON text. `done` ends the script; the others are answered under their number. */
export type ScriptMessage =
  | { readonly id: number; readonly do: 'read' | 'screen' | 'language'; readonly name: string }
  | { readonly id: number; readonly do: 'write'; readonly name: string; readonly value: unknown }
  | { readonly do: 'done'; readonly error?: string }

/** The page's answer. */
export interface ScriptAnswer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

const waiting = new Map<number, Waiting>()
let count = 0
let port: MessagePort | undefined

const send = (message: ScriptMessage) => port?.postMessage(JSON.stringify(message))

function ask(what: 'read' | 'write' | 'screen' | 'language', name: unknown, value?: unknown): Promise<unknown> {
  const id = ++count
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    send({ id, do: what, name: String(name), ...(what === 'write' ? { value } : {}) } as ScriptMessage)
  })
}

const Tags = (name: unknown) => ({
  Read: () => ask('read', name),
  Write: (value: unknown) => ask('write', name, value),
})
const HMIRuntime = {
  Tags,
  UI: { ChangeScreen: (name: unknown) => ask('screen', name) },
  Language: (name: unknown) => ask('language', name),
}

/** Called behind this program with the script: runs it when its parameters have come. */
function runScript(script: (...values: readonly unknown[]) => Promise<unknown>): void {
  const start = ({ data: values, ports }: MessageEvent<readonly unknown[]>) => {
    port = ports[0]
    if (port === undefined) return
    port.onmessage = ({ data: { id, value, error } }: MessageEvent<ScriptAnswer>) => {
      const one = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) one?.resolve(value)
      else one?.reject(new Error(error))
    }
    script(...values).then(
      () => send({ do: 'done' }),
      (error: unknown) => send({ do: 'done', error: String(error instanceof Error ? error.message : error) }),
    )
  }
  addEventListener('message', start, { once: true })
}

Object.assign(globalThis, { Tags, HMIRuntime, runScript })
