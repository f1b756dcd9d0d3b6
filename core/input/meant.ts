/**
 * What a client meant where it only spelled a name or a value otherwise. Models and scripts send `device` for
 * `deviceName`; numbers, booleans and JSON as text, and words of a list in another case. Values are looked at when an
 * input does not fit its schema; one that fits is never changed.
 */
import { formsOf, type PlainSchema } from '../contract/schema.ts'

type Spellings = Readonly<Record<string, readonly string[]>>

/**
 * Other names of the fields of an input, beside those that the operation declares: `block` for `blockName`,
 * `deviceName` for `device`, and `name` for the name of what the operation is about: the last one that it requires
 * (`deviceName`, `tableName`, `tagName`: the tag). No field and no declared name is taken.
 */
export function spellingsOf({ properties = {}, required = [] }: PlainSchema, declared: Spellings = {}): Spellings {
  const taken = new Set([...Object.keys(properties), ...Object.values(declared).flat()])
  const more: Record<string, string[]> = {}
  const add = (field: string, spelling: string) => {
    if (taken.has(spelling)) return
    taken.add(spelling)
    more[field] = [...(more[field] ?? []), spelling]
  }
  const texts = Object.keys(properties).filter((field) => properties[field]?.type === 'string' && field !== 'name')
  for (const field of texts) add(field, field.endsWith('Name') ? field.slice(0, -4) : `${field}Name`)
  const subject = texts.findLast((field) => /^(?!new).*Name$/.test(field) && required.includes(field))
  // The description of a thing has its name in it, or beside it when it is not wrapped (`gathered`).
  const isDescribed = required.some((field) => formsOf(properties[field] ?? {}).some((form) => form.properties?.name))
  if (subject !== undefined && !isDescribed) add(subject, 'name')
  const fields = new Set([...Object.keys(declared), ...Object.keys(more)])
  return Object.fromEntries([...fields].map((field) => [field, [...(declared[field] ?? []), ...(more[field] ?? [])]]))
}

/**
 * The field that a body which is a list stands for: the only list of an input, or the one that the address names
 * (`…/tags/actions/import`: `tags`).
 */
export function listField({ properties = {} }: PlainSchema, paths: readonly string[]): string | undefined {
  const lists = Object.keys(properties).filter((field) =>
    formsOf(properties[field]!).some((form) => form.type === 'array'),
  )
  if (lists.length <= 1) return lists[0]
  return lists.find((field) => paths.some((path) => path.split('/').includes(field)))
}

/**
 * The input with the fields of a description that was sent without its wrapper put into it: `{ deviceName, name, … }`
 * for `{ deviceName, specification: { name, … } }`. What is not one required object field, or leaves other names over,
 * stays as it is.
 */
export function gathered(input: Record<string, unknown>, { properties = {}, required = [] }: PlainSchema) {
  const [field, ...others] = required.filter((name) =>
    formsOf(properties[name] ?? {}).some((form) => form.properties !== undefined && !form['x-upload']),
  )
  if (field === undefined || others.length > 0 || field in input) return input
  const fields = new Set(formsOf(properties[field]!).flatMap((form) => Object.keys(form.properties ?? {})))
  const given = Object.entries(input)
  const loose = given.filter(([name]) => !Object.hasOwn(properties, name))
  if (loose.length === 0 || !loose.some(([name]) => fields.has(name))) return input
  const own = given.filter(([name]) => Object.hasOwn(properties, name))
  return { ...Object.fromEntries(own), [field]: Object.fromEntries(loose) }
}

/** The value with everything rewritten that has exactly one reading in the schema; the rest stays as it is. */
export function asMeant(value: unknown, schema: PlainSchema): unknown {
  const forms = formsOf(schema)
  if (typeof value === 'string') return textAsMeant(value, forms)
  if (Array.isArray(value)) {
    const items = forms.flatMap((form) => (form.items ? [form.items] : []))
    return items.length === 0 ? value : value.map((item) => asMeant(item, { anyOf: items }))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const fields = forms.flatMap(({ properties }) =>
        properties && Object.hasOwn(properties, name) ? [properties[name]!] : [],
      )
      return [name, fields.length === 0 ? field : asMeant(field, { anyOf: fields })]
    }),
  )
}

/** Also the words of Openness' `ImportOptions`, which scripts send where an import may replace what is there. */
const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['override', true],
  ['none', false],
])

function textAsMeant(text: string, forms: readonly PlainSchema[]): unknown {
  const words = forms.flatMap((form) => form.enum ?? ('const' in form ? [form.const] : [])).filter(isText)
  if (words.includes(text)) return text
  const same = words.filter((word) => word.toLowerCase() === text.trim().toLowerCase())
  if (same.length === 1) return same[0]
  // Free text may be anything.
  if (forms.some((form) => accepts(form, 'string') && form.enum === undefined)) return text
  const trimmed = text.trim()
  const isNumber = trimmed !== '' && Number.isFinite(Number(trimmed))
  if (isNumber && forms.some((form) => accepts(form, 'number'))) return Number(trimmed)
  if (isNumber && Number.isInteger(Number(trimmed)) && forms.some((form) => accepts(form, 'integer')))
    return Number(trimmed)
  const truth = truths.get(trimmed.toLowerCase())
  if (truth !== undefined && forms.some((form) => accepts(form, 'boolean'))) return truth
  const json = withoutFence(trimmed)
  const wanted = json.startsWith('{') ? 'object' : json.startsWith('[') ? 'array' : undefined
  // One text where texts are listed: `role: "Operator"` for `roles`. With commas it may be a list.
  const isOneOfList = forms.some((form) => accepts(form, 'array') && form.items && accepts(form.items, 'string'))
  if (wanted === undefined && isOneOfList && trimmed !== '' && !trimmed.includes(',')) return [text]
  if (wanted === undefined || !forms.some((form) => accepts(form, wanted))) return text
  try {
    return asMeant(JSON.parse(json), { anyOf: forms })
  } catch {
    return text
  }
}

/** The text in a Markdown code fence, or the text itself. */
export function withoutFence(text: string): string {
  return /^\s*```[^\n]*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text
}

function accepts({ type }: PlainSchema, wanted: string): boolean {
  return type !== undefined && [type].flat().includes(wanted)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
