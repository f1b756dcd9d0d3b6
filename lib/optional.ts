/** The fields of T, where those that may be undefined are optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * The object without its undefined fields: under `exactOptionalPropertyTypes` an optional field is absent, never
 * undefined.
 */
export function defined<const T extends object>(fields: T): Defined<T> {
  const out: { [K in keyof T]?: T[K] } = {}
  for (const name in fields) if (fields[name] !== undefined) out[name] = fields[name]
  // Which fields are left out is known only now.
  return out as unknown as Defined<T>
}
