/** Types for the parts of the public client library that the tests use; it has no types of its own. */
declare module 'nodes7' {
  /** A value that the library reads or writes. */
  export type Nodes7Value = number | boolean | string | Date | Nodes7Value[]

  export default class NodeS7 {
    constructor(options?: { readonly silent?: boolean; readonly debug?: boolean })
    initiateConnection(
      options: {
        readonly host: string
        readonly port: number
        readonly rack: number
        readonly slot: number
        readonly timeout?: number
        readonly doNotOptimize?: boolean
      },
      callback: (error: unknown) => void,
    ): void
    dropConnection(callback?: () => void): void
    addItems(items: string | readonly string[]): void
    removeItems(items?: string | readonly string[]): void
    readAllItems(callback: (isAnyBad: boolean, values: Record<string, Nodes7Value>) => void): void
    /** Returns 1 when another write is in progress and nothing was sent. */
    writeItems(
      items: string | readonly string[],
      values: Nodes7Value | readonly Nodes7Value[],
      callback: (isAnyBad: boolean) => void,
    ): 0 | 1
  }
}
