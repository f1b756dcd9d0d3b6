/**
 * The part of the interface of a GRAPH function block that the system makes: parameters, run-time data, and the data of
 * steps and transitions (docs/formats.md#graph, files of V17 to V21).
 */

import type { InterfaceMember, InterfaceSection, MemberAttribute, SectionName } from '../model/object.ts'
import type { SequenceProgram } from '../model/sequence.ts'

/** Parameters with their data type and what they are for, in the order of the engineering tool. */
const parameters: Readonly<Partial<Record<SectionName, readonly (readonly [name: string, comment: string])[]>>> = {
  Input: [
    ['OFF_SQ', 'Turn sequence off'],
    ['INIT_SQ', 'Set sequence to initial state'],
    ['ACK_EF', 'Acknowledge all errors and faults'],
    ['S_PREV', 'Output previous step in parameter S_NO'],
    ['S_NEXT', 'Indicate next step in parameter S_NO'],
    ['SW_AUTO', 'Automatic mode'],
    ['SW_TAP', 'Semiautomatic/switch with transition'],
    ['SW_TOP', 'Semiautomatic/ignore transition'],
    ['SW_MAN', 'Manual mode'],
    ['S_SEL', 'Select step to be output to S_NO'],
    ['S_ON', 'Activate step indicated in S_NO'],
    ['S_OFF', 'Disable step indicated in S_NO'],
    ['T_PUSH', 'Enable transition to switch in semi automatic mode'],
  ],
  Output: [
    ['S_NO', 'Step number'],
    ['S_MORE', 'More steps are available and can be shown in S_NO'],
    ['S_ACTIVE', 'Step indicated in S_NO is active'],
    ['ERR_FLT', 'Interlock or supervision group error'],
    ['AUTO_ON', 'Automatic mode is active'],
    ['TAP_ON', 'Semiautomatic mode/step with transition enabled'],
    ['TOP_ON', 'Semiautomatic mode/ignore transition enabled'],
    ['MAN_ON', 'Manual mode is active'],
  ],
}
/** Names that the system gives to members. */
export const systemParameters: readonly string[] = [
  ...Object.values(parameters).flatMap((list) => list.map(([name]) => name)),
  'RT_DATA',
]
const integers: ReadonlySet<string> = new Set(['S_SEL', 'S_NO'])

const hidden: readonly MemberAttribute[] = ['ExternalAccessible', 'ExternalVisible', 'ExternalWritable'].map(
  (name) => ({
    name,
    type: 'Boolean',
    value: 'false',
    systemDefined: true,
  }),
)
const setPoint: MemberAttribute = {
  name: 'SetPoint',
  type: 'Boolean',
  value: 'true',
  informative: true,
  systemDefined: true,
}

/** Version of the system types by that of the engineering tool: V16 is the last without 6.0. */
export function graphVersionOf(engineering: number): '5.0' | '6.0' {
  return engineering >= 17 ? '6.0' : '5.0'
}

/**
 * The whole interface: what the system makes, then what the specification adds. A name of the system that is given, and
 * any parameter of the system when at least one is, stays as given.
 */
export function withSystemMembers(
  given: readonly InterfaceSection[],
  chart: SequenceProgram,
  graphVersion: '5.0' | '6.0',
): InterfaceSection[] {
  const own = (name: SectionName): readonly InterfaceMember[] =>
    given.find(({ section }) => section === name)?.members ?? []
  const system = systemMembers(chart, graphVersion)
  const names: readonly SectionName[] = ['Base', 'Input', 'Output', 'InOut', 'Static', 'Temp', 'Constant']
  return names.map((section): InterfaceSection => {
    if (section === 'Base') return { section, members: [], base: emptyBase, baseKept }
    const members = own(section)
    const present = new Set(members.map(({ name }) => name.toUpperCase()))
    const made = system.get(section) ?? []
    const isChosen = section !== 'Static' && made.some(({ name }) => present.has(name.toUpperCase()))
    const added = isChosen ? [] : made.filter(({ name }) => !present.has(name.toUpperCase()))
    return { section, members: [...added, ...members] }
  })
}

const emptyBase: readonly InterfaceSection[] = (['Input', 'Output', 'InOut', 'Static'] as const).map((section) => ({
  section,
  members: [],
}))
const baseKept = { attributes: { Datatype: 'GRAPH_BASE', Version: '1.0' } }

/** The members that the system makes, by section. */
export function systemMembers(
  { sequences, before, after }: SequenceProgram,
  graphVersion: '5.0' | '6.0',
): ReadonlyMap<SectionName, readonly InterfaceMember[]> {
  const suffix = `Plus_V${graphVersion.charAt(0)}`
  const steps = sequences.flatMap((sequence) => sequence.steps)
  const transitions = sequences.flatMap((sequence) => sequence.transitions)
  const sections = new Map<SectionName, readonly InterfaceMember[]>()
  for (const [section, list = []] of Object.entries(parameters))
    sections.set(
      section as SectionName,
      list.map(([name, comment]) => parameterMember(name, comment)),
    )
  const counts: readonly (readonly [string, number])[] = [
    ['PRE_CNT', before.length],
    ['POST_CNT', after.length],
    ['SQ_CNT', sequences.length],
    ['S_CNT', steps.length],
    ['T_CNT', transitions.length],
  ]
  sections.set('Static', [
    structure('RT_DATA', `G7_RTData${suffix}`, 'Internal data area', [
      value('VERSION', 'String[10]', `'V${graphVersion}'`),
      ...counts.map(([name, count]) => value(name, 'USInt', String(count))),
    ]),
    ...transitions.map(({ name, number }) =>
      structure(name, `G7_Transition${suffix}`, 'Transition structure', [value('TNO', 'Int', String(number))]),
    ),
    ...steps.map(({ name, number, maximumTime = 'T#10S', warningTime = 'T#7S' }) =>
      structure(name, `G7_Step${suffix}`, 'Step structure', [
        value('SNO', 'Int', String(number)),
        value('T_MAX', 'Time', maximumTime),
        value('T_WARN', 'Time', warningTime),
        value('H_SV_FLT', 'Byte', '16#04'),
      ]),
    ),
  ])
  return sections
}

function parameterMember(name: string, comment: string): InterfaceMember {
  const isInteger = integers.has(name)
  return {
    name,
    dataType: isInteger ? 'Int' : 'Bool',
    startValue: isInteger ? '0' : 'false',
    startValueIsInformative: true,
    comment: { 'en-US': comment },
    commentIsInformative: true,
    attributes: hidden,
    members: [],
  }
}

function structure(
  name: string,
  dataType: string,
  comment: string,
  members: readonly InterfaceMember[],
): InterfaceMember {
  return {
    name,
    dataType,
    version: '1.0',
    comment: { 'en-US': comment },
    commentIsInformative: true,
    attributes: [...hidden, setPoint],
    members: [],
    sections: [{ section: 'None', members }],
  }
}

function value(name: string, dataType: string, startValue: string): InterfaceMember {
  return { name, dataType, startValue, startValueIsInformative: true, comment: {}, attributes: [], members: [] }
}
