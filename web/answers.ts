/** Types of what the gateway answers, to be read only: those of the client that users get (`schemas.ts`). */
import type { components } from './schemas.ts'

type Read<T> = T extends readonly (infer Entry)[]
  ? readonly Read<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: Read<T[Name]> }
    : T

type Schemas = components['schemas']
type OperationOf<Name> = Name extends `${infer Id}.result` ? Id : never

/** A named type of answers. A name that is used here first comes in with `scripts/web-types.ts`. */
export type Schema<Name extends keyof Schemas> = Read<Schemas[Name]>

/** What an operation answers, by its id: JSON, where there is text besides. */
export type Answer<Id extends OperationOf<keyof Schemas>> = Exclude<Schema<`${Id}.result`>, string>
