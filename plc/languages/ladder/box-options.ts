/**
 * Finds version, templates and other properties of an instruction, from the braces in the text and the types around it.
 */

import { defined } from '../../../lib/optional.ts'
import type { TemplateValue } from '../../model/instance.ts'
import { cardinality, type InstructionOptions, typeTemplate } from './build.ts'
import { commonType, literalType } from './data-types.ts'
import { defaultTemplates, defaultVersions, typedInputs, typedOutputs } from './elements.ts'
import { ExpressionFault } from './expression-fault.ts'
import type { Braces } from './expression-syntax.ts'

/** The known types of the operands at a box. */
export interface KnownTypes {
  readonly inputs: ReadonlyMap<string, { readonly type: string | undefined; readonly literal?: string }>
  readonly outputs: readonly (string | undefined)[]
}

interface Named {
  readonly name: string
  readonly at: number
}

/** Instructions whose type TIA Portal can determine itself (`AutomaticTyped`). */
const canBeAutomatic: ReadonlySet<string> = new Set(['Add', 'Sub', 'Mul', 'Div', 'Mod'])

/**
 * Returns the options of an instruction's box.
 * @throws ExpressionFault when a data type is needed and neither known nor given in braces
 */
export function boxOptions(box: Named, braces: Braces | undefined, types: KnownTypes): InstructionOptions {
  const { templates, automaticTyped } = templatesOf(box, braces, types)
  if (typedInputs.has(box.name) && !templates.some(({ name }) => name === 'SrcType') && automaticTyped.length === 0)
    throw new ExpressionFault(box.at, unknownType(box.name, types))
  const version = braces?.entries.get('Version') ?? defaultVersions.get(box.name)
  const disabled = braces?.entries.get('DisabledENO')
  const invisible = braces?.entries.get('Invisible')?.split(' ') ?? []
  return {
    templates,
    automaticTyped,
    ...defined({ version }),
    ...(disabled === 'true' || disabled === 'false' ? { disabledEno: disabled === 'true' } : {}),
    ...(invisible.length === 0 ? {} : { invisible }),
  }
}

/** Entries of braces that are not templates. */
const otherEntries: ReadonlySet<string> = new Set(['Version', 'DisabledENO', 'Invisible', 'BlockType', 'auto'])

/** Returns the templates of a box; those that are neither given nor can be derived are missing. */
export function templatesOf(
  { name }: Named,
  braces: Braces | undefined,
  types: KnownTypes,
): { readonly templates: readonly TemplateValue[]; readonly automaticTyped: readonly string[] } {
  const templates: TemplateValue[] = []
  const automaticTyped: string[] = []
  for (const [entry, value] of braces?.entries ?? []) {
    if (entry === 'auto') automaticTyped.push(value)
    if (otherEntries.has(entry)) continue
    const [kind, spelled] = entry.includes(' ') ? (entry.split(' ') as [string, string]) : [undefined, entry]
    if (kind !== undefined) templates.push({ name: spelled, type: kind, value })
    else if (/^card$/i.test(spelled)) templates.push({ ...cardinality(0), name: spelled, value })
    else templates.push(typeTemplate(spelled, value))
  }
  for (const word of braces?.words ?? []) {
    if (word === 'auto') automaticTyped.push('SrcType')
    else templates.push(typeTemplate('SrcType', word))
  }
  const has = (template: string) =>
    automaticTyped.includes(template) || templates.some((given) => given.name === template)
  const [usual, value] = defaultTemplates.get(name) ?? []
  if (usual !== undefined && value !== undefined && !has(usual))
    templates.push(typeTemplate(usual, isLongTime(types) ? 'LTime' : value))
  if (typedInputs.has(name) && !has('SrcType')) {
    const type = sourceType(name, types)
    if (type !== undefined) templates.push(typeTemplate('SrcType', type))
    else if (canBeAutomatic.has(name)) automaticTyped.push('SrcType')
  }
  if (typedOutputs.has(name) && !has('DestType')) {
    const type = destinationType(name, types)
    if (type !== undefined) templates.push(typeTemplate('DestType', type))
  }
  return { templates, automaticTyped }
}

function isLongTime({ inputs }: KnownTypes): boolean {
  return [...inputs.values()].some(({ type }) => type === 'LTime')
}

function sourceType(name: string, { inputs, outputs }: KnownTypes): string | undefined {
  const asked = [...inputs].filter(([pin]) => pin !== 'n' && pin !== 'en' && !(name === 'Scale_X' && pin !== 'value'))
  const symbols = asked.filter(([, { literal }]) => literal === undefined)
  if (symbols.some(([, { type }]) => type === undefined)) return undefined
  if (symbols.length > 0) {
    const type = commonType(symbols.map(([, known]) => plain(known.type as string)))
    // In `#int + 1.5` and `#int = 40000` the literal determines the type.
    const literals = asked.flatMap(([, { literal }]) => (literal === undefined ? [] : [literalType(literal) ?? '']))
    const needed = type !== undefined && literals.includes('Real') ? commonType([type, 'Real']) : type
    return needed
  }
  const [output] = outputs
  const isNumber = asked.every(([, { literal }]) => literalType(literal ?? '') !== 'Bool')
  if (output !== undefined && isNumber && name !== 'Convert') return plain(output)
  return commonType(asked.map(([, { literal, type }]) => type ?? literalType(literal ?? '') ?? 'Int'))
}

function destinationType(name: string, { inputs, outputs }: KnownTypes): string | undefined {
  if (name === 'Inc' || name === 'Dec') return inputs.get('operand')?.type
  const [output] = outputs
  if (output !== undefined) return plain(output)
  if (name === 'Normalize') return 'Real'
  if (name !== 'Scale_X') return undefined
  const limits = ['min', 'max'].flatMap(
    (pin) => inputs.get(pin)?.type ?? literalType(inputs.get(pin)?.literal ?? '') ?? [],
  )
  return commonType(limits)
}

/** The type without a length: `String` for `String[20]`. */
function plain(type: string): string {
  return /^W?String\[/i.test(type) ? type.replace(/\[.*$/, '') : type
}

function unknownType(name: string, { inputs }: KnownTypes): string {
  const known = [...inputs].map(
    ([pin, { type, literal }]) => `${pin}: ${type ?? (literal === undefined ? 'not known' : literal)}`,
  )
  return `the data type ${name} works with does not follow from its operands (${known.join(', ')}); say it in braces, e.g. #a ={Int} #b or ${name}{Int}(…)`
}
