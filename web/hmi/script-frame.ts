/**
 * The program of the frame in which scripts of a station run (docs/security.md#scripts-of-hmi-stations). The frame has
 * an origin of its own and no network, and so have the workers that it makes. It is no part of the page's program.
 */

/** What the page sends with two ports: one for the script, one to end it and to hear why it could not run. */
export interface ScriptStart {
  readonly parameters: readonly string[]
  readonly source: string
  readonly values: readonly unknown[]
}

const prelude = document.getElementById('worker')?.textContent ?? ''

addEventListener('message', ({ source: sender, data, ports: [port, control] }: MessageEvent<ScriptStart>) => {
  if (sender !== parent || port === undefined || control === undefined) return
  const { parameters, source, values } = data
  const text = `'use strict';${prelude}\nrunScript(async function (${parameters.join(', ')}) {\n${source}\n})`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  const worker = new Worker(url)
  control.onmessage = () => {
    worker.terminate()
    URL.revokeObjectURL(url)
    control.close()
  }
  worker.onerror = (event) => {
    event.preventDefault()
    control.postMessage(event.message || 'it could not be run')
  }
  worker.postMessage(values, [port])
})
