/** What holds for every template, in every combination of parameters that changes its structure. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileProgram } from '../compiler/compile-program.ts'
import { interfaceFacts } from '../compiler/interfaces.ts'
import { blobHash } from '../compiler/program-file.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import { writeSimaticMl } from '../formats/simaticml/write.ts'
import { readSource } from '../formats/source/read.ts'
import type { ImportedObject } from '../model/object.ts'
import type { ParameterSchema } from './parameter.ts'
import { duration, real } from './source.ts'
import type { Generated, Template } from './template.ts'
import { wiredPins } from './template.ts'
import { templateNamed, templates } from './templates.ts'

type Values = Readonly<Record<string, unknown>>

/** The values that a parameter is tried with: all of a choice, the ends and the default of a number. */
function tried({ type, default: value, enum: allowed, minimum, maximum }: ParameterSchema): readonly unknown[] {
  if (type === 'boolean') return [true, false]
  if (allowed !== undefined) return allowed
  // The most of something large is tried alone (below).
  return type === 'integer' && maximum !== undefined && maximum <= 100 ? [value, minimum, maximum] : [value]
}

/** Every combination of the values that change the structure. */
function combinations(template: Template): readonly Values[] {
  let all: Values[] = [{}]
  for (const [name, schema] of Object.entries(template.parameters)) {
    const values = [...new Set(tried(schema))]
    if (values.length > 1) all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
  }
  return all
}

/** Each number and list at its ends, everything else as it is by default; a range must keep its span. */
function extremes(template: Template): readonly Values[] {
  const all = Object.entries(template.parameters).flatMap(([name, schema]): Values[] => {
    const { type, minimum, maximum, minItems, maxItems } = schema
    if (type === 'integer' || type === 'number') return [{ [name]: minimum }, { [name]: maximum }]
    if (type !== 'array') return []
    const list = (length: number) => Array.from({ length }, (_one, i) => `Item${i + 1}`)
    return [{ [name]: list(minItems ?? 0) }, { [name]: list(maxItems ?? 0) }]
  })
  return all.filter((values) => !template.check(values).some(({ path }) => path === '/rangeHigh'))
}

/** The objects of a source with an organization block that calls its instance as the documentation shows. */
function objectsOf({ source, call, design }: Generated): readonly ImportedObject[] {
  const { inputs, outputs } = wiredPins(design.block)
  const signals = [...inputs, ...outputs].map(({ name, type }) => `${name} : ${type};`)
  const { blocks, faults } = readSource(`${source}
DATA_BLOCK "Signals"
{ S7_Optimized_Access := 'TRUE' }
VAR
${signals.join('\n')}
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "OB1"
BEGIN
${call}
END_ORGANIZATION_BLOCK
`)
  assert.deepEqual(faults, [])
  return blocks.map(({ object }) => object)
}

function messagesOf(objects: readonly ImportedObject[]): readonly string[] {
  const documents = objects.map((object, i) => ({
    object,
    document: blobHash(object.text ?? String(i)),
    facts: interfaceFacts(object),
  }))
  const compiled = compileProgram({ documents, tables: [], compiler: 'test', unitsOf: () => [] })
  const all = [...compiled.others, ...compiled.objects.flatMap(({ diagnostics }) => diagnostics)]
  if (compiled.program === undefined && all.length === 0) return ['no program']
  return all
    .filter(({ severity, object }) => severity !== 'information' && object !== 'Signals')
    .map(({ object, line, code, message }) => `${object} ${line}: ${code}: ${message}`)
}

