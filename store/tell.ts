/** Calls a listener. One that throws must not keep the others from being told; its error must not be lost either: the process gets it next. */
export function tell<A extends unknown[]>(listener: (...args: A) => void, ...args: A): void {
  try {
    listener(...args)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
