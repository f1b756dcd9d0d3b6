/** Documents taken apart into stations, and frames put together: what is kept, and which side it is of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixtureText } from '../../../test/recorded.ts'
import type { AmlDocument, AmlElement } from './document.ts'
import { readAml } from './read.ts'
import { joinFrames, splitDocument, stationDocument, stationOf } from './split.ts'

const role = (name: string) => `AutomationProjectConfigurationRoleClassLib/${name}`
const element = (
  id: string,
  kind: string,
  inside: readonly AmlElement[] = [],
  more: Partial<AmlElement> = {},
): AmlElement => ({
  id,
  name: id,
  roles: kind === '' ? [] : [role(kind)],
  attributes: [],
  interfaces: [],
  elements: inside,
  links: [],
  ...more,
})
const link = (sideA: string, sideB: string) => ({ name: `${sideA} to ${sideB}`, sideA, sideB })
const library = (name: string, of?: string) => ({ name, attributes: of === undefined ? {} : { Name: of }, content: [] })
const frame = (elements: readonly AmlElement[], more: Partial<AmlDocument> = {}): AmlDocument => ({
  fileName: 'a.aml',
  hierarchies: [{ name: 'Project', elements }],
  ...more,
})

/** Names as they nest. */
const tree = (elements: readonly AmlElement[]): string =>
  elements.map(({ id, elements: inner }) => (inner.length === 0 ? id : `${id}(${tree(inner)})`)).join(' ')
const joined = (first: readonly AmlElement[], second: readonly AmlElement[]) =>
  tree(joinFrames(frame(first), frame(second)).hierarchies[0]!.elements)

const project = (...inside: AmlElement[]) => element('P', 'AutomationProject', inside)
const folder = (id: string, name: string, ...inside: AmlElement[]) => element(id, 'DeviceUserFolder', inside, { name })
const subnet = (id: string) => element(id, 'Subnet')

test('a frame gets what another one has more, by ids, folders by their names', () => {
  assert.equal(joined([project(subnet('s1'))], [project(subnet('s1'), subnet('s2'))]), 'P(s1 s2)')
  assert.equal(joined([project(subnet('s1'))], [project(subnet('S1'))]), 'P(s1)')
  // The project of the second has another identity: that of the first stays.
  const other = { ...project(subnet('s2')), id: 'Q' }
  assert.equal(joined([project(subnet('s1'))], [other]), 'P(s1 s2)')
  assert.equal(joined([subnet('s1')], [other]), 's1 Q(s2)')
  assert.equal(joined([project()], [subnet('s1'), other, element('x', '')]), 'P(s2) s1 x')
  const one = project(folder('f1', 'Hall', subnet('s1'), folder('f2', 'Inner')))
  const two = project(
    folder('g1', 'hall', subnet('s2'), folder('g2', 'INNER', subnet('s3')), folder('g3', 'More')),
    folder('g4', 'Yard'),
  )
  assert.equal(joined([one], [two]), 'P(f1(s1 f2(s3) s2 g3) g4)')
  // A folder outside of the project is taken by its id.
  assert.equal(joined([folder('f1', 'Hall')], [folder('g1', 'Hall')]), 'f1 g1')
})

test('only the first hierarchy gets more, from all of the second', () => {
  const first: AmlDocument = {
    fileName: 'a.aml',
    hierarchies: [
      { name: 'one', elements: [] },
      { name: 'two', elements: [subnet('s9')] },
    ],
  }
  const second: AmlDocument = {
    fileName: 'b.aml',
    hierarchies: [
      { name: 'x', elements: [subnet('s1')] },
      { name: 'y', elements: [subnet('s2')] },
    ],
  }
  const { fileName, hierarchies } = joinFrames(first, second)
  assert.equal(fileName, 'a.aml')
  assert.deepEqual(
    hierarchies.map(({ name, elements }) => `${name}: ${tree(elements)}`),
    ['one: s1 s2', 'two: s9'],
  )
})

test('links and libraries come once', () => {
  const withLinks = (...links: ReturnType<typeof link>[]) => [element('P', 'AutomationProject', [], { links })]
  const both = joinFrames(
    frame(withLinks(link('a', 'b'), link('a', 'c'))),
    frame(withLinks(link('a', 'b'), link('b', 'a'), link('x', 'c'))),
  )
  assert.deepEqual(
    both.hierarchies[0]!.elements[0]!.links.map(({ sideA, sideB }) => sideA + sideB),
    ['ab', 'ac', 'ba', 'xc'],
  )
  const after = (first: AmlDocument['after'], second: AmlDocument['after']) =>
    joinFrames(frame([], first ? { after: first } : {}), frame([], second ? { after: second } : {})).after
  assert.equal(after(undefined, undefined), undefined)
  assert.deepEqual(after([library('RoleClassLib', 'A')], undefined), [library('RoleClassLib', 'A')])
  assert.deepEqual(after(undefined, [library('RoleClassLib', 'A')]), [library('RoleClassLib', 'A')])
  assert.deepEqual(
    after(
      [library('RoleClassLib', 'A'), library('Other')],
      [library('RoleClassLib', 'A'), library('InterfaceClassLib', 'A'), library('Other'), library('RoleClassLib')],
    ),
    [library('RoleClassLib', 'A'), library('Other'), library('InterfaceClassLib', 'A'), library('RoleClassLib')],
  )
})

test('a document is its frame with its stations, each of which is a document of its own', () => {
  const document = readAml(fixtureText(import.meta.url, 'dense.aml'))
  const { frame: around, stations } = splitDocument(document)
  assert.ok(stations.size > 1)
  const whole = (elements: readonly AmlElement[]): AmlElement[] =>
    elements.map((one) => stations.get(one.id.toLowerCase()) ?? { ...one, elements: whole(one.elements) })
  const again = { ...around, hierarchies: around.hierarchies.map((one) => ({ ...one, elements: whole(one.elements) })) }
  assert.deepEqual(again, document)
  for (const station of stations.values()) {
    const own = stationDocument(station, document)
    assert.equal(stationOf(own), station)
    assert.deepEqual([own.before, own.further], [document.before, document.further])
  }
  // What is inside of a station is its own, also another station; all else holds no stations.
  const inner = element('d2', 'Device')
  const parts = splitDocument(
    frame([
      project(folder('f', 'F', element('d1', 'Device', [inner])), subnet('s')),
      element('x', '', [element('d3', 'Device')]),
    ]),
  )
  assert.deepEqual([...parts.stations.keys()], ['d1', 'd3'])
  assert.equal(tree(parts.frame.hierarchies[0]!.elements), 'P(f(d1) s) x(d3)')
  assert.equal(stationOf(frame([subnet('s')])), undefined)
  assert.equal('further' in stationDocument(inner, {}), false)
})
