/** Extension points: where a plugin lets others contribute. */

/** Kinds of members of a contribution; `text[]` is a list of text. */
export type MemberKind = 'text' | 'number' | 'boolean' | 'function' | 'text[]' | 'list' | 'object'

/** What a contribution must be: a function, or an object with these members; `?` marks those that may be absent. */
export type ContributionShape = 'function' | Readonly<Record<string, MemberKind | `${MemberKind}?`>>

type KindOf<V> = V extends (...args: never) => unknown
  ? 'function'
  : V extends string
    ? 'text'
    : V extends number
      ? 'number'
      : V extends boolean
        ? 'boolean'
        : V extends readonly string[]
          ? 'text[]'
          : V extends readonly unknown[]
            ? 'list'
            : 'object'

/** The shape that a type has, so that a declaration cannot leave out a member or name a wrong kind. */
export type ShapeOf<T> = T extends (...args: never) => unknown
  ? 'function'
  : {
      readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
        ? `${KindOf<Exclude<T[K], undefined>>}?`
        : KindOf<T[K]>
    }

/** A place where other plugins contribute something, e.g. sections of a project's files. */
export interface ExtensionPoint<T> {
  /** `<owner>.<plural noun>`: `projects.sections`. */
  readonly id: string
  readonly title: string
  /** For authors of plugins: what a contribution is for, and what is done with several. */
  readonly description: string
  /** Name of the exported constant. */
  readonly constant: string
  readonly check: ContributionShape
  /** A contribution as JavaScript. */
  readonly example: string
  /** What is wrong with a contribution of the right shape, as sentences without a dot; `plugin` is whose it is. */
  faults?(value: T, plugin: string): readonly string[]
  /** Its id of before; a contribution to that one is refused with the name of this one. */
  readonly formerly?: string
  /** Only for the type system. */
  readonly contribution?: T
}
export interface Extension {
  readonly point: string
  readonly value: unknown
}

/** Declares an extension point. Name it in `extensionPoints` of the plugin, and export it from its `index.ts`. */
export function extensionPoint<T>(
  id: string,
  declared: Omit<ExtensionPoint<T>, 'id' | 'contribution' | 'check'> & { readonly check: ShapeOf<T> },
): ExtensionPoint<T> {
  return { id, ...declared, check: declared.check as ContributionShape }
}

/**
 * Contributes to an extension point.
 * @throws Error when there is no point, as a misspelt constant gives
 */
export function extend<T>(point: ExtensionPoint<T>, value: T): Extension {
  if (typeof point?.id !== 'string')
    throw new Error('extend(point, value) got no extension point: is its constant spelt as in the manual?')
  return { point: point.id, value }
}
