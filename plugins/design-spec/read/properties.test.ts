/** Properties over random specs: a valid spec runs to Done, an invalid one never breaks the reader. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { BlockInstance, type Value } from '../../../test/design-spec/scl-interpreter.ts'
import { loadSound } from '../../../test/design-spec/specs.ts'
import { generatePhase } from '../generate/generate.ts'
import { FAULTS } from '../model/faults.ts'
import { parseDesignSpec } from './parse.ts'
import { writeDesignSpec } from './write.ts'

/** A condition with inputs that make it true and inputs that make it false. */
interface ConditionCase {
  readonly text: string
  readonly whenTrue: Readonly<Record<string, Value>>
  readonly whenFalse: Readonly<Record<string, Value>>
}

const number = fc.integer({ min: -1000, max: 1000 })

const atom: fc.Arbitrary<ConditionCase> = fc.oneof(
  fc.boolean().map((value) => ({
    text: `M.Flag=${value ? 'TRUE' : 'FALSE'}`,
    whenTrue: { 'M.Flag': value },
    whenFalse: { 'M.Flag': !value },
  })),
  number.map((value) => ({
    text: `M.Level >= ${value}`,
    whenTrue: { 'M.Level': value },
    whenFalse: { 'M.Level': value - 1 },
  })),
  number.map((value) => ({
    text: `NOT (M.Count<${value} + 1)`,
    whenTrue: { 'M.Count': BigInt(value + 1) },
    whenFalse: { 'M.Count': BigInt(value) },
  })),
  fc.nat(100_000).map((ms) => ({
    text: `T#${ms}ms <= "Odd Name"."End"`,
    whenTrue: { 'Odd Name.End': BigInt(ms) },
    whenFalse: { 'Odd Name.End': BigInt(ms) - 1n },
  })),
)

/** Two comparisons of different variables, combined with an operator. */
const condition: fc.Arbitrary<ConditionCase> = fc.oneof(
  atom,
  fc
    .tuple(atom, atom, fc.boolean())
    .filter(([a, b]) => Object.keys(a.whenTrue)[0] !== Object.keys(b.whenTrue)[0])
    .map(([a, b, and]) => ({
      text: `${a.text} ${and ? '&' : 'OR'} (${b.text})`,
      whenTrue: and ? { ...a.whenTrue, ...b.whenTrue } : { ...a.whenFalse, ...b.whenTrue },
      whenFalse: and ? { ...a.whenTrue, ...b.whenFalse } : { ...a.whenFalse, ...b.whenFalse },
    })),
)

interface SpecCase {
  readonly numbers: readonly number[]
  readonly names: readonly string[]
  readonly conditions: readonly ConditionCase[]
  readonly speeds: readonly number[]
}

const stepName = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((name) => name.trim() !== '')

const specCase: fc.Arbitrary<SpecCase> = fc
  .uniqueArray(fc.integer({ min: 1, max: 32767 }), { minLength: 1, maxLength: 8 })
  .chain((numbers) =>
    fc.record({
      numbers: fc.constant(numbers),
      names: fc.uniqueArray(stepName, {
        minLength: numbers.length,
        maxLength: numbers.length,
        selector: (name) => name.trim(),
      }),
      conditions: fc.array(condition, { minLength: numbers.length - 1, maxLength: numbers.length - 1 }),
      speeds: fc.array(fc.integer({ min: 1, max: 32767 }), { minLength: numbers.length, maxLength: numbers.length }),
    }),
  )

