/**
 * Calls a listener. One that throws does not stop the others, and its error is not lost: it becomes an uncaught
 * exception of the process.
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
