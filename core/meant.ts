/**
 * What a client meant where it only spelled a name or a value otherwise. Models and scripts send `device` for
 * `deviceName`; numbers, booleans and JSON as text, and words of a list in another case. Values are looked at when an
 * input does not fit its schema; one that fits is never changed.
 */
import type { PlainSchema } from './schema.ts'

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
  if (subject !== undefined) add(subject, 'name')
  const fields = new Set([...Object.keys(declared), ...Object.keys(more)])
  return Object.fromEntries([...fields].map((field) => [field, [...(declared[field] ?? []), ...(more[field] ?? [])]]))
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
  if (/^(true|false)$/i.test(trimmed) && forms.some((form) => accepts(form, 'boolean')))
    return trimmed.toLowerCase() === 'true'
  const json = withoutFence(trimmed)
  const wanted = json.startsWith('{') ? 'object' : json.startsWith('[') ? 'array' : undefined
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

/** A schema and its alternatives. */
function formsOf(schema: PlainSchema): PlainSchema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(formsOf)]
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
