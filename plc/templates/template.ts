/** What a template is, and how it becomes source text and documentation. */
import type { Parameters, ValuesOf } from './parameter.ts'
import { faultsOf, names, type ParameterFault, type ParameterSchema, text, version } from './parameter.ts'
import {
  blockText,
  type Constant,
  type DataType,
  type FunctionBlock,
  type Header,
  instanceText,
  type Member,
  typeText,
} from './source.ts'

/** What a template makes of its parameters. */
export interface Design {
  readonly types?: readonly DataType[]
  readonly block: FunctionBlock
  /** The states that the block goes through, as its output shows them. */
  readonly states: readonly Constant[]
}

/** A template as its file declares it. */
export interface TemplateDeclaration<P extends Parameters> {
  /** Name in addresses: words with hyphens. */
  readonly name: string
  readonly title: string
  readonly category: 'Drives' | 'Valves' | 'Analog' | 'Process' | 'Alarms' | 'Conveying' | 'Control' | 'Data'
  /** One sentence: what the block does. */
  readonly summary: string
  /** Default name of the function block. */
  readonly blockName: string
  /** Member that shows the state; default `state`. With `[i]` for one of several. */
  readonly stateMember?: string
  /** What the block does, for the documentation. */
  readonly operation: readonly string[]
  /** How to wire it. */
  readonly wiring: readonly string[]
  readonly parameters: P
  /** What is wrong with values that are right each by itself. */
  readonly faults?: (values: ValuesOf<P>) => readonly ParameterFault[]
  /** @param blockName for the names of types */
  readonly design: (values: ValuesOf<P>, blockName: string) => Design
}

const commonParameters = (blockName: string) => ({
  blockName: text(blockName, 'Name of the function block.'),
  instances: names(
    [`${blockName}_DB`],
    [0, 100],
    'Names of the instance data blocks, one for each device; default: one, <blockName>_DB.',
  ),
  author: text('Gantry', 'Author in the headers.', 60),
  version: version('1.0', 'Version in the headers: major.minor.'),
})
type Common = ValuesOf<ReturnType<typeof commonParameters>>

/** A source that holds one object. */
export interface TemplateObject {
  readonly name: string
  readonly kind: 'UDT' | 'FB' | 'InstanceDB'
  readonly text: string
}

export interface Generated {
  /** All parameters, with defaults. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** In the order of their needs: types, function block, instances. */
  readonly objects: readonly TemplateObject[]
  /** All of them as one source. */
  readonly source: string
  /** A call of the first instance (of a variable, when there is none), as it is put into an organization block. */
  readonly call: string
  /** Markdown. */
  readonly documentation: string
  readonly design: Design
}

export interface Template {
  readonly name: string
  readonly title: string
  readonly category: string
  readonly summary: string
  readonly stateMember: string
  /** All parameters, those that every template has first. */
  readonly parameters: Readonly<Record<string, ParameterSchema>>
  /** What is wrong with values that a client gives. */
  check(given: Readonly<Record<string, unknown>>): readonly ParameterFault[]
  /**
   * Makes the source. What is not given has its default.
   * @throws RangeError for values that `check` refuses
   */
  generate(given?: Readonly<Record<string, unknown>>): Generated
}

/** Makes a template from its declaration. */
export function defineTemplate<P extends Parameters>(declared: TemplateDeclaration<P>): Template {
  const all: Parameters = { ...commonParameters(declared.blockName), ...declared.parameters }
  const valuesOf = (given: Readonly<Record<string, unknown>>) => {
    const defaults = Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one.default as unknown]))
    const blockName = given.blockName ?? declared.blockName
    const values: Record<string, unknown> = { ...defaults, instances: [`${blockName}_DB`], ...given }
    return values as ValuesOf<P> & Common
  }
  const check = (given: Readonly<Record<string, unknown>>) => {
    const faults = faultsOf(all, given)
    if (faults.length > 0) return faults
    const values = valuesOf(given)
    const together = declared.faults?.(values) ?? []
    return [...together, ...nameFaults(values, declared.design(values, values.blockName).types ?? [])]
  }
  return {
    name: declared.name,
    title: declared.title,
    category: declared.category,
    summary: declared.summary,
    stateMember: declared.stateMember ?? 'state',
    parameters: Object.fromEntries(Object.entries(all).map(([name, { schema }]) => [name, schema])),
    check,
    generate(given = {}) {
      const [fault] = check(given)
      if (fault) throw new RangeError(`${fault.path}: ${fault.message}`)
      const values = valuesOf(given)
      return generated(declared, values, declared.design(values, values.blockName))
    },
  }
}

