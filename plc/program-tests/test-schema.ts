// biome-ignore-all lint/suspicious/noThenProperty: a word of JSON Schema and of test files
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as test files have them
/**
 * The JSON Schema of `*.test.yml`: the fields that the reader knows, with what editors show of them. `gantry schema
 * test` prints it. JSON Schema draft 7, which editors know best; plain data, since TypeBox would take longer to load
 * than most tests take to run.
 */

/** What the reader and editors need of a JSON Schema. */
export interface TestSchema {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TestSchema>>
  readonly [keyword: string]: unknown
}

const text: TestSchema = { type: ['string', 'number'] }
const texts = (description: string): TestSchema => ({
  description,
  anyOf: [text, { type: 'array', items: text }],
})
const fileNames = texts
/** A name in a path: ${column} of a table may be in each text. */
const variables = (description: string, examples: readonly unknown[]): TestSchema => ({
  ...{ type: 'object', description, examples },
})
const time = (description: string): TestSchema => ({
  ...{ type: 'string', description, examples: ['T#500ms', 'T#2s', 'T#1m30s'] },
})
const closed = (
  description: string,
  properties: Readonly<Record<string, TestSchema>>,
  more: object = {},
): TestSchema => ({
  ...{ type: 'object', description, properties, additionalProperties: false },
  ...more,
})

const conditions = (description: string): TestSchema => ({
  ...{ type: 'object', minProperties: 1, description },
  examples: [{ Running: true, Speed: { near: 5.0, by: 0.1 }, Count: '> 3' }],
  additionalProperties: {
    anyOf: [{ $ref: '#/definitions/comparison' }, { not: { $ref: '#/definitions/hasComparison' } }],
  },
})

export const comparisonFields: Readonly<Record<string, TestSchema>> = {
  is: { description: 'Exactly this, also a text that looks like a comparison: "> 3".' },
  not: { description: 'Anything but this.' },
  near: { description: 'This number or time, give or take "by".' },
  by: { description: 'The tolerance of "near".' },
  between: { type: ['array', 'string'], minItems: 2, maxItems: 2, description: 'The lowest and the highest value.' },
  oneOf: { type: ['array', 'string'], description: 'One of these values.' },
  '<': { description: 'Less than this.' },
  '<=': { description: 'At most this.' },
  '>': { description: 'More than this.' },
  '>=': { description: 'At least this.' },
}

export const stepFields: Readonly<Record<string, TestSchema>> = {
  set: variables('Variables and the values that are written first.', [{ Start: true, Delay: 'T#500ms' }]),
  wait: time('Time that passes before the cycles, without one.'),
  event: texts('Organization blocks that run before the cycles, by name or number.'),
  stimulus: {
    ...{ ...text, description: 'A CSV file with a column "time" and one for each variable, from the test file.' },
  },
  run: {
    ...{ type: 'string', description: 'How long the program runs: cycles, or virtual time.' },
    examples: ['1 cycle', '3 cycles', 'T#5s'],
  },
  expect: conditions('Variables and what they must be then.'),
  within: time('Runs until all of "expect" is true, at most this long.'),
  never: {
    description: 'What must not be true together after any cycle of the step.',
    anyOf: [conditions('One combination.'), { type: 'array', items: conditions('One combination.') }],
  },
}

const step: TestSchema = closed('A step: set, wait, event, stimulus or run, then expect.', stepFields, {
  minProperties: 1,
  allOf: [
    { if: { required: ['within'] }, then: { required: ['expect'] } },
    {
      if: { required: ['never'] },
      then: { anyOf: [{ required: ['run'] }, { required: ['within'] }, { required: ['stimulus'] }] },
    },
  ],
})
/** Either a step, or the variables of one whose only field is left out. */
const stepOr = (field: 'set' | 'expect', description: string): TestSchema => ({
  description,
  if: { type: 'object', anyOf: Object.keys(stepFields).map((name) => ({ required: [name] })) },
  then: { $ref: '#/definitions/step' },
  else: stepFields[field],
})
const shortSteps = (field: 'set' | 'expect', description: string): TestSchema => ({
  description,
  anyOf: [
    { allOf: [{ type: 'object' }, stepOr(field, description)] },
    { type: 'array', minItems: 1, items: { allOf: [{ type: 'object' }, stepOr(field, description)] } },
  ],
})

