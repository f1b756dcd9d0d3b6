/** Coverage of SCL, LAD and GRAPH, its reports, and mutation testing. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { generateObject } from '../../plc/generate/object-of.ts'
import { mutate } from '../../plc/program-tests/mutate.ts'
import { coberturaDtd, dtdFaults } from '../../test/dtd.ts'
import { folderOf, runProgramTests } from '../../test/program-tests.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { type CoveredBlock, totalsOf } from './coverage.ts'
import { groupTools } from './group-tools.ts'
import { coberturaOf } from './output/cobertura.ts'
import { lcovOf } from './output/lcov.ts'
import { coverageText } from './output/text.ts'
import { prepareRun } from './prepare.ts'
import { readTestContent } from './test-content.ts'

const scl = `FUNCTION_BLOCK "Scale"
VAR_INPUT
  raw : Int;
  mode : Int;
END_VAR
VAR_OUTPUT
  value : Int;
END_VAR
VAR_TEMP
  i : Int;
END_VAR
BEGIN
  IF #raw > 100 THEN
    #value := 100;
  ELSIF #raw < 0 THEN
    #value := 0;
    RETURN;
  END_IF;
  CASE #mode OF
    1: #value := #raw;
    2: #value := 2 * #raw;
  END_CASE;
  FOR #i := 1 TO #mode DO
    #value := #value + 1;
  END_FOR;
END_FUNCTION_BLOCK
`
const caseOf = (name: string, given: string, expect = '') =>
  `  - { name: ${name}, given: { ${given} }, steps: [{ run: 1 cycle${expect === '' ? '' : `, expect: { ${expect} }`} }] }\n`

async function covered(files: Readonly<Record<string, string>>): Promise<readonly CoveredBlock[]> {
  const { coverage, faults, results } = await runProgramTests(files, {}, { coverage: 'data' })
  assert.deepEqual([faults, results.filter(({ status }) => status !== 'passed')], [[], []])
  return coverage ?? []
}

test('SCL: statements and branches with their lines', async () => {
  const blocks = await covered({
    'plc/Scale.scl': scl,
    's.test.yml': `block: Scale\ncases:\n${caseOf('low', 'raw: -1, mode: 1', 'value: 0')}${caseOf('middle', 'raw: 7, mode: 1', 'value: 8')}`,
  })
  const [block] = blocks
  assert.deepEqual([block?.block, block?.file, block?.line], ['Scale', 'plc/Scale.scl', 1])
  const lines = block?.points.map(({ kind, fileLine, hits }) => `${kind} ${fileLine} ${hits.join('/')}`)
  assert.deepEqual(lines, [
    'statement 13 2',
    'branch 13 0/2',
    'statement 14 0',
    'branch 15 1/1',
    'statement 16 1',
    'statement 17 1',
    // After the RETURN.
    'statement 19 1',
    'branch 20 1',
    'statement 20 1',
    'branch 21 0',
    'statement 21 0',
    'branch 19 0',
    'statement 23 1',
    // The range was never empty.
    'loop 23 1/0',
    'statement 24 1',
  ])
  assert.deepEqual(totalsOf(blocks), {
    statements: { covered: 7, all: 9 },
    branches: { covered: 5, all: 9 },
    conditions: { covered: 0, all: 0 },
  })
})

test('lcov and Cobertura have the lines of the files', async () => {
  const blocks = await covered({
    'plc/Scale.scl': scl,
    's.test.yml': `block: Scale\ncases:\n${caseOf('one', 'raw: 7, mode: 1')}`,
  })
  const lcov = lcovOf(blocks).split('\n')
  for (const line of [
    'SF:plc/Scale.scl',
    'FN:1,Scale',
    'FNDA:1,Scale',
    'DA:14,0',
    'DA:19,1',
    'BRDA:13,0,0,0',
    'BRDA:13,0,1,1',
    'end_of_record',
  ])
    assert.ok(lcov.includes(line), line)
  assert.equal(lcov.filter((one) => one.startsWith('BRDA')).length, Number(/BRF:(\d+)/.exec(lcov.join('\n'))?.[1]))
  const xml = coberturaOf(blocks, 0)
  assert.deepEqual(dtdFaults(xml, coberturaDtd), [])
  assert.deepEqual(dtdFaults(coberturaOf([], 0), coberturaDtd), [])
  assert.ok(dtdFaults(xml.replace('<methods/>', ''), coberturaDtd).length > 0, 'the check finds faults')
  assert.match(xml, /<class name="Scale" filename="plc\/Scale.scl"/)
  assert.match(xml, /<line number="13" hits="1" branch="true" condition-coverage="50% \(1\/2\)"\/>/)
})

const corpus = new URL(
  '../../test/corpus/public/Czarnak+simaticml-decoder/tests/fixtures/SimaticML/PLC_1/Program blocks/',
  import.meta.url,
)
const exported = (name: string) => readFile(new URL(name, corpus), 'utf8')

/** A block in LAD: a latched motor, and a count under a condition. */
function ladder(): string {
  const members = (dataType: string, ...names: string[]) => names.map((name) => ({ name, dataType }))
  const spec = {
    ...{ kind: 'FB', name: 'Ladder', number: 1, language: 'LAD' },
    interface: [
      { section: 'Input', members: members('Bool', 'start', 'stop') },
      { section: 'Output', members: members('Bool', 'run') },
      { section: 'Static', members: members('Int', 'level') },
    ],
    networks: [
      { expressions: '#run := (#start OR #run) AND NOT #stop' },
      { expressions: 'IF #run AND #level < 3 THEN #level := #level + 1; END_IF' },
    ],
  }
  return generateObject(spec as never, { version: 'V18' as never }).text
}

