/** Python types of JSON schemas: a TypedDict for each object, named by where it is. */
import { type ClientDocument, refName, type Schema } from './document.ts'
import { pascal, UniqueNames, wrap } from './names.ts'

/** A text as a Python literal. */
export const pythonText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** A name that Python accepts. */
export const pythonName = (name: string): string => (keywords.has(name) ? `${name}_` : name)

/** Comment lines before a declaration; empty without a text. */
export const comment = (text: string, indent: string): string =>
  text === ''
    ? ''
    : wrap(text, Math.max(60, 108 - indent.length))
        .map((line) => `${indent}# ${line}`.trimEnd())
        .map((line) => `${line}\n`)
        .join('')

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
}

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `Literal[${pythonText(value)}]`
    : value === null
      ? 'None'
      : typeof value === 'boolean'
        ? `Literal[${value ? 'True' : 'False'}]`
        : Number.isInteger(value)
          ? `Literal[${String(value)}]`
          : 'float'

/** Makes types of schemas; `text` has the declarations of all that were asked for. */
export class PythonTypes {
  readonly #schemas: ClientDocument['schemas']
  readonly #names: UniqueNames
  readonly #components = new Map<string, string>()
  readonly #declarations: string[] = []

  /** @param taken names of the module that no type gets */
  constructor({ schemas }: ClientDocument, taken: Iterable<string>) {
    this.#schemas = schemas
    this.#names = new UniqueNames(taken)
    const objects = Object.keys(schemas)
      .sort()
      .filter((name) => schemas[name]!.properties)
    for (const name of objects) this.#components.set(name, this.#names.take(pascal(name)))
    for (const name of objects) this.#declare(this.#components.get(name)!, schemas[name]!)
  }

  get text(): string {
    return this.#declarations.join('\n\n')
  }

  /** The type of a component: its class, or what it is. One that holds itself, and is no object, is Any inside. */
  component(name: string): string {
    const known = this.#components.get(name)
    if (known !== undefined) return known
    this.#components.set(name, 'Any')
    const type = this.typeOf(this.#schemas[name] ?? {}, pascal(name))
    this.#components.set(name, type)
    return type
  }

  /** The type of a schema. @param place name for a class, where one is needed */
  typeOf(schema: Schema, place: string): string {
    if (schema.$ref) return this.component(refName(schema.$ref))
    if (schema.enum) return union(schema.enum.map(literal))
    if (schema.const !== undefined) return literal(schema.const)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return union(choices.map((part) => this.typeOf(part, place)))
    if (schema.allOf) return 'Dict[str, Any]'
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.typeOf({ ...schema, type }, place)))
    if (schema.type === 'array') return `List[${this.typeOf(schema.items ?? {}, `${place}Item`)}]`
    if (schema.properties && Object.keys(schema.properties).length > 0) {
      const name = this.#names.take(place)
      this.#declare(name, schema)
      return name
    }
    if (schema.type === 'object') return `Dict[str, ${this.#values(schema, place)}]`
    return simple[schema.type as string] ?? 'Any'
  }

  #values(schema: Schema, place: string): string {
    const values = Object.values(schema.patternProperties ?? {})
    if (typeof schema.additionalProperties === 'object') values.push(schema.additionalProperties)
    return values.length === 0 ? 'Any' : union(values.map((value) => this.typeOf(value, `${place}Value`)))
  }

  /**
   * Required fields are in a class of their own, from which that with the optional ones is made: Python 3.9 has no
   * other way.
   */
  #declare(name: string, schema: Schema): void {
    const required = new Set(schema.required ?? [])
    const fields = Object.entries(schema.properties ?? {}).map(([wire, property]) => ({
      wire,
      type: this.typeOf(property, `${name}${pascal(wire)}`),
      about: property.description ?? '',
      needed: required.has(wire),
    }))
    const about = schema.description ? `    ${docstring(schema.description, '    ')}\n` : ''
    const body = (list: typeof fields) =>
      list.map(({ wire, type, about: text }) => `${comment(text, '    ')}    ${wire}: ${type}\n`).join('')
    if (fields.some(({ wire }) => !/^[A-Za-z_]\w*$/.test(wire) || wire.startsWith('__') || keywords.has(wire))) {
      const entries = (list: typeof fields) =>
        list.map(({ wire, type }) => `    ${pythonText(wire)}: ${pythonText(type)},\n`).join('')
      const needed = fields.filter((field) => field.needed)
      const optional = fields.filter((field) => !field.needed)
      const base = `_${name}Required`
      this.#declarations.push(
        `${base} = TypedDict(${pythonText(base)}, {\n${entries(needed)}})\n\n\n_${name}Optional = TypedDict(${pythonText(`_${name}Optional`)}, {\n${entries(optional)}}, total=False)\n\n\nclass ${name}(${base}, _${name}Optional):\n${about || '    pass\n'}`,
      )
      return
    }
    const needed = fields.filter((field) => field.needed)
    const optional = fields.filter((field) => !field.needed)
    if (needed.length === 0 || optional.length === 0) {
      const total = needed.length === 0 ? ', total=False' : ''
      this.#declarations.push(
        `class ${name}(TypedDict${total}):\n${about}${body(fields) || (about ? '' : '    pass\n')}`,
      )
      return
    }
    this.#declarations.push(
      `class _${name}Required(TypedDict):\n${body(needed)}\n\nclass ${name}(_${name}Required, total=False):\n${about}${body(optional)}`,
    )
  }
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)]
  if (different.length === 0 || different.includes('Any')) return 'Any'
  if (different.length === 1) return different[0]!
  if (different.every((type) => type.startsWith('Literal[')))
    return `Literal[${different.map((type) => type.slice(8, -1)).join(', ')}]`
  return `Union[${different.join(', ')}]`
}

/** A docstring, without the indent of its first line. */
export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, "'")
  const lines = wrap(safe, Math.max(60, 108 - indent.length))
  if (lines.length === 1) return `"""${lines[0]}"""`
  return `"""${lines.map((line, n) => (n === 0 ? line : `${indent}${line}`.trimEnd())).join('\n')}\n${indent}"""`
}
