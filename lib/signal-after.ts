/**
 * A signal that ends after some milliseconds with a `TimeoutError`, as `AbortSignal.timeout` does. That one is not
 * used: in Node 20 a signal made of it by `AbortSignal.any` is forgotten at the next garbage collection and never
 * ends (measured with 20.20). Here the timer holds the controller. It does not keep the process.
 */
export function signalAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort(new DOMException(`not ended within ${ms} ms`, 'TimeoutError'))
  setTimeout(end, ms).unref()
  return controller.signal
}