test('LAD: contacts and boxes; GRAPH: steps and transitions; drawn with what ran', async () => {
  const files = {
    'Ladder.xml': ladder(),
    'StateMachine.xml': await exported('300_StateMachine/StateMachine.xml'),
    'InputValues_DB.scl': `DATA_BLOCK "InputValues_DB"\nVAR\n  InputsDigital : Struct\n    Start : Bool;\n  END_STRUCT;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
    's.test.yml':
      'block: StateMachine\ncases:\n  - name: starts\n    steps:\n      - { run: 2 cycles }\n      - { set: { InputValues_DB.InputsDigital.Start: true }, run: 1 cycle }\n',
    'f.test.yml': 'block: Ladder\ncases:\n  - { name: it, steps: [{ run: 1 cycle }] }\n',
  }
  const run = await runProgramTests(files, {}, { coverage: 'page' })
  const chart = run.coverage?.find(({ block }) => block === 'StateMachine')
  const states = chart?.points.map(({ kind, element, hits }) => `${kind} ${element}: ${hits.join('/')}`) ?? []
  assert.ok(states.includes('step Step 1 "Step1": 1'), states.join('\n'))
  assert.ok(states.includes('step Step 2 "Step2": 1'), states.join('\n'))
  assert.ok(states.includes('transition Transition 1 "Trans1": 1'), states.join('\n'))
  assert.ok(states.includes('transition Transition 2 "Trans2": 0'), states.join('\n'))
  const drawn = run.coverage?.find(({ block }) => block === 'Ladder')
  const contacts = drawn?.points.filter(({ kind }) => kind === 'condition') ?? []
  assert.ok(contacts.length >= 5, JSON.stringify(run.results))
  // One cycle with one image: each contact has one of both values.
  for (const { hits, uId } of contacts) assert.deepEqual([...hits].sort(), [0, 1], String(uId))
  const page = run.coveragePage ?? ''
  assert.match(page, /data-step="2" class="ran"/)
  assert.match(page, /data-transition="2" class="missed"/)
  assert.match(page, /<g data-uid="\d+" class="half">/)
  assert.match(page, /was never TRUE/)
  assert.match(coverageText(run.coverage ?? []), /^Ladder +\d+\.\d % .* +– +50\.0 %/m)
})

test('what records the execution changes no result', async () => {
  const files = {
    'Scale.scl': scl,
    's.test.yml': `block: Scale\ncases:\n${Array.from({ length: 12 }, (_one, i) => caseOf(`c${i}`, `raw: ${i * 30 - 60}, mode: ${i % 4}`, 'value: -9')).join('')}`,
  }
  const texts = async (coverage?: 'data') =>
    (await runProgramTests(files, {}, coverage === undefined ? {} : { coverage })).results.map(
      ({ failures }) => failures[0]?.actual,
    )
  assert.deepEqual(await texts('data'), await texts())
})

test('a change that no test notices survives, with its place; blocks that no test reaches are named', async () => {
  const files = {
    'Scale.scl': scl,
    'Other.scl': 'FUNCTION "Other" : Int\nBEGIN\n  #Other := 5;\nEND_FUNCTION\n',
    's.test.yml': `block: Scale\ncases:\n${caseOf('high', 'raw: 200, mode: 0', 'value: 100')}${caseOf('low', 'raw: -1, mode: 1', 'value: 0')}${caseOf('two', 'raw: 7, mode: 2', 'value: 16')}`,
  }
  const { objects, tests } = await prepareRun(await readTestContent(folderOf(files), ''), {})
  const run = mutate(
    objects.map(({ object }) => object),
    tests,
    groupTools,
  )
  const survived = run.survived.map(({ line, before, after }) => `${line}: ${before} -> ${after}`)
  assert.deepEqual(run.failed, [])
  for (const one of ['1: #raw > 100 -> #raw >= 100', '1: 100 -> 101', '8: #value := #raw; -> left out'])
    assert.ok(survived.includes(one), `${one}\n${survived.join('\n')}`)
  for (const one of [
    '2: 100 -> 101',
    '2: #value := 100; -> left out',
    '9: 2 * #raw -> 2 / #raw',
    '12: #value + 1 -> #value - 1',
  ])
    assert.ok(!survived.includes(one), `${one}\n${survived.join('\n')}`)
  assert.ok(run.killed > 5)
  assert.deepEqual(run.notReached, [{ block: 'Other', changes: 2 }])
  const failing = { ...files, 's.test.yml': `block: Scale\ncases:\n${caseOf('bad', 'raw: 1, mode: 0', 'value: 77')}` }
  const bad = await prepareRun(await readTestContent(folderOf(failing), ''), {})
  const { failed, ...nothing } = mutate(
    bad.objects.map(({ object }) => object),
    bad.tests,
    groupTools,
  )
  assert.equal(failed.length, 1)
  assert.deepEqual(nothing, { killed: 0, survived: [], invalid: 0, notReached: [] })
})

test('contacts, comparisons, constants and coils of LAD are changed too', async () => {
  const files = {
    'Ladder.xml': ladder(),
    'f.test.yml':
      'block: Ladder\ncases:\n  - { name: it, given: { start: true }, steps: [{ run: 1 cycle, expect: { run: true } }] }\n',
  }
  const { objects, tests } = await prepareRun(await readTestContent(folderOf(files), ''), {})
  const { survived, killed, invalid, failed } = mutate(
    objects.map(({ object }) => object),
    tests,
    groupTools,
  )
  const changes = survived.map(({ network, before, after }) => `${network}: ${before} -> ${after}`)
  assert.deepEqual([failed, invalid], [[], 0])
  // #run itself is not needed for it, and nothing looks at the level.
  for (const one of ['1: contact -> negated contact', '2: Lt -> Le', '2: 3 -> 4', '2: Add -> Sub'])
    assert.ok(changes.includes(one), `${one}\n${changes.join('\n')}`)
  assert.ok(!changes.includes('1: Coil -> left out'), changes.join('\n'))
  assert.ok(killed >= 3)
  assert.ok(survived.every(({ uId }) => uId !== undefined))
})

test('loops: a body that no case enters, a condition that is met at once; constant borders have one way', async () => {
  const text = `FUNCTION_BLOCK "Loops"
VAR_INPUT
  n : Int;
END_VAR
VAR_TEMP
  i : Int;
  k : Int;
END_VAR
BEGIN
  #k := #n;
  FOR #i := 1 TO 3 DO
    #k := #k + 0;
  END_FOR;
  FOR #i := 1 TO #n DO
    CONTINUE;
  END_FOR;
  WHILE #k > 2 DO
    #k := #k - 1;
  END_WHILE;
  REPEAT
    #k := #k + 1;
  UNTIL #k > 5
  END_REPEAT;
END_FUNCTION_BLOCK
`
  const loops = async (...given: number[]) => {
    const cases = given.map((n) => caseOf(`n${n}`, `n: ${n}`)).join('')
    const files = { 'Loops.scl': text, 's.test.yml': `block: Loops\ncases:\n${cases}` }
    const { coverage = [], coveragePage = '' } = await runProgramTests(files, {}, { coverage: 'page' })
    const points = coverage[0]?.points ?? []
    return {
      ways: points.flatMap(({ kind, fileLine, hits }) =>
        kind === 'statement' ? [] : [`${kind} ${fileLine} ${hits.join('/')}`],
      ),
      missed: points.flatMap(({ kind, fileLine, hits }) => (kind === 'statement' && hits[0] === 0 ? [fileLine] : [])),
      notes: [...coveragePage.matchAll(/\/\/ (never [\w ]+)/g)].map(([, note]) => note),
      coverage,
    }
  }
  const none = await loops(0)
  // The REPEAT of the first case has six rounds.
  assert.deepEqual(none.ways, ['loop 11 1', 'loop 14 0/1', 'branch 17 0/1', 'branch 22 1/1'])
  assert.deepEqual(none.missed, [15, 18])
  assert.deepEqual(none.notes, ['never entered', 'never TRUE'])
  assert.match(
    coberturaOf(none.coverage, 0),
    /<line number="14" hits="1" branch="true" condition-coverage="50% \(1\/2\)"\/>/,
  )
  const some = await loops(0, 7)
  assert.deepEqual(some.ways, ['loop 11 2', 'loop 14 1/1', 'branch 17 1/2', 'branch 22 2/2'])
  assert.deepEqual([some.missed, some.notes], [[], []])
})

test('GRAPH: actions are statements, each by itself', async () => {
  const members = (...names: string[]) => names.map((name) => ({ name, dataType: 'Bool' }))
  const spec = {
    ...{ kind: 'FB', name: 'Chart', number: 7, language: 'GRAPH' },
    interface: [
      { section: 'Input', members: members('go') },
      { section: 'Output', members: members('a', 'b', 'c') },
      {
        section: 'Static',
        members: [
          { name: 'n', dataType: 'Int' },
          { name: 'm', dataType: 'Int' },
        ],
      },
    ],
    chart: {
      sequences: [
        {
          steps: [
            {
              ...{ name: 'First', initial: true },
              actions: [
                { qualifier: 'N', text: '#a' },
                { qualifier: 'D', text: '#b, T#1H' },
                { event: 'S0', qualifier: 'N', text: '#n := #n + 1' },
                { qualifier: 'N', text: '#m := #m + 1' },
              ],
            },
            { name: 'Second', actions: [{ qualifier: 'S', text: '#c' }] },
          ],
          transitions: [{ name: 'Started', from: 'First', to: 'Second', condition: '#go' }],
        },
      ],
    },
  }
  const files = (steps: string) => ({
    'Chart.xml': generateObject(spec as never, { version: 'V18' as never }).text,
    's.test.yml': `block: Chart\ncases:\n  - name: one\n    steps:\n${steps}`,
  })
  const ran = async (steps: string) => {
    const { coverage, coveragePage, results, faults } = await runProgramTests(files(steps), {}, { coverage: 'page' })
    assert.deepEqual([faults, results.map(({ status }) => status)], [[], ['passed']])
    const points = coverage?.[0]?.points.filter(({ kind }) => kind === 'statement') ?? []
    return { points: points.map(({ action, hits }) => `${action}: ${hits.join('/')}`), page: coveragePage ?? '' }
  }
  const first = await ran('      - { run: 2 cycles, expect: { a: true, m: 2 } }\n')
  assert.deepEqual(first.points, ['N #a: 1', 'D #b, T#1H: 0', 'S0 N #n := #n + 1: 0', 'N #m := #m + 1: 1', 'S #c: 0'])
  assert.match(first.page, /Never reached: [^<]*Step 1 "First": D #b, T#1H/)
  const both = await ran(
    '      - { run: 2 cycles }\n      - { set: { go: true }, run: 3 cycles, expect: { c: true, n: 1 } }\n',
  )
  assert.deepEqual(both.points, ['N #a: 1', 'D #b, T#1H: 0', 'S0 N #n := #n + 1: 1', 'N #m := #m + 1: 1', 'S #c: 1'])
})

/** A page without its style; of a drawing only what it marks. */
const plainPage = (page: string) =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<svg.*?<\/svg>/gs, (svg) => {
      const marks = [...svg.matchAll(/(data-(?:uid|step|transition)="\d+") class="(\w+)"/g)]
      return marks.map(([, what, state]) => `\n  ${what} ${state}`).join('')
    })
    .replaceAll(/<(?=tr|h\d|p|section|figure)/g, '\n<')

test('reports of a program in SCL, LAD and GRAPH as recorded', async () => {
  const several = `FUNCTION "A & <B>" : Void
TITLE = 'Less < more'
VAR_INPUT
  n : Int;
END_VAR
VAR_TEMP
  i : Int;
END_VAR
BEGIN
  // Nothing here
  IF #n > 1 THEN #i := 1; ELSE #i := 2; END_IF; #i := #i + 1;
  CASE #n OF
    5: #i := 3;
    6..9: #i := 4;
  ELSE
    #i := 5;
  END_CASE;
  FOR #i := 1 TO #n DO ; END_FOR;
  WHILE #n > 90 DO EXIT; END_WHILE;
END_FUNCTION
`
  const files = {
    'plc/Several.scl': several,
    'plc/Scale.scl': scl,
    'Ladder.xml': ladder(),
    'StateMachine.xml': await exported('300_StateMachine/StateMachine.xml'),
    'InputValues_DB.scl': `DATA_BLOCK "InputValues_DB"\nVAR\n  InputsDigital : Struct\n    Start : Bool;\n  END_STRUCT;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`,
    'Untested.scl': 'FUNCTION "Untested" : Int\nBEGIN\n  #Untested := 5;\nEND_FUNCTION\n',
    'a.test.yml': `block: "A & <B>"\ncases:\n${caseOf('one', 'n: 5')}${caseOf('two', 'n: 5')}${caseOf('three', 'n: 0')}`,
    'b.test.yml': `block: Scale\ncases:\n${caseOf('low', 'raw: -1, mode: 1')}`,
    'c.test.yml': 'block: Ladder\ncases:\n  - { name: it, given: { start: true }, steps: [{ run: 2 cycles }] }\n',
    'd.test.yml':
      'block: StateMachine\ncases:\n  - name: starts\n    steps:\n      - { run: 2 cycles }\n      - { set: { InputValues_DB.InputsDigital.Start: true }, run: 1 cycle }\n',
  }
  const { coverage = [], coveragePage = '', faults } = await runProgramTests(files, {}, { coverage: 'page' })
  assert.deepEqual(faults, [])
  const reports = {
    text: coverageText(coverage),
    lcov: lcovOf(coverage),
    cobertura: coberturaOf(coverage, 1_700_000_000_000),
    page: plainPage(coveragePage),
  }
  const told = Object.entries(reports).map(([name, text]) => `# ${name}\n${text.trimEnd()}\n`)
  assertRecorded(import.meta.url, 'coverage.txt', told.join('\n'))
})
