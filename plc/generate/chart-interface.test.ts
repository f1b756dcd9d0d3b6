/** The interface of a GRAPH block: what the system makes beside what is given (`fixtures/chart-interface.txt`). */
import { test } from 'node:test'
import { assertRecorded, fixtureText } from '../../test/recorded.ts'
import { readSimaticMlText } from '../formats/simaticml/read.ts'
import type { InterfaceSection, SectionName } from '../model/object.ts'
import { outline } from '../testing/outline.ts'
import { withSystemMembers } from './chart-interface.ts'

const section = (name: SectionName, ...names: readonly string[]): InterfaceSection => ({
  section: name,
  members: names.map((one) => ({ name: one, dataType: 'Int', comment: {}, attributes: [], members: [] })),
})

test('system members come before those that are given, unless their names are given, in letters of any case', () => {
  const [object] = readSimaticMlText(
    fixtureText(import.meta.url, '../../formats/simaticml/fixtures/dense-graph.xml'),
  ).objects
  const chart = object!.networks[0]!.chart!
  const told: string[] = []
  for (const version of ['5.0', '6.0'] as const)
    told.push(`── ${version}`, ...outline(withSystemMembers([], chart, version)))
  const given: readonly (readonly [string, readonly InterfaceSection[]])[] = [
    ['own members', [section('Input', 'go'), section('Static', 'count'), section('Temp', 't')]],
    ['a parameter of the system', [section('Input', 'go', 'off_sq')]],
    ['statics of the system', [section('Static', 'rt_data', 'idle', 'Count')]],
  ]
  for (const [what, sections] of given) {
    const made = withSystemMembers(sections, chart, '6.0')
    told.push(
      `── ${what}`,
      ...made.map(({ section: name, members }) => `${name}: ${members.map((one) => one.name).join(' ')}`),
    )
  }
  assertRecorded(import.meta.url, 'chart-interface.txt', `${told.join('\n')}\n`)
})
