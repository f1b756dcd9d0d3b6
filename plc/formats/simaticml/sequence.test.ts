import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LogicNetwork } from '../../model/logic-network.ts'
import type { Action, Condition, SequenceNode, SequenceProgram, Step, Transition } from '../../model/sequence.ts'
import { readSequenceProgram } from './sequence-read.ts'
import { writeSequenceProgram } from './sequence-write.ts'
import { parseXml, XmlFaults } from './xml.ts'
import { XmlWriter } from './xml-write.ts'

function read(xml: string) {
  const faults = new XmlFaults(xml)
  const chart = readSequenceProgram(parseXml(xml), faults)
  return { chart, faults: faults.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`) }
}

function write(chart: SequenceProgram): string {
  const writer = new XmlWriter()
  writeSequenceProgram(writer, chart, { version: 'V21' })
  return writer.toString()
}

function plain(xml: string): string {
  return xml.replace(/>\s+</g, '><').replace(/\/v\d"/, '"')
}

const coilXml = (name: string) =>
  `<FlgNet><Parts><Part Name="${name}" UId="21" /></Parts><Wires><Wire UId="22"><Powerrail /><NameCon UId="21" Name="in" /></Wire></Wires></FlgNet>`

const stepXml = (number: number, name: string, init: boolean, inside = '<Actions><Action /></Actions>') =>
  `<Step Number="${number}" Init="${init}" Name="${name}" MaximumStepTime="T#10S" WarningTime="T#7S">${inside}
   <Supervisions><Supervision ProgrammingLanguage="LAD">${coilXml('SvCoil')}</Supervision></Supervisions>
   <Interlocks><Interlock ProgrammingLanguage="LAD">${coilXml('IlCoil')}</Interlock></Interlocks></Step>`

const transitionXml = (number: number, name: string) =>
  `<Transition IsMissing="false" Name="${name}" Number="${number}" ProgrammingLanguage="LAD">${coilXml('TrCoil')}</Transition>`

const linkXml = (from: string, to: string, link = 'Direct') =>
  `<Connection><NodeFrom>${from}</NodeFrom><NodeTo>${to}</NodeTo><LinkType>${link}</LinkType></Connection>`

const alarmsXml = `<AlarmsSettings><AlarmSupervisionCategories>${[1, 2, 3, 4, 5, 6, 7, 8]
  .map((id) => `<AlarmSupervisionCategory Id="${id}" DisplayClass="0" />`)
  .join('')}</AlarmSupervisionCategories>
  <AlarmInterlockCategory Id="1" /><AlarmSubcategory1Interlock Id="0" /><AlarmSubcategory2Interlock Id="0" />
  <AlarmCategorySupervision Id="1" /><AlarmSubcategory1Supervision Id="0" /><AlarmSubcategory2Supervision Id="0" />
  <AlarmWarningCategory Id="2" /><AlarmSubcategory1Warning Id="0" /><AlarmSubcategory2Warning Id="0" /></AlarmsSettings>`

interface Parts {
  readonly title?: string
  readonly steps?: string
  readonly transitions?: string
  readonly branches?: string
  readonly connections?: string
  readonly alarms?: string
}

function graph(parts: Parts = {}): string {
  const {
    title = '<Title />',
    steps = stepXml(1, 'Idle', true) + stepXml(2, 'Run', false),
    transitions = transitionXml(1, 'go') + transitionXml(2, 'back'),
    branches = '',
    connections = linkXml('<StepRef Number="1" />', '<TransitionRef Number="1" />') +
      linkXml('<TransitionRef Number="1" />', '<StepRef Number="1" />', 'Jump'),
    alarms = alarmsXml,
  } = parts
  return `<Graph xmlns="http://www.siemens.com/automation/Openness/SW/NetworkSource/Graph/v6">
<PreOperations><PermanentOperation ProgrammingLanguage="LAD" /></PreOperations>
<Sequence>${title}
<Steps>${steps}</Steps>
<Transitions>${transitions}</Transitions>
${branches === '' ? '<Branches />' : `<Branches>${branches}</Branches>`}
<Connections>${connections}</Connections></Sequence>
<PostOperations><PermanentOperation ProgrammingLanguage="LAD" /></PostOperations>
${alarms}</Graph>`
}

test('a sequence program is read with all it has and written without loss', () => {
  const xml = graph()
  const { chart, faults } = read(xml)
  assert.deepEqual(faults, [])
  const [sequence] = chart.sequences
  assert.deepEqual(
    sequence?.steps.map(({ number, name, isInitial, maximumTime, warningTime }) => [
      number,
      name,
      isInitial,
      maximumTime,
      warningTime,
    ]),
    [
      [1, 'Idle', true, 'T#10S', 'T#7S'],
      [2, 'Run', false, 'T#10S', 'T#7S'],
    ],
  )
  assert.equal(sequence?.steps[0]?.supervision?.graph?.nodes.length, 1)
  assert.deepEqual(sequence?.connections[1], {
    from: { kind: 'transition', number: 1 },
    to: { kind: 'step', number: 1 },
    link: 'Jump',
  })
  assert.equal(chart.kept, undefined)
  assert.equal(plain(write(chart)), plain(xml))
})

const actionLines: readonly (readonly [xml: string, text: string, operands: number])[] = [
  ['<Action Qualifier="N"><Token Text="#valve" /><Token Text="&#xA;" /></Action>', '#valve', 1],
  [
    '<Action Event="S1" Interlock="true" Qualifier="N"><Token Text="&quot;Cell&quot;.robot[#i].group" /><Token Text=" " /><Token Text=":=" /><Token Text=" " /><Token Text="3" /><Token Text="&#xA;" /></Action>',
    '"Cell".robot[#i].group := 3',
    2,
  ],
  ['<Action><Token Text="&#xA;" /></Action>', '', 0],
  [
    '<Action Qualifier="D"><Access Scope="GlobalVariable"><Symbol><Component Name="Motor" /></Symbol></Access><Token Text="," /><Blank /><Access Scope="TypedConstant"><Constant><ConstantValue>T#2s</ConstantValue></Constant></Access></Action>',
    '"Motor", T#2s',
    2,
  ],
  [
    '<Action Qualifier="S"><Token Text="#a" /><LineComment><Text>why</Text></LineComment><NewLine /></Action>',
    '#a//why',
    1,
  ],
  ['<Action />', '', 0],
]

test('actions: text and operands of a line, whatever elements it is made of', () => {
  const actions = `<Actions><Title><MultiLanguageText Lang="en-US">Table</MultiLanguageText></Title>${actionLines.map(([xml]) => xml).join('')}</Actions>`
  const xml = graph({ steps: stepXml(1, 'Idle', true, actions) })
  const { chart, faults } = read(xml)
  assert.deepEqual(faults, [])
  const read1 = chart.sequences[0]?.steps[0]?.actions ?? []
  assert.deepEqual(
    read1.map(({ text, operands }) => [text, operands.length]),
    actionLines.map(([, text, operands]) => [text, operands]),
  )
  assert.deepEqual(
    read1.slice(0, 2).map(({ qualifier, event, needsInterlock, kept }) => [qualifier, event, needsInterlock, kept]),
    [
      ['N', '', false, undefined],
      ['N', 'S1', true, undefined],
    ],
  )
  assert.equal(plain(write(chart)), plain(xml))
})

test('texts in every culture; empty elements and unknown ones stay', () => {
  const text = (name: string) =>
    `<${name}><MultiLanguageText Lang="en-US">one</MultiLanguageText><MultiLanguageText Lang="de-DE">eins</MultiLanguageText></${name}>`
  const xml = graph({
    title: `${text('Title')}${text('Comment')}`,
    steps: `<Step Number="1" Init="true" Name="Idle" Color="red"><StepName>${text('X').slice(3, -4)}</StepName><Comment /><Actions /><Supervisions><Supervision ProgrammingLanguage="FBD"><Title />${text('AlarmText')}${coilXml('SvCoil')}</Supervision></Supervisions><Interlocks Kind="2" /></Step>`,
    alarms:
      '<AlarmsSettings><AlarmSupervisionCategories /><AlarmInterlockCategory Id="3" /><AlarmSubcategory1Interlock Id="0" /><AlarmSubcategory2Interlock Id="0" /><AlarmCategorySupervision Id="1" /><AlarmSubcategory1Supervision Id="0" /><AlarmSubcategory2Supervision Id="0" /><AlarmWarningCategory Id="2" /><AlarmSubcategory1Warning Id="0" /><AlarmSubcategory2Warning Id="0" /></AlarmsSettings>',
  })
  const { chart, faults } = read(xml)
  assert.deepEqual(faults, [])
  assert.deepEqual(chart.sequences[0]?.title, { 'en-US': 'one', 'de-DE': 'eins' })
  assert.equal(plain(write(chart)), plain(xml))
  assert.deepEqual(read(write(chart)).chart, chart)
})

test('a text takes the place of the empty element that was kept', () => {
  const { chart } = read(graph())
  const [sequence] = chart.sequences
  const titled: SequenceProgram = {
    ...chart,
    sequences: sequence === undefined ? [] : [{ ...sequence, title: { 'en-US': 'Main' } }],
  }
  const xml = write(titled)
  assert.equal(xml.match(/<Title/g)?.length, 1)
  assert.deepEqual(read(xml).chart.sequences[0]?.title, { 'en-US': 'Main' })
})

test('the three alarm settings of V14 are completed: later versions ask for ten', () => {
  const categories = alarmsXml.slice(alarmsXml.indexOf('<AlarmSup'), alarmsXml.indexOf('<AlarmInterlock'))
  const old = `<AlarmsSettings>${categories}<AlarmInterlockCategory Id="4" /><AlarmWarningCategory Id="2" /></AlarmsSettings>`
  const { chart } = read(graph({ alarms: old }))
  const xml = write(chart)
  assert.match(xml, /<AlarmInterlockCategory Id="4" \/><AlarmSubcategory1Interlock Id="0" \/>/)
  assert.deepEqual(read(xml).chart, chart)
})

test('branches: ways in and out are counted', () => {
  const branches =
    '<Branch Number="1" Type="AltBegin" Cardinality="2" /><Branch Number="2" Type="SimEnd" Cardinality="3" />'
  const to = (node: string) => linkXml('<StepRef Number="1" />', node)
  const good = [
    '<BranchRef Number="1" In="0" />',
    '<BranchRef Number="1" Out="1" />',
    '<BranchRef Number="2" In="2" />',
  ]
  const xml = graph({ branches, connections: good.map(to).join('') })
  const { chart, faults } = read(xml)
  assert.deepEqual(faults, [])
  assert.deepEqual(chart.sequences[0]?.connections[1]?.to, { kind: 'branch', number: 1, out: 1 })
  assert.equal(plain(write(chart)), plain(xml))
  for (const bad of [
    '<BranchRef Number="1" In="1" />',
    '<BranchRef Number="1" Out="2" />',
    '<BranchRef Number="2" Out="1" />',
    '<BranchRef Number="3" In="0" />',
    '<BranchRef Number="1" />',
  ])
    assert.equal(read(graph({ branches, connections: to(bad) })).faults.length, 1, bad)
})

/** What TIA Portal refuses, each with the beginning of its fault. */
const faulty: readonly (readonly [parts: Parts, fault: RegExp])[] = [
  [
    { connections: linkXml('<StepRef Number="9" />', '<TransitionRef Number="1" />') },
    /StepRef: the chart has no step with the number 9/,
  ],
  [
    { connections: linkXml('<TransitionRef Number="7" />', '<EndConnection />') },
    /the chart has no transition with the number 7/,
  ],
  [
    { connections: linkXml('<StepRef Number="last" />', '<EndConnection />') },
    /Number is "last", expected a whole number/,
  ],
  [{ connections: linkXml('<StepRef />', '<EndConnection />') }, /<StepRef> needs the attribute Number/],
  [{ connections: linkXml('', '<EndConnection />') }, /a Connection needs <NodeFrom> with one of/],
  [{ connections: linkXml('<Step Number="1" />', '<EndConnection />') }, /<Step> cannot stand in NodeFrom/],
  [
    { connections: linkXml('<StepRef Number="1" />', '<EndConnection />', 'Loop') },
    /LinkType is "Loop"; allowed: Direct, Jump/,
  ],
  [{ steps: stepXml(1, 'Idle', true) + stepXml(1, 'Run', false) }, /step 1 is given twice in this chart/],
  [{ steps: stepXml(1, 'Idle', true) + stepXml(2, 'IDLE', false) }, /step 2 has the name "IDLE" of step 1/],
  [{ steps: stepXml(1, 'go', true) }, /transition 1 has the name "go" of step 1/],
  [
    { steps: stepXml(1, 'Idle', true) + stepXml(2, 'Run', true) },
    /a sequence has one initial step, this one has 2: 1, 2/,
  ],
  [{ branches: '<Branch Number="1" Type="Alt" Cardinality="2" />' }, /Type is "Alt"; allowed: SimBegin/],
  [
    { steps: stepXml(1, 'Idle', true, '<Actions><Action Qualifier="Q" /></Actions>') },
    /Qualifier is "Q"; allowed: N, S, R/,
  ],
  [{ steps: stepXml(1, 'Idle', true, '<Actions><Action Event="E1" /></Actions>') }, /Event is "E1"; allowed: S1/],
  [
    { transitions: transitionXml(1, 'go').replace('UId="21" Name="in"', 'UId="5" Name="in"') },
    /wire 22 leads to UId "5"/,
  ],
]

test('what cannot be is a fault with line and path', () => {
  for (const [parts, expected] of faulty) {
    const { faults } = read(graph(parts))
    assert.equal(faults.length, 1, `${expected}: ${faults.join('\n')}`)
    assert.match(faults[0] as string, expected)
    assert.match(faults[0] as string, /^\d+ \/Graph\/Sequence/)
  }
})

// ── Property: sequence programs survive ──────────────────────────────────────────────────────────────────────────────

const text = fc.string({ maxLength: 12 }).filter((value) => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(value))
const texts = fc.dictionary(fc.constantFrom('en-US', 'de-DE', 'zh-CN'), text, { noNullPrototype: true })

const net = (coil: string): fc.Arbitrary<LogicNetwork> =>
  fc.option(text.filter((name) => name !== '')).map((name): LogicNetwork => {
    const none = { negated: [], invisible: [], templates: [], automaticTyped: [] }
    if (name === null)
      return {
        labels: [],
        nodes: [{ kind: 'part', uId: 21, name: coil, ...none }],
        wires: [{ uId: 22, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 21, pin: 'in' }] }],
      }
    return {
      labels: [],
      nodes: [
        { kind: 'operand', uId: 21, operand: { kind: 'symbol', scope: 'GlobalVariable', path: [{ name }] } },
        { kind: 'part', uId: 22, name: 'Contact', ...none },
        { kind: 'part', uId: 23, name: coil, ...none },
      ],
      wires: [
        { uId: 24, ends: [{ kind: 'powerrail' }, { kind: 'pin', uId: 22, pin: 'in' }] },
        {
          uId: 25,
          ends: [
            { kind: 'operand', uId: 21 },
            { kind: 'pin', uId: 22, pin: 'operand' },
          ],
        },
        {
          uId: 26,
          ends: [
            { kind: 'pin', uId: 22, pin: 'out' },
            { kind: 'pin', uId: 23, pin: 'in' },
          ],
        },
      ],
    }
  })

const language = fc.constantFrom('LAD', 'FBD')
const condition = (coil: string): fc.Arbitrary<Condition> =>
  fc.tuple(language, net(coil), texts).map(([of, within, alarmText]) => ({
    language: of,
    graph: within,
    ...(Object.keys(alarmText).length === 0 ? {} : { alarmText }),
  }))

const action: fc.Arbitrary<Action> = fc
  .tuple(
    fc.constantFrom('', 'N', 'S', 'TF'),
    fc.constantFrom('', 'S1', 'R1'),
    fc.boolean(),
    fc.constantFrom('', '#a := 1', '"M".x[2]', 'CALL "F"', '#a  +1;'),
  )
  .map(([qualifier, event, needsInterlock, line]): Action => {
    const operands: Action['operands'] =
      line === '#a := 1'
        ? [
            { kind: 'symbol', scope: 'LocalVariable', path: [{ name: 'a' }] },
            { kind: 'literal', scope: 'LiteralConstant', value: '1' },
          ]
        : []
    return { qualifier, event, needsInterlock, text: line, operands }
  })

const chart: fc.Arbitrary<SequenceProgram> = fc
  .tuple(
    fc.array(
      fc.tuple(
        text,
        texts,
        fc.array(action, { maxLength: 3 }),
        fc.option(condition('SvCoil')),
        fc.option(condition('IlCoil')),
      ),
      { minLength: 1, maxLength: 5 },
    ),
    fc.array(fc.tuple(condition('TrCoil'), texts), { minLength: 1, maxLength: 5 }),
    fc.array(fc.tuple(language, texts, net('Coil')), { maxLength: 2 }),
    texts,
  )
  .map(([stepFields, transitionFields, operations, title]) => {
    const steps = stepFields.map(
      ([name, comment, actions, supervision, interlock], i): Step => ({
        number: i + 1,
        name: `${name}${i}s`,
        isInitial: i === 0,
        ...(i % 2 === 0 ? { maximumTime: 'T#10S', warningTime: 'T#7S' } : {}),
        comment,
        actions,
        ...(supervision === null ? {} : { supervision }),
        ...(interlock === null ? {} : { interlock }),
      }),
    )
    const transitions = transitionFields.map(
      ([of, comment], i): Transition => ({ ...of, number: i + 1, name: `t${i}t`, comment }),
    )
    const node = (i: number): SequenceNode =>
      i % 3 === 0
        ? { kind: 'step', number: (i % steps.length) + 1 }
        : i % 3 === 1
          ? { kind: 'transition', number: (i % transitions.length) + 1 }
          : { kind: 'branch', number: 1, out: i % 2 }
    const before = operations.map(([of, operationTitle, within]) => ({
      title: operationTitle,
      comment: {},
      language: of,
      graph: within,
    }))
    return {
      before,
      sequences: [
        {
          title,
          comment: {},
          steps,
          transitions,
          branches: [{ number: 1, type: 'SimBegin' as const, cardinality: 2 }],
          connections: [0, 1, 2, 3, 4, 5].map((i) => ({
            from: node(i),
            to: i === 5 ? { kind: 'end' as const } : node(i + 1),
            link: i === 4 ? ('Jump' as const) : ('Direct' as const),
          })),
        },
      ],
      after: [],
    }
  })

test('property: sequence programs survive the way to SimaticML and back', () => {
  const withoutOperands = (of: SequenceProgram): unknown =>
    JSON.parse(JSON.stringify(of, (key, value: unknown) => (key === 'operands' ? undefined : value)))
  fc.assert(
    fc.property(chart, (given) => {
      const xml = write(given)
      const { chart: again, faults } = read(xml)
      assert.deepEqual(faults, [])
      assert.deepEqual(withoutOperands(again), withoutOperands(given))
      assert.equal(write(again), xml)
    }),
    { numRuns: 200 },
  )
})

test('property: damage gives a sequence program or faults, and what is read without faults is written and read again', () => {
  const whole = graph({ branches: '<Branch Number="1" Type="AltBegin" Cardinality="2" />' })
  // Pieces that can be left out, doubled or swapped in well-formed XML: self-closing elements and attributes.
  const pieces = [...whole.matchAll(/<\w+(?: \w+="[^"]*")* \/>| \w+="[^"]*"/g)].map(
    ({ index, 0: text }) => [index, text] as const,
  )
  const attributes = pieces.filter(([, text]) => text.startsWith(' '))
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(pieces.length - 1), { maxLength: 4 }),
      fc.option(fc.tuple(fc.nat(attributes.length - 1), fc.constantFrom('', '-1', '99999999999', 'x', 'true', '0'))),
      (removed, changed) => {
        const edits = removed.map((i): [number, string, string] => [...(pieces[i] as readonly [number, string]), ''])
        if (changed !== null) {
          const [at, text] = attributes[changed[0]] as readonly [number, string]
          if (!edits.some(([start, old]) => at >= start && at < start + old.length))
            edits.push([at, text, text.replace(/"[^"]*"/, `"${changed[1]}"`)])
        }
        let xml = whole
        for (const [at, old, text] of edits.sort(([a], [b]) => b - a))
          if (xml.startsWith(old, at)) xml = xml.slice(0, at) + text + xml.slice(at + old.length)
        const first = read(xml)
        if (first.faults.length > 0) return
        const again = read(write(first.chart))
        assert.deepEqual(again.faults, [])
        assert.equal(write(again.chart), write(first.chart))
      },
    ),
    { numRuns: 400 },
  )
})
