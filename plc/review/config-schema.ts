/**
 * The JSON Schema of `gantry.yml`: what the reader allows, and what editors complete and check. `gantry schema config`
 * prints it. JSON Schema draft 7, which editors know best; plain data, since TypeBox would take longer to load than
 * most files take to be checked.
 */
import { diagnosticCodes } from '../diagnostics/codes.ts'
import { contributedCode } from './contributed-rule.ts'
import type { OptionValue } from './rule.ts'
import { rulesByCode } from './rules.ts'

/** What the readers of files need of a JSON Schema. */
export interface FileSchema {
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number | boolean)[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, FileSchema>>
  readonly additionalProperties?: boolean | FileSchema
  readonly required?: readonly string[]
  readonly items?: FileSchema
  readonly anyOf?: readonly FileSchema[]
  readonly [keyword: string]: unknown
}

export const severities = ['error', 'warning', 'information'] as const
export const failLevels = [...severities, 'never'] as const
export const ruleLevels = ['off', ...severities] as const
export const formatStyles = ['gantry', 'tia'] as const
export const keywordCases = ['upper', 'keep'] as const

const text: FileSchema = { type: ['string', 'number'] }
const texts = (description: string, examples: readonly unknown[]): FileSchema => ({
  ...{ description, examples },
  anyOf: [{ type: 'string' }, { type: 'array', items: text }],
})

export const formatFields: Readonly<Record<string, FileSchema>> = {
  style: {
    enum: formatStyles,
    default: 'gantry',
    description: 'tia: as TIA Portal writes sources, so that an export of the same program changes nothing.',
  },
  indent: {
    anyOf: [{ type: 'integer', minimum: 1, maximum: 8 }, { enum: ['tab'] }],
    default: 4,
    description: 'Blanks of one level, or tab. Not with style: tia.',
  },
  keywords: { enum: keywordCases, default: 'upper', description: 'Case of keywords.' },
}

export const deviceFields: Readonly<Record<string, FileSchema>> = {
  name: { type: 'string', minLength: 1, description: 'Name of the controller.' },
  folder: texts('Its folder, from the one that is checked. Default: its name.', ['line1']),
  folders: texts('Several folders.', [['line2', 'shared']]),
}

/** The fields of `gantry.yml` but for the rules. */
const fields: Readonly<Record<string, FileSchema>> = {
  devices: {
    type: 'array',
    description:
      'Controllers and their folders. Default: those of the hardware (.aml), else all files are one program.',
    items: {
      anyOf: [
        { type: 'string' },
        { type: 'object', properties: deviceFields, required: ['name'], additionalProperties: false },
      ],
    },
    examples: [[{ name: 'PLC_1', folder: 'line1' }]],
  },
  ignore: texts('Paths that are left out, from this folder; * means any characters.', [['old/*']]),
  libraries: texts('Names that libraries supply; * means any characters.', [['LGF_*']]),
  culture: { type: 'string', minLength: 1, default: 'en-US', description: 'Language of texts in sources.' },
  failOn: { enum: failLevels, default: 'error', description: 'The lowest severity that makes the check fail.' },
  missing: {
    ...{ enum: severities, default: 'warning' },
    description: 'Severity of blocks, types and tags that the program uses and the folder does not hold.',
  },
  format: {
    ...{ type: 'object', properties: formatFields, additionalProperties: false },
    description: 'How "gantry fmt" and editors write sources.',
  },
  plugins: texts('Folders of plugins whose rules and file formats count, from the folder of this file.', [
    ['./gantry-plugins/plant-rules'],
  ]),
  rules: { type: 'object', description: 'By rule: its severity, or a mapping with severity and options.' },
}

export const configFields = Object.keys(fields)

function optionSchema(name: string, like: OptionValue, description: string): FileSchema {
  if (Array.isArray(like)) return { ...texts(description, [like]), default: like }
  if (typeof like === 'number') return { type: 'number', minimum: 0, default: like, description }
  if (typeof like === 'boolean') return { type: 'boolean', default: like, description }
  return { type: 'string', default: like, description, ...(name === 'pattern' ? { format: 'regex' } : {}) }
}

const level: FileSchema = { $ref: '#/definitions/level' }
const error: FileSchema = { enum: ['error'], description: 'An error of the compiler stays one.' }

function ruleSchemas() {
  const found: Record<string, FileSchema> = {}
  const add = (code: string, description: string, severity: FileSchema, own: Readonly<Record<string, FileSchema>>) => {
    const properties = { severity, ...own }
    found[code] = { description, anyOf: [severity, { type: 'object', properties, additionalProperties: false }] }
  }
  for (const [code, { title, options = {} }] of rulesByCode) {
    const own = Object.entries(options).map(([name, one]) => [name, optionSchema(name, one.value, one.description)])
    add(code, title, level, Object.fromEntries(own))
  }
  for (const [code, { title, severity }] of diagnosticCodes)
    if (!rulesByCode.has(code)) add(code, title, severity === 'error' ? error : level, {})
  // Which options a rule of a plugin has is not known here.
  const contributed = { anyOf: [level, { type: 'object', properties: { severity: level } }] }
  return { properties: found, patternProperties: { [contributedCode.source]: contributed } }
}

/** The whole schema. */
export function configSchema(): FileSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'gantry.yml',
    description: 'How Gantry checks and formats the exports of a PLC program.',
    // A file with comments alone is one.
    type: ['object', 'null'],
    properties: { ...fields, rules: { ...fields.rules, ...ruleSchemas(), additionalProperties: false } },
    additionalProperties: false,
    definitions: {
      // YAML 1.1 tools write `off` as the value false.
      level: { enum: [...ruleLevels, false], description: 'Severity, or off.' },
    },
  }
}
