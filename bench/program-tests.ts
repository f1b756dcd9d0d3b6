/**
 * Measures tests of programs: 1 000 small cases as a ratio to the same cycles alone, and a scan of code that records
 * its execution as a ratio to the plain one, for programs in SCL and in LAD.
 *
 *   node --import tsx bench/program-tests.ts [cases]
 */
import { readSource } from '../plc/formats/source/read.ts'
import { generateObject } from '../plc/generate/object-of.ts'
import type { ImportedObject } from '../plc/model/object.ts'
import { GroupRunner } from '../plc/program-tests/group.ts'
import { PrivateController } from '../plc/program-tests/private-controller.ts'
import { readTests } from '../plc/program-tests/read-tests.ts'
import { groupsOf, type PreparedTests } from '../plc/program-tests/run-tests.ts'
import { groupTools } from '../plugins/plc-tests/group-tools.ts'
import { program } from './plant.ts'
import { report } from './report.ts'

const rounds = 15
const count = Number(process.argv[2] ?? 1000)
const sources = (texts: readonly string[]): ImportedObject[] =>
  texts.flatMap((text) => readSource(text).blocks.map(({ object }) => object))

/** Reads the text of a test file. */
function testsOf(text: string): PreparedTests {
  const { file, faults } = readTests('bench.test.yml', text)
  if (!file) throw new Error(faults[0]?.message)
  return { file, cases: file.cases, stimuli: new Map(), stubs: [], stubKey: '' }
}

const motor = `FUNCTION_BLOCK "Motor"
VAR_INPUT
  start : Bool;
  stop : Bool;
END_VAR
VAR_OUTPUT
  running : Bool;
  hours : Int;
END_VAR
VAR
  delay : TON_TIME;
END_VAR
BEGIN
  #delay(IN := (#start OR #running) AND NOT #stop, PT := T#50ms);
  #running := #delay.Q;
  IF #running THEN
    #hours := #hours + 1;
  END_IF;
END_FUNCTION_BLOCK
`
const cases = Array.from(
  { length: count },
  (_one, i) =>
    `  - name: case ${i}\n    given: { start: true }\n    steps:\n      - { run: 10 cycles, expect: { running: true, hours: 5 } }\n      - { set: { stop: true }, run: 10 cycles, expect: { running: false } }\n`,
)

function once(run: () => void): number {
  const begin = performance.now()
  run()
  return performance.now() - begin
}

/** Both in turn, so that other load on the machine affects both; the best round of each. */
function both(one: () => void, other: () => void): [number, number] {
  const found: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    found[0].push(once(one))
    found[1].push(once(other))
  }
  return [Math.min(...found[0]), Math.min(...found[1])]
}

const [group] = groupsOf(sources([motor]), [testsOf(`block: Motor\ncases:\n${cases.join('')}`)])
if (!group?.compiled) throw new Error('the program does not compile')
const runner = new GroupRunner(group, groupTools)
const bare = new PrivateController(group.compiled, group.module)
const entry = group.cases[0]?.harness?.entry
const [tests, cycles] = both(
  () => {
    for (let i = 0; i < count; i++)
      if (runner.run(i).status !== 'passed') throw new Error(`case ${i}: ${runner.run(i).failures[0]?.message}`)
  },
  () => {
    for (let i = 0; i < count; i++) {
      bare.restart({ cycle: 10_000_000n, look: () => undefined }, entry)
      for (let cycle = 0; cycle < 20; cycle++) bare.cycle()
    }
  },
)
report('small tests per second', (1000 * count) / tests, '')
report('one small test / the same cycles alone', tests / cycles, '')

/** Times many scans of the program plain and with its execution recorded. */
function coverage(name: string, objects: readonly ImportedObject[]): void {
  const made = [false, true].map((isCovered) => {
    const text = 'program: true\ncases:\n  - { name: one, steps: [{ run: 1 cycle }] }\n'
    const [one] = groupsOf(objects, [testsOf(text)], isCovered)
    if (!one?.compiled) throw new Error(`${name}: ${one?.cases[0]?.refusal}`)
    const controller = new PrivateController(one.compiled, one.module)
    controller.restart({ cycle: 10_000_000n, look: () => undefined })
    return controller
  })
  const [plain, recorded] = made.map((controller) => () => {
    for (let i = 0; i < scans; i++) controller.cycle()
  }) as [() => void, () => void]
  let scans = 100
  while (once(plain) < 50) scans *= 2
  once(recorded)
  const [without, withCoverage] = both(plain, recorded)
  report(`${name}: one scan with coverage / plain`, withCoverage / without, '< 1.5')
  console.log(`  ${((withCoverage * 1e6) / scans).toFixed(0)} against ${((without * 1e6) / scans).toFixed(0)} ns`)
}

coverage('SCL, 400 blocks', sources(program(400).map(({ text }) => text)))

/** Rungs that latch themselves, with a comparison each. */
function ladder(networks: number): ImportedObject[] {
  const members = Array.from({ length: networks }, (_one, i) => [
    { name: `start${i}`, dataType: 'Bool' },
    { name: `stop${i}`, dataType: 'Bool' },
    { name: `run${i}`, dataType: 'Bool' },
    { name: `level${i}`, dataType: 'Int' },
  ]).flat()
  const expressions = Array.from(
    { length: networks },
    (_one, i) => `#run${i} := (#start${i} OR #run${i}) AND NOT #stop${i} AND #level${i} < 100`,
  )
  const { object } = generateObject(
    {
      ...{ kind: 'FB', name: 'Ladder', number: 1, language: 'LAD' },
      interface: [{ section: 'Static', members }],
      networks: expressions.map((one) => ({ expressions: one })),
    } as never,
    { version: 'V18' } as never,
  )
  const around =
    'DATA_BLOCK "Ladder_DB"\n"Ladder"\nBEGIN\nEND_DATA_BLOCK\nORGANIZATION_BLOCK "Main"\nBEGIN\n  "Ladder_DB"();\nEND_ORGANIZATION_BLOCK\n'
  return [object, ...sources([around])]
}
coverage('LAD, 500 rungs', ladder(500))
