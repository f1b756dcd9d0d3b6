/**
 * Schemas of operations and events.
 *
 * A schema is a function of a builder, `(t) => t.Object({ … })`, and is built on first use: loading the schema library
 * and compiling 317 validators at start would cost about half a second (measured), and most processes use a handful of
 * them.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject, TSchema, Type } from 'typebox'

export type { Static, TObject, TSchema }

/** A value that fits a schema, read-only at every depth: an answer may be made of frozen aggregates. */
export type Answer<S extends TSchema> = DeepReadonly<Static<S>>
type DeepReadonly<T> = unknown extends T
  ? T
  : T extends readonly (infer U)[]
    ? readonly DeepReadonly<U>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T

/**
 * A file that a client sent: as a multipart part (REST), or as text or base64 (JSON clients). It is stored as a blob
 * before the command runs.
 */
export interface Upload {
  readonly fileName: string
  /** `sha256:<hex>` of the bytes; read them with `ctx.blobs.get`. */
  readonly blob: string
  /** Bytes. */
  readonly size: number
}

/** What a schema function can use: the schema library's types and those that the gateway adds. */
export type SchemaBuilder = typeof Type & {
  /** RFC 3339 time in UTC. */
  DateTime: (options?: { description?: string }) => ReturnType<typeof Type.String>
  /** A file part. REST: `multipart/form-data`; JSON: `{ fileName, content }` or `{ fileName, contentBase64 }`. */
  Upload: (options?: { description?: string }) => ReturnType<typeof Type.Unsafe<Upload>>
  /**
   * A value that must never be stored in the clear. `hash`: the command gets a salted scrypt hash. `digest`: it gets a
   * digest keyed with the data directory's key (for long random values). `seal`: the command gets the value itself; the
   * log, the job record and the audit contain it encrypted under the key of the data directory. `keep-sealed`: the
   * command gets it encrypted too, to keep it so in the state (`gateway.unseal` opens it).
   */
  Secret: (
    protection: Protection,
    options?: { description?: string; minLength?: number; maxLength?: number },
  ) => ReturnType<typeof Type.String>
  /**
   * A type of answers with a name of its own: clients get one declaration for all places. Not for inputs, nor for a
   * whole answer. @param name `CompileMessage`; one schema in all plugins
   * @param make makes it anew; gets the reference to it, for trees
   */
  Named: <S extends TSchema>(name: string, make: (self: ReturnType<typeof Type.Any>) => S) => S
  /** `limit`, `cursor` and `q` of a list that can be long. */
  paging: () => {
    limit: ReturnType<typeof Type.Optional<ReturnType<typeof Type.Integer>>>
    cursor: ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>
    q: ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>
  }
}

/**
 * How a secret is kept: `hash` as a salted scrypt hash, which is slow on purpose (passwords that people choose);
 * `digest` as a keyed digest, which is checked at every request (API keys); `seal` encrypted, to be used at once;
 * `keep-sealed` encrypted, to be used later.
 */
export type Protection = 'hash' | 'digest' | 'seal' | 'keep-sealed'

/** A schema that is built when it is first needed. */
export type Lazy<S extends TSchema> = (t: SchemaBuilder) => S

/** A JSON Schema as plain data: the part that the gateway itself reads. */
export interface PlainSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, PlainSchema>>
  /** The values of a map. */
  readonly patternProperties?: Readonly<Record<string, PlainSchema>>
  readonly required?: readonly string[]
  readonly items?: PlainSchema
  readonly anyOf?: readonly PlainSchema[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly additionalProperties?: boolean | PlainSchema
  readonly 'x-secret'?: Protection
  readonly 'x-upload'?: true
  /** The audit does not show the field. */
  readonly 'x-unrecorded'?: true
  /** The schema is one of the root's `$defs`; `buildSchema` moves it there. */
  readonly 'x-name'?: string
  readonly $ref?: string
  /** The named types of a root. */
  readonly $defs?: Readonly<Record<string, PlainSchema>>
  /** The field is the input of the operation that this other field beside it names. */
  readonly 'x-input-of'?: string
  readonly [keyword: string]: unknown
}

/**
 * The input of an operation without parameters. It needs no schema library, so the first answer after a start does not
 * wait for it.
 */
export const noInput: Lazy<TObject<Record<never, never>>> = () =>
  // Written by hand: building it would load the schema library at the start.
  ({ type: 'object', properties: {} }) as unknown as TObject<Record<never, never>>

/** A schema and the alternatives that it allows. */
export function formsOf(schema: PlainSchema): PlainSchema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(formsOf)]
}

