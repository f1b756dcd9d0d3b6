/**
 * What each template makes: its parameters, the source by default, and what other values change in it
 * (`fixtures/*.txt`); of one template the documentation too.
 */
import { test } from 'node:test'
import { assertRecorded } from '../../test/recorded.ts'
import { changedLines } from '../testing/outline.ts'
import type { ParameterSchema } from './parameter.ts'
import type { Template } from './template.ts'
import { templateNamed, templates } from './templates.ts'

/** Other values of a parameter: every choice, both ends of a number, short and long lists, another name. */
function others({ type, enum: allowed, minimum, maximum, minItems = 0, maxItems = 0, ...schema }: ParameterSchema) {
  const values: readonly unknown[] =
    type === 'boolean'
      ? [!schema.default]
      : type === 'array'
        ? [minItems, Math.min(maxItems, 3)].map((length) => ['MixSlow', 'b', 'Tank2Heat'].slice(0, length))
        : (allowed ?? (minimum === undefined ? [schema.pattern?.includes('.') ? '12.3' : 'Other'] : [minimum, maximum]))
  return values.filter((value) => JSON.stringify(value) !== JSON.stringify(schema.default))
}

const schemaLine = ({ description, items, ...schema }: ParameterSchema) =>
  `${JSON.stringify(items === undefined ? schema : { ...schema, items })} ${description}`

function told(template: Template): string[] {
  const { name, title, category, summary, stateMember, parameters } = template
  const made = template.generate()
  const source = made.source.split('\n')
  const variants = Object.entries(parameters).flatMap(([parameter, schema]) =>
    others(schema).flatMap((value) => {
      const head = `── ${parameter} = ${JSON.stringify(value)}`
      const faults = template.check({ [parameter]: value })
      if (faults.length > 0) return [head, ...faults.map(({ path, message }) => `  ! ${path} ${message}`)]
      const { source: text, call } = template.generate({ [parameter]: value })
      const calls = call === made.call ? [] : changedLines(made.call.split('\n'), call.split('\n'), 2)
      return [head, ...changedLines(source, text.split('\n'), 5), ...calls.map((line) => `call: ${line}`)]
    }),
  )
  return [
    `${name}: ${title} (${category}), ${stateMember}: ${summary}`,
    ...Object.entries(parameters).map(([parameter, schema]) => `  ${parameter} ${schemaLine(schema)}`),
    ...source,
    made.call,
    ...variants,
  ]
}

for (const template of templates)
  test(`${template.name} is made as it was read`, () => {
    assertRecorded(import.meta.url, `${template.name}.txt`, `${told(template).join('\n')}\n`)
  })

test('the documentation of a template', () => {
  const { documentation } = templateNamed('batch-sequence')!.generate({
    instances: ['A', 'B'],
    steps: ['Fill', 'MixSlow'],
  })
  assertRecorded(import.meta.url, 'documentation.md', `${documentation}\n`)
})