export const caseFields: Readonly<Record<string, TestSchema>> = {
  name: { ...text, description: 'Name of the case; with a table its columns may stand in it: ${raw}.' },
  after: { ...text, description: 'Name of a case above whose steps run first.' },
  tags: texts('Tags of the case, for --tag.'),
  table: {
    ...{ type: 'array', minItems: 1, items: { type: 'object' } },
    description: 'Rows of names and values: the case runs once for each, with ${name} replaced.',
  },
  given: variables('Values before the first cycle.', [{ Delay: 'T#500ms' }]),
  when: shortSteps('set', 'What is set, or steps. Needs "then".'),
  then: shortSteps('expect', 'What must be true after one cycle, or steps.'),
  steps: {
    type: 'array',
    minItems: 1,
    items: { $ref: '#/definitions/step' },
    description: 'Steps, one after the other.',
  },
}

export const limitFields: Readonly<Record<string, TestSchema>> = {
  cycles: {
    type: ['integer', 'string'],
    minimum: 1,
    maximum: 1e9,
    default: 1_000_000,
    description: 'Most cycles of a case.',
  },
  seconds: {
    ...{ type: ['number', 'string'], exclusiveMinimum: 0, maximum: 1e9, default: 30 },
    description: 'Longest time of a case on the clock of the computer.',
  },
}

export const connectionFields: Readonly<Record<string, TestSchema>> = {
  from: { ...text, description: 'A variable with its controller: line/Data.done.' },
  to: { ...text, description: 'The variable that gets its value after each cycle.' },
}

export const fileFields: Readonly<Record<string, TestSchema>> = {
  block: { ...text, description: 'An FB, FC or OB of the program that is called alone in each cycle.' },
  program: { const: true, description: 'The whole program runs: its organization blocks.' },
  controllers: {
    ...{ type: 'object', minProperties: 1, additionalProperties: text, examples: [{ line: 'PLC_1' }] },
    propertyNames: { pattern: '^[^/"]*$' },
    description: 'Several controllers: name and folder of the program, from the test file.',
  },
  connect: {
    ...{ type: 'array', items: closed('A connection.', connectionFields, { required: ['from', 'to'] }) },
    description: 'Values that are copied between controllers after each cycle.',
  },
  cycle: time('Virtual time between two cycles. Default: T#10ms.'),
  limits: closed('Limits of each case.', limitFields),
  stubs: fileNames('Sources whose blocks take the places of those of the program, from the test file.'),
  tags: texts('Tags of all cases.'),
  cases: {
    ...{ type: 'array', minItems: 1, maxItems: 100_000 },
    items: closed('A case.', caseFields, {
      required: ['name'],
      oneOf: [{ required: ['steps'] }, { required: ['then'] }],
      dependencies: { when: ['then'] },
    }),
    description: 'The cases; each begins with the start image of the program.',
  },
}

/** The whole schema. */
export const testSchema: TestSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: '*.test.yml',
  description: 'Tests of a PLC program, for "gantry test".',
  type: 'object',
  properties: fileFields,
  additionalProperties: false,
  required: ['cases'],
  oneOf: [{ required: ['block'] }, { required: ['program'] }, { required: ['controllers'] }],
  dependencies: { connect: ['controllers'] },
  definitions: {
    step,
    comparison: {
      ...closed('A comparison.', comparisonFields),
      anyOf: [
        { required: ['near', 'by'], maxProperties: 2 },
        { maxProperties: 1, not: { anyOf: [{ required: ['near'] }, { required: ['by'] }] }, minProperties: 1 },
      ],
    },
    hasComparison: {
      type: 'object',
      anyOf: Object.keys(comparisonFields).map((name) => ({ required: [name] })),
    },
  },
}