for (const template of templates)
  describe(template.name, () => {
    const { parameters, check } = template

    test('compiles without warnings in every combination of its parameters', () => {
      for (const values of [...combinations(template), ...extremes(template)]) {
        const instances = values.instances as readonly string[] | undefined
        if (instances?.length === 0) continue
        assert.deepEqual(check(values), [])
        assert.deepEqual(messagesOf(objectsOf(template.generate(values))), [], JSON.stringify(values))
      }
    })

    for (const version of ['V16', 'V21'] as const)
      test(`goes through SimaticML of ${version} and compiles as before`, () => {
        for (const values of combinations(template)) {
          const objects = objectsOf(template.generate(values))
          const callee = (name: string) => {
            const of = objects.find((one) => one.name === name)?.instanceOf
            return of === undefined ? undefined : { kind: 'FB' as const, name: of }
          }
          const back = objects.map((object) => {
            const { text, warnings } = writeSimaticMl(object, { version, culture: 'en-US', callee })
            assert.deepEqual(warnings, [], object.name)
            return readSimaticMlText(text).objects[0] as ImportedObject
          })
          assert.deepEqual(messagesOf(back), [], `${version} ${JSON.stringify(values)}`)
        }
      })

    test('is written as its documentation says', () => {
      const { documentation, design, objects, source, call } = template.generate()
      for (const { name, comment } of [...design.states, ...design.block.inputs, ...design.block.outputs])
        assert.ok(documentation.includes(name) && documentation.includes(comment), name)
      assert.ok(documentation.includes(call))
      // Every constant is used, and states appear in the code by name only.
      for (const { name } of [...design.states, ...(design.block.constants ?? [])])
        assert.ok(design.block.body.includes(`#${name}`), `${name} is not used`)
      const names = [...source.matchAll(/#(\w+)/g)].map(([, name]) => name)
      const { inputs, outputs, inOuts = [], statics = [], retains = [], temps = [], constants = [] } = design.block
      const declared = [...inputs, ...outputs, ...inOuts, ...statics, ...retains, ...temps, ...constants]
      for (const { name } of declared) assert.ok(names.includes(name), `${name} is declared and not used`)
      // No magic numbers: 0 and 1 count, everything else has a name.
      const code = design.block.body.replace(/\/\/.*$/gm, '').replace(/[#.%]\w+|"[^"]*"/g, '')
      assert.deepEqual(code.match(/\b(?!(?:0|1|0\.0|1\.0)\b)\d+(?:\.\d+)?\b/g), null)
      assert.equal((code.match(/\bREGION\b/g) ?? []).length, (code.match(/\bEND_REGION\b/g) ?? []).length)
      for (const { text, kind } of objects) if (kind !== 'UDT') assert.match(text, /^AUTHOR : 'Gantry'$/m)
      for (const values of combinations(template)) {
        const text = template.generate(values).source
        assert.doesNotMatch(text, /\n\n\n|[ \t]\n|\n\n\t *END_|undefined(?! state)|NaN|\nfalse/, JSON.stringify(values))
        for (const line of text.split('\n')) assert.ok(line.length <= 150, line)
      }
    })

    test('its parameters have defaults that fit, and refuse what does not', () => {
      const defaults = Object.fromEntries(Object.entries(parameters).map(([name, one]) => [name, one.default]))
      assert.deepEqual(check(defaults), [])
      assert.deepEqual(template.generate(defaults).source, template.generate().source)
      for (const [name, schema] of Object.entries(parameters)) {
        assert.match(schema.description, /[.:]$/, name)
        for (const wrong of [null, { a: 1 }, [{}], '']) {
          const [fault] = check({ [name]: wrong })
          assert.ok(fault?.path === `/${name}` || fault?.path === `/${name}/0`, `${name}: ${JSON.stringify(wrong)}`)
          assert.throws(() => template.generate({ [name]: wrong }), RangeError)
        }
        if (schema.maximum !== undefined) assert.equal(check({ [name]: schema.maximum + 1 })[0]?.path, `/${name}`)
        if (schema.enum) assert.deepEqual(check({ [name]: 'x' })[0]?.allowed, schema.enum)
      }
    })

    test('several instances, other names, no instance', () => {
      const { objects, call } = template.generate({ blockName: 'Mein Block', instances: ['A 1', 'B'], version: '2.15' })
      const kinds = objects.map(({ kind }) => kind)
      assert.deepEqual(kinds.slice(-3), ['FB', 'InstanceDB', 'InstanceDB'])
      assert.ok(call.startsWith('"A 1"('))
      assert.deepEqual(messagesOf(objectsOf(template.generate({ blockName: 'Mein Block' }))), [])
      assert.ok(objects.every(({ kind, text }) => kind === 'UDT' || text.includes('VERSION : 2.15')))
      assert.equal(template.generate({ instances: [] }).objects.at(-1)?.kind, 'FB')
      assert.deepEqual(
        check({ blockName: 'Same', instances: ['Other', 'SAME'] }).map(({ path }) => path),
        ['/instances/1'],
      )
      assert.deepEqual(
        check({ instances: ['x', 'X'] }).map(({ path }) => path),
        ['/instances/1'],
      )
      assert.match(check({ blockNme: 'x' })[0]?.message ?? '', /did you mean "blockName"\?/)
      assert.equal(check({ 'a/b~c': 1 })[0]?.path, '/a~1b~0c')
    })
  })

test('ranges of templates have a span', () => {
  const told = (name: string, range: { rangeLow: number; rangeHigh: number }) => templateNamed(name)!.check(range)
  const high = (message: string, value: number) => [{ path: '/rangeHigh', message, value }]
  assert.deepEqual(told('pid-loop', { rangeLow: -5, rangeHigh: -4.5 }), [])
  assert.deepEqual(told('pid-loop', { rangeLow: 5, rangeHigh: 5 }), high('must be more than rangeLow (5)', 5))
  assert.deepEqual(told('analog-scaling', { rangeLow: 100, rangeHigh: 0 }), [])
  assert.deepEqual(
    told('analog-scaling', { rangeLow: 5, rangeHigh: 5 }),
    high('must differ from rangeLow (5): the value would never change', 5),
  )
})

test('every template has its own name, and is found however it is spelt', () => {
  assert.ok(templates.length >= 1)
  assert.equal(new Set(templates.map(({ name }) => name)).size, templates.length)
  assert.equal(templateNamed('Motor_Direct')?.name, 'motor-direct')
  assert.equal(templateNamed('motor'), undefined)
})

test('numbers as SCL writes them', () => {
  assert.deepEqual([duration(3), duration(0.25), duration(86_400)], ['T#3S', 'T#250MS', 'T#86400S'])
  assert.deepEqual([real(1), real(0.5), real(1e-7), real(1e21)], ['1.0', '0.5', '1.0E-7', '1.0E+21'])
})
