/**
 * Calls a listener. One that throws does not keep the others from being called, and its error is not lost either: it
 * becomes an uncaught exception of the process.
 */
export function notify<A extends unknown[]>(listener: (...args: A) => void, ...args: A): void {
  try {
    listener(...args)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
