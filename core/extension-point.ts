/** Extension points: where a plugin lets others contribute. */

/** A place where other plugins contribute something, e.g. parts of a project's files. */
export interface ExtensionPoint<T> {
  readonly id: string
  /** Only for the type system. */
  readonly contribution?: T
}
export interface Extension {
  readonly point: string
  readonly value: unknown
}

/** Declares an extension point. Export it from the `index.ts` of the plugin that uses it. */
export function extensionPoint<T>(id: string): ExtensionPoint<T> {
  return { id }
}
/** Contributes to an extension point. */
export function extend<T>(point: ExtensionPoint<T>, value: T): Extension {
  return { point: point.id, value }
}