function field(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function specText({ numbers, names, conditions, speeds }: SpecCase): string {
  const last = numbers.length - 1
  const steps = numbers.map((step, i) =>
    [
      'Run',
      String(step),
      field(names[i]!),
      i === 0 ? 'TRUE' : '',
      i === last ? 'TRUE' : '',
      field(`M.Speed:=${speeds[i]}; M.Setpoint:=${speeds[i]}`),
      i === last ? '' : field(conditions[i]!.text),
      i === last ? '' : String(numbers[i + 1]),
    ].join(';'),
  )
  return [
    '[CmTypes]',
    'CmType;Variable;Direction;DataType;Description',
    'M;Speed;Out;Int;',
    'M;Setpoint;Out;Real;',
    'M;Flag;In;Bool;',
    'M;Level;In;Real;',
    'M;Count;In;DInt;',
    'Odd Name;End;In;Time;',
    '[Phases]',
    'PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep',
    ...steps,
  ].join('\r\n')
}

function write(block: BlockInstance, values: Readonly<Record<string, Value>>): void {
  for (const [path, value] of Object.entries(values)) block.set(path, value)
}

test('the block of any valid phase runs step by step to Done, and waits and holds where it should', async () => {
  await fc.assert(
    fc.asyncProperty(specCase, fc.nat(), async (spec, holdAt) => {
      const model = await loadSound(specText(spec))
      const generated = generatePhase(model, 'Run')
      const block = new BlockInstance(
        generated.scl,
        generated.udts.map((udt) => udt.scl),
      )
      block.set('Execute', true)
      block.scan()
      for (const [i, step] of spec.numbers.entries()) {
        assert.equal(block.get('_Step'), BigInt(step))
        assert.equal(block.get('Active'), true)
        if (i === spec.numbers.length - 1) break
        write(block, spec.conditions[i]!.whenFalse)
        block.scan()
        assert.equal(block.get('_Step'), BigInt(step), 'waits while the condition is false')
        assert.equal(block.get('M.Speed'), BigInt(spec.speeds[i]!))
        assert.equal(block.get('M.Setpoint'), spec.speeds[i])
        write(block, spec.conditions[i]!.whenTrue)
        if (i === holdAt % spec.numbers.length) {
          block.set('Hold', true)
          block.scan()
          assert.deepEqual([block.get('_Step'), block.get('Held')], [BigInt(step), true])
          block.set('Hold', false)
        }
        block.scan()
        assert.equal(block.get('Held'), false)
      }
      block.scan()
      assert.deepEqual(
        ['_Step', 'Done', 'Active', 'Error'].map((name) => block.get(name)),
        [0n, true, false, false],
      )
      assert.equal(block.get('M.Speed'), BigInt(spec.speeds.at(-1)!))
    }),
    { numRuns: 150 },
  )
})

test('a written spec reads as the same model', async () => {
  await fc.assert(
    fc.asyncProperty(specCase, async (spec) => {
      const model = await loadSound(specText(spec))
      assert.deepEqual(await loadSound(writeDesignSpec(model)), model)
    }),
    { numRuns: 100 },
  )
})

/** For any input, the reader returns a model or complete faults. */
async function answers(text: string | Uint8Array): Promise<void> {
  const result = await parseDesignSpec(text, 'random.csv')
  if ('model' in result) return
  assert.ok(result.faults.length > 0)
  for (const fault of result.faults) {
    assert.ok(Object.hasOwn(FAULTS, fault.code), fault.code)
    assert.ok(fault.line >= 1 && Number.isInteger(fault.line), String(fault.line))
    assert.ok(fault.columnNumber >= 0)
    assert.notEqual(fault.message, '')
    assert.ok(fault.position === undefined || fault.position >= 1)
  }
}

test('random bytes never break the reader', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), answers), { numRuns: 300 })
})

test('random pieces of specs never break the reader', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '[CmTypes]\n',
      '[Phases]\n',
      '[UnitTypes]\n',
      'ProcessCell;UnitType;Description\n',
      'CmType;Variable;Direction;DataType;Description\n',
      'UnitType;PhaseType;Step;StepName;IsInitial;IsFinal;EntryAction;Condition;NextStep\n',
      'A;Open;Out;Bool;\n',
      'U;P;1;S;TRUE;TRUE;"A.Open:=TRUE";"A.Open=(";1\n',
      '"',
      ';',
      '\r\n',
      "'",
      'T#',
      '16#',
      'NOT ',
      '__proto__',
      'constructor',
    ),
    fc.string({ maxLength: 10 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), (pieces) => answers(pieces.join(''))),
    { numRuns: 400 },
  )
})

test('a real spec with random damage never breaks the reader', async () => {
  const bytes = readFileSync(new URL('../fixtures/brewery.csv', import.meta.url))
  const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const damaged = Uint8Array.from(bytes)
      for (const [at, value] of changes) damaged[at] = value
      await answers(damaged)
    }),
    { numRuns: 300 },
  )
})

test('names of object prototypes are ordinary names', async () => {
  const spec = specText({ numbers: [1], names: ['__proto__'], conditions: [], speeds: [1] })
    .replaceAll('M;', 'constructor;')
    .replaceAll('M.', 'constructor.')
  const generated = generatePhase(await loadSound(spec), 'Run')
  assert.match(generated.scl, /#constructor\.Speed := 1;/)
})