/** What the alternatives of a schema say about the property `name` of an object. */
export function fieldForms(forms: readonly PlainSchema[], name: string): PlainSchema[] {
  return forms.flatMap(({ properties = {}, patternProperties = {}, additionalProperties }) => {
    if (Object.hasOwn(properties, name)) return formsOf(properties[name]!)
    const others = Object.values(patternProperties)
    if (typeof additionalProperties === 'object') others.push(additionalProperties)
    return others.flatMap(formsOf)
  })
}

/** What the alternatives of a schema say about the items of a list. */
export function itemForms(forms: readonly PlainSchema[]): PlainSchema[] {
  return forms.flatMap(({ items }) => (items ? formsOf(items) : []))
}

let builder: SchemaBuilder | undefined
let loading: Promise<SchemaBuilder> | undefined

/** Loads the schema library once. */
export function loadSchemaBuilder(): Promise<SchemaBuilder> {
  loading ??= import('typebox').then(({ Type }) => {
    const optionalInteger = () =>
      Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'At most this many entries.' }))
    builder = {
      ...Type,
      DateTime: (options) => Type.String({ format: 'date-time', ...options }),
      Upload: (options) =>
        Type.Unsafe<Upload>({
          type: 'object',
          'x-upload': true,
          required: ['fileName', 'blob', 'size'],
          additionalProperties: false,
          properties: {
            fileName: { type: 'string', minLength: 1 },
            blob: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
            size: { type: 'integer', minimum: 0 },
          },
          description: 'The file (multipart part, or { fileName, content } / { fileName, contentBase64 }).',
          ...options,
        }),
      Secret: (protection, options) => Type.String({ 'x-secret': protection, writeOnly: true, ...options }),
      Named: (name, make) => {
        // A reference has no type of its own: it stands for the type that is being made.
        const self = Type.Unsafe({ $ref: `#/$defs/${name}` }) as unknown as ReturnType<typeof Type.Any>
        return Object.assign(make(self), { 'x-name': name })
      },
      paging: () => ({
        limit: optionalInteger(),
        cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before.' })),
        q: Type.Optional(Type.String({ description: 'Only entries whose name contains this text.' })),
      }),
    } as SchemaBuilder
    return builder
  })
  return loading
}

const built = new WeakMap<Lazy<TSchema>, PlainSchema>()

/**
 * Builds a schema with the loaded library, once per function. Objects refuse unknown properties unless declared
 * otherwise; named types are in `$defs`.
 * @throws Error when a name stands for two types
 */
export async function buildSchema(lazy: Lazy<TSchema>): Promise<PlainSchema> {
  const known = built.get(lazy)
  if (known) return known
  const named = new Map<string, PlainSchema>()
  const closed = closeObjects(
    // The one that uses no builder.
    (lazy === noInput ? noInput(undefined as never) : lazy(builder ?? (await loadSchemaBuilder()))) as PlainSchema,
    named,
  )
  const schema = named.size === 0 ? closed : { ...closed, $defs: { ...closed.$defs, ...Object.fromEntries(named) } }
  built.set(lazy, schema)
  return schema
}

/** A schema, or the named type of `root` that it refers to. */
export function definitionOf(schema: PlainSchema, root: PlainSchema): PlainSchema {
  return (schema.$ref && root.$defs?.[schema.$ref.replace('#/$defs/', '')]) || schema
}

/**
 * A typo in an optional field must not be silently ignored (docs/design.md#names-and-unknown-properties): unknown
 * properties are refused at every depth. Named types become references, and go to `named`.
 */
function closeObjects({ 'x-name': name, ...schema }: PlainSchema, named: Map<string, PlainSchema>): PlainSchema {
  const out: Record<string, unknown> = { ...schema }
  const close = (part: PlainSchema) => closeObjects(part, named)
  const closeEach = (parts: Readonly<Record<string, PlainSchema>>) =>
    Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, close(part)]))
  if (schema.properties) {
    out.properties = closeEach(schema.properties)
    out.additionalProperties ??= false
  }
  if (schema.patternProperties) out.patternProperties = closeEach(schema.patternProperties)
  if (schema.items && typeof schema.items === 'object') out.items = close(schema.items)
  if (schema.anyOf) out.anyOf = schema.anyOf.map(close)
  if (name === undefined) return out as PlainSchema
  const other = named.get(name)
  if (other !== undefined && !isDeepStrictEqual(other, out)) throw new Error(`"${name}" names two different types`)
  named.set(name, out as PlainSchema)
  return { $ref: `#/$defs/${name}` }
}