/** Names of one template's objects differ, whatever their case. */
function nameFaults({ blockName, instances }: Common, types: readonly DataType[]): ParameterFault[] {
  const taken = new Set([blockName, ...types.map(({ name }) => name)].map((name) => name.toLowerCase()))
  return instances.flatMap((name, i) => {
    const message = 'is also the name of the function block or of one of its types'
    return taken.has(name.toLowerCase()) ? [{ path: `/instances/${i}`, message, value: name }] : []
  })
}

function generated<P extends Parameters>(
  declared: TemplateDeclaration<P>,
  values: ValuesOf<P> & Common,
  design: Design,
): Generated {
  const { blockName, instances } = values
  const header: Header = { author: values.author, family: declared.category, version: values.version }
  const { block, types = [] } = design
  const titled = { ...header, title: declared.title, comment: declared.summary }
  const whole = { ...block, constants: [...design.states, ...(block.constants ?? [])] }
  const objects: TemplateObject[] = [
    ...types.map((one) => ({ name: one.name, kind: 'UDT' as const, text: typeText(one) })),
    { name: blockName, kind: 'FB', text: blockText(blockName, titled, whole) },
    ...instances.map((name) => ({ name, kind: 'InstanceDB' as const, text: instanceText(name, blockName, header) })),
  ]
  const call = callText(`"${instances[0] ?? `${blockName}_DB`}"`, block)
  return {
    parameters: { ...values },
    objects,
    source: objects.map((one) => one.text).join('\n'),
    call,
    documentation: documentationOf(declared, design, call),
    design,
  }
}

/** Inputs with a start value are settings: a call leaves them out, unless they are changed at run time. */
export function wiredPins({ inputs, inOuts = [], outputs }: FunctionBlock) {
  return { inputs: [...inputs.filter(({ value }) => value === undefined), ...inOuts], outputs }
}

function callText(instance: string, block: FunctionBlock): string {
  const pins = wiredPins(block)
  const rows = [
    ...pins.inputs.map(({ name }) => `${name} := "Signals".${name}`),
    ...pins.outputs.map(({ name }) => `${name} => "Signals".${name}`),
  ]
  const margin = ' '.repeat(instance.length + 1)
  return `${instance}(${rows.join(`,\n${margin}`)});\n`
}

function documentationOf<P extends Parameters>(
  { title, summary, operation, wiring }: TemplateDeclaration<P>,
  { block, states, types = [] }: Design,
  call: string,
): string {
  const sections: [string, readonly Member[] | undefined][] = [
    ['Input', block.inputs],
    ['Output', block.outputs],
    ['InOut', block.inOuts],
  ]
  const rows = sections.flatMap(([section, members = []]) =>
    members.map(({ name, type, value = '', comment }) => row([section, name, type, value, comment])),
  )
  const codes = (block.constants ?? []).map(({ name, value, comment }) => row([name, value, comment]))
  return [
    `# ${title}`,
    summary,
    '## What it does',
    ...operation,
    '## States',
    table(
      ['Constant', 'Value', 'Meaning'],
      states.map(({ name, value, comment }) => row([name, value, comment])),
    ),
    '## Interface',
    table(['Section', 'Name', 'Type', 'Default', 'Meaning'], rows),
    ...(codes.length === 0 ? [] : ['## Constants', table(['Constant', 'Value', 'Meaning'], codes)]),
    ...types.flatMap(({ name, title: of, members }) => [
      `## Type ${name}`,
      `${of}.`,
      table(
        ['Member', 'Type', 'Default', 'Meaning'],
        members.map(({ name: one, type, value = '', comment }) => row([one, type, value, comment])),
      ),
    ]),
    '## How to wire it',
    ...wiring,
    'A call, in which the data block "Signals" stands for your own tags:',
    `\`\`\`scl\n${call}\`\`\``,
  ].join('\n\n')
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
