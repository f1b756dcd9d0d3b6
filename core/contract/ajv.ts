/** The JSON Schema validator, loaded on first use: that takes longer than a small request. */
import type { Ajv, Options } from 'ajv'

/** What makes validators of JSON Schema 2020-12 (as in OpenAPI 3.1). */
export interface Validators {
  /** Stops at the first fault. */
  readonly first: Ajv
  /** Another one, with these options. */
  make(options: Options): Ajv
}

let loading: Promise<Validators> | undefined

/** Loads the validator once. */
export function loadAjv(): Promise<Validators> {
  loading ??= Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]).then(([{ Ajv2020 }, formats]) => {
    const make = (options: Options): Ajv => {
      // Each schema is compiled once, often for few calls: Ajv's pass over its code takes longer than it saves.
      const instance = new Ajv2020({ strict: false, verbose: true, code: { optimize: false }, ...options })
      // A CommonJS module, whose types give `default` as the module itself.
      ;(formats.default as unknown as (a: Ajv) => void)(instance)
      return instance
    }
    return { first: make({}), make }
  })
  return loading
}
