/** Where plugins give templates of blocks. */
import { extensionPoint } from '../../core/index.ts'
import type { ParameterSchema } from '../../plc/templates/parameter.ts'
import type { Template } from '../../plc/templates/template.ts'

/** What a template makes of its parameters. */
export interface MadeFromTemplate {
  /** SCL: types, function blocks and instance data blocks, in the order of their needs. */
  readonly source: string
  readonly objects: readonly { readonly name: string; readonly kind: 'UDT' | 'FB' | 'FC' | 'InstanceDB' }[]
  /** A call, for an organization block. */
  readonly call: string
  /** Markdown. */
  readonly documentation: string
}

/** A template of a plugin. */
export interface ContributedTemplate {
  /** `<plugin>-<name>`. */
  readonly name: string
  readonly title: string
  readonly category: string
  /** One sentence: what the block does. */
  readonly summary: string
  /** JSON schemas with defaults by the names of parameters. */
  readonly parameters: Readonly<Record<string, ParameterSchema>>
  /** @param values of all parameters: given, checked by their schemas, or the defaults */
  generate(values: Readonly<Record<string, unknown>>): MadeFromTemplate
}

/** A template as the operations use it: a built-in one, or one of a plugin. */
export interface UsableTemplate
  extends Pick<Template, 'name' | 'title' | 'category' | 'summary' | 'parameters' | 'check'> {
  generate(
    given?: Readonly<Record<string, unknown>>,
  ): MadeFromTemplate & { readonly parameters: Readonly<Record<string, unknown>> }
}

/** Templates beside the built-in ones (plc/templates/). */
export const blockTemplate = extensionPoint<ContributedTemplate>('block-templates.templates', {
  title: 'Templates of blocks',
  description:
    'A template with parameters that makes the source of blocks. It is listed, explained and generated from as the built-in ones are; what it makes is imported and compiled in one job.',
  constant: 'blockTemplate',
  check: {
    name: 'text',
    title: 'text',
    category: 'text',
    summary: 'text',
    parameters: 'object',
    generate: 'function',
  },
  faults({ name, parameters }, plugin) {
    const faults: string[] = []
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || !name.startsWith(`${plugin}-`))
      faults.push(`the name of a template is "${plugin}-<name>" in lower-case words with hyphens, not "${name}"`)
    for (const [parameter, schema] of Object.entries(parameters))
      if (schema?.type === undefined || schema.default === undefined)
        faults.push(`parameter "${parameter}" needs type, description and default`)
    return faults
  },
  example:
    "{ name: 'plant-pump', title: 'A pump', category: 'Drives', summary: 'It runs a pump.', parameters: { blockName: { type: 'string', description: 'Name.', default: 'Pump' } }, generate: ({ blockName }) => ({ source: 'FUNCTION_BLOCK \"' + blockName + '\" …', objects: [{ name: blockName, kind: 'FB' }], call: '', documentation: '' }) }",
})
