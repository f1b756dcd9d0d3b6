/**
 * Compiles and runs random SCL programs and compares them with the evaluator in plc/testing/reference, which follows
 * docs/plc-semantics.md and shares nothing with the compiler.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diagnosticsOf, runSource } from '../../testing/lower-source.ts'
import {
  arrays,
  counters,
  functionInterface,
  loopVariables,
  mainPaths,
  plainNames,
  program,
  type RefProgram,
  structMembers,
} from '../../testing/reference/arbitrary.ts'
import { Open, runBlock, Scope } from '../../testing/reference/evaluate.ts'
import { stepsText } from '../../testing/reference/tree.ts'
import { allTypes, bitsOf, implicit, type RefType, type Value } from '../../testing/reference/types.ts'

const declared = (list: readonly (readonly [string, RefType])[]) =>
  list.map(([name, type]) => `  ${name} : ${type.name};\n`).join('')

function sectionText(kind: string, list: readonly (readonly [string, RefType])[]): string {
  return `${kind}\n${declared(list)}END_VAR\n`
}

/** The text of a program: a type, a function, a function block and the main block. */
function sourceOf({ isIecCheckOn, isOptimized, blocks, body }: RefProgram): string {
  const flags = (access: boolean) =>
    `{ S7_Optimized_Access := '${access ? 'TRUE' : 'FALSE'}'; S7_IECCheck := '${isIecCheckOn ? 'TRUE' : 'FALSE'}'; S7_SetENOAutomatically := 'TRUE' }\n`
  const { inputs, outputs, inOuts, kept } = functionInterface
  const parameters =
    sectionText('VAR_INPUT', inputs) + sectionText('VAR_OUTPUT', outputs) + sectionText('VAR_IN_OUT', inOuts)
  const own = [...kept, ...loopVariables, ...counters]
  return (
    `TYPE "U"\nSTRUCT\n${declared(structMembers)}END_STRUCT;\nEND_TYPE\n` +
    `FUNCTION "F1" : DInt\n${flags(isOptimized)}${parameters}${sectionText('VAR_TEMP', own)}BEGIN\n${stepsText(blocks.F1?.body ?? [])}END_FUNCTION\n` +
    `FUNCTION_BLOCK "B1"\n${flags(isOptimized)}${parameters}${sectionText('VAR', own)}BEGIN\n${stepsText(blocks.B1?.body ?? [])}END_FUNCTION_BLOCK\n` +
    `FUNCTION_BLOCK "Main"\n${flags(isOptimized)}VAR\n${declared(plainNames)}` +
    arrays
      .map(([name, type]) => `  ${name} : ARRAY[-1..2${name === 'a_Int' ? ', 0..3' : ''}] OF ${type.name};\n`)
      .join('') +
    '  as : ARRAY[-1..2] OF "U";\n  s0 : "U";\n  s1 : "U";\n  fb0 : "B1";\n  fb1 : "B1";\n' +
    `${declared([...loopVariables, ...counters])}  eno_at_end : Bool;\nEND_VAR\nBEGIN\n${stepsText(body)}#eno_at_end := ENO;\nEND_FUNCTION_BLOCK\n`
  )
}

/** Compares the results of the compiled program with those of the reference. */
function compare(one: RefProgram): void {
  const scope = new Scope(
    one.start.map(([path, type, value]) => [path, { type, value }] as const),
    one.blocks,
  )
  let isAtEnd = false
  try {
    isAtEnd = runBlock(scope, one.body)
  } catch (error) {
    fc.pre(!(error instanceof Open))
    throw error
  }
  const source = sourceOf(one)
  const run = started(source, one)
  for (const [path, type, value] of one.start) run.setBits(path, bitsOf(type, value))
  run.scan()
  if (isAtEnd && scope.eno !== undefined)
    assert.equal(run.bits('eno_at_end') === 1n, scope.eno, `ENO at the end\n${bodiesOf(source, one)}`)
  const shown = (value: Value) => `${value}`
  for (const [path, type] of mainPaths) {
    const { value } = scope.values.get(path) as { value: Value }
    const [got, want] = [run.bits(path), bitsOf(type, value)]
    const isSame = got === want || (typeof value === 'number' && Number.isNaN(value) && isNaNPattern(type, got))
    assert.ok(
      isSame,
      `${path} (${type.name}): ${got.toString(16)}, the reference has ${want.toString(16)} = ${shown(value)}\n${bodiesOf(source, one)}`,
    )
  }
}

