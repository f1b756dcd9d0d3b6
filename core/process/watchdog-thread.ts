/** The thread of the watchdog; see `watchdog.ts`. */
import { writeSync } from 'node:fs'
import { type Debugger, Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { textAt, type WatchdogData } from './watchdog.ts'

const { shared, limitMs, exitCode } = workerData as WatchdogData
const counters = new Int32Array(shared, 0, 2)
/** How long the process may take to end, ms. */
const endMs = 5000
/** Number of reported frames of the stack. */
const framesTold = 8

// Time is counted in turns of this thread, so that a machine that slept does not count.
const turnMs = limitMs / 20
let seen = -1
let silentTurns = 0
const timer = setInterval(() => {
  const beats = Atomics.load(counters, 0)
  silentTurns = beats === seen ? silentTurns + 1 : 0
  seen = beats
  if (silentTurns * turnMs < limitMs) return
  clearInterval(timer)
  end()
}, turnMs)

/** Pauses the event loop where it is, reports the place, and lets the process exit from there. */
function end(): void {
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    tell(callFrames.slice(0, framesTold).map((frame) => placeOf(frame, urls)))
    const { callFrameId } = callFrames[0]!
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression: `globalThis.process.exit(${exitCode})` })
  })
  session.post('Debugger.enable', () => session.post('Debugger.pause'))
  // Code that is not JavaScript cannot be paused.
  setTimeout(() => {
    tell([])
    process.kill(process.pid, 'SIGKILL')
  }, endMs)
}

function placeOf({ functionName, location }: Debugger.CallFrame, urls: ReadonlyMap<string, string>): string {
  return `${functionName || '(anonymous)'} (${urls.get(location.scriptId) ?? '?'}:${location.lineNumber + 1})`
}

/** Writes a line like those of the log; the log itself is written by the event loop. */
function tell(stack: readonly string[]): void {
  const text = new Uint8Array(new Uint8Array(shared, textAt, Atomics.load(counters, 1)))
  const during = new TextDecoder().decode(text)
  const msg = `the event loop was blocked for ${limitMs / 1000} s during ${during}: the gateway ends with exit code ${exitCode}`
  writeSync(2, `${JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, during, stack, msg })}\n`)
}