/** Starts the program, which must have no fault: a fault shows its text. */
function started(source: string, one: RefProgram): ReturnType<typeof runSource> {
  try {
    return runSource(source)
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${bodiesOf(source, one)}`)
  }
}

function isNaNPattern({ bits }: RefType, pattern: bigint): boolean {
  const exponent = bits === 32 ? 0x7f800000n : 0x7ff0000000000000n
  return (pattern & exponent) === exponent && (pattern & ((exponent >> 8n) | 0x7fffffn)) !== 0n
}

/** The statements, and their start values. */
function bodiesOf(source: string, { start }: RefProgram): string {
  const bodies = [...source.matchAll(/(FUNCTION(?:_BLOCK)?) "(\w+)"[\s\S]*?BEGIN\n([\s\S]*?)END_FUNCTION/g)].map(
    ([, , name, body = '']) => `${name}:\n${body}`,
  )
  const used = start.filter(([path]) => bodies.some((body) => body.includes(`#${path.replace(/\[.*/, '')}`)))
  return `${bodies.join('')}${used.map(([path, , value]) => `${path} = ${value}`).join(', ')}`
}

/**
 * GANTRY_RUNS sets the number of programs (the seed: test/seed.ts); GANTRY_SECONDS limits the time for shrinking a
 * failing one.
 */
const given = {
  ...(process.env.GANTRY_RUNS ? { numRuns: Number(process.env.GANTRY_RUNS) } : {}),
  ...(process.env.GANTRY_SECONDS ? { interruptAfterTimeLimit: 1000 * Number(process.env.GANTRY_SECONDS) } : {}),
}

const checks = [false, true].flatMap((isIecCheckOn) => [0, 3].map((depth) => [isIecCheckOn, depth] as const))
for (const [isIecCheckOn, depth] of checks)
  test(`programs give what the reference gives, ${depth} deep, IEC check ${isIecCheckOn ? 'on' : 'off'}`, () => {
    const outcome = fc.check(fc.property(program(isIecCheckOn, depth), compare), { numRuns: 12, ...given })
    // The fault shows the text of the program, which says more than its tree.
    const { error } = outcome.errorInstance instanceof Error ? { error: outcome.errorInstance.message } : { error: '' }
    assert.ok(!outcome.failed, `seed ${outcome.seed}: ${error}`)
  })

test('values stand for values of other types as docs/plc-semantics.md#implicit-conversion has it', () => {
  for (const isIecCheckOn of [false, true])
    for (const from of allTypes) {
      const targets = allTypes.filter((to) => implicit(from, to, isIecCheckOn) !== undefined)
      const source =
        `FUNCTION_BLOCK "Main"\n{ S7_Optimized_Access := 'TRUE'; S7_IECCheck := '${isIecCheckOn ? 'TRUE' : 'FALSE'}' }\n` +
        `VAR\n${declared(plainNames)}END_VAR\nBEGIN\n${targets.map((to) => `#v0_${to.name} := #v1_${from.name};\n`).join('')}END_FUNCTION_BLOCK\n`
      const faults = diagnosticsOf(source)
      targets.forEach((to, i) => {
        const isRefused = faults.some(({ line, severity }) => line === i + 1 && severity === 'error')
        assert.equal(
          !isRefused,
          implicit(from, to, isIecCheckOn),
          `${from.name} for ${to.name}, IEC check ${isIecCheckOn ? 'on' : 'off'}`,
        )
      })
    }
})
