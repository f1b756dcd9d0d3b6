/** What of an earlier file comes into a new description, and in what order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AmlAttribute, AmlDocument, AmlElement, AmlInterface, AmlLink, KeptXml } from './document.ts'
import { type KeptDocuments, mergeKept } from './merge.ts'
import { ethernetNode, interfaceClass, type Role, rolePath } from './roles.ts'

const element = (
  id: string,
  role: Role | '',
  inside: readonly AmlElement[] = [],
  more: Partial<AmlElement> = {},
): AmlElement => ({
  ...{ id, name: id, roles: role === '' ? [] : [rolePath(role)] },
  ...{ attributes: [], interfaces: [], elements: inside, links: [], ...more },
})
const project = (inside: readonly AmlElement[], more: Partial<AmlElement> = {}) =>
  element('P', 'AutomationProject', inside, more)
const documentOf = (elements: readonly AmlElement[], more: Partial<AmlDocument> = {}): AmlDocument => ({
  ...{ fileName: 'new.aml', hierarchies: [{ name: 'New', elements }] },
  ...more,
})
const attribute = (name: string, value?: string, more: Partial<AmlAttribute> = {}): AmlAttribute => ({
  ...{ name, ...(value === undefined ? {} : { value }), attributes: [] },
  ...more,
})
const end = (name: string, classPath: string, more: Partial<AmlInterface> = {}): AmlInterface => ({
  ...{ name, classPath, attributes: [], ...more },
})
const kept = (name: string, attributes: KeptXml['attributes'] = {}, ...content: KeptXml['content']): KeptXml => ({
  ...{ name, attributes, content },
})

/** Elements with their names and what is in them. */
const tree = (elements: readonly AmlElement[]): string =>
  elements.map(({ id, elements: inner }) => (inner.length === 0 ? id : `${id}(${tree(inner)})`)).join(' ')
const merged = (description: AmlDocument, old: KeptDocuments, isPart = false) => mergeKept(description, old, { isPart })
/** A described project into the project of an earlier file. */
const inProject = (
  described: readonly AmlElement[],
  earlier: readonly AmlElement[],
  { isPart = false, links = [[], []] as readonly (readonly AmlLink[])[], stations = [] as readonly AmlElement[] } = {},
): AmlElement => {
  const frame = documentOf([project(earlier, { links: links[1] ?? [] })])
  const made = merged(documentOf([project(described, { links: links[0] ?? [] })]), { frame, stations }, isPart)
  return made.hierarchies[0]!.elements[0]!
}
const order = (...given: Parameters<typeof inProject>) => tree(inProject(...given).elements)
const net = (id: string, inside: readonly AmlElement[] = []) => element(id, 'Subnet', inside)
const other = (id: string) => element(id, '')

test('described elements stand in their old order; new ones behind the one that they follow; unknown ones stay', () => {
  assert.equal(order([net('a'), net('b'), net('c')], [net('c'), net('a'), net('b')]), 'c a b')
  // Two that are new follow b, one comes before all.
  assert.equal(
    order([net('x'), net('b'), net('n1'), net('n2'), net('a')], [net('a'), other('u'), net('b'), other('v')]),
    'x a u b n1 n2 v',
  )
  assert.equal(order([net('n1'), net('n2')], [other('u'), other('v')]), 'n1 n2 u v')
  // What is described is gone where the description does not have it; what nobody interprets stays.
  assert.equal(order([], [net('a'), element('d', 'Device'), other('u'), element('t', 'TagTable')]), 'u')
  // The same GUID in braces and capitals.
  assert.equal(order([net('n'), net('ab')], [other('u'), net('{AB}')]), 'n u ab')
})

test('folders and tag tables are found by their names; those without stations are left out of a part', () => {
  const folder = (id: string, name: string, ...inside: AmlElement[]) =>
    element(id, 'DeviceUserFolder', inside, { name })
  const hall = [other('u'), folder('f1', 'Hall', other('inner')), folder('f2', 'Yard')]
  assert.equal(order([folder('n', 'HALL', net('s'))], hall), 'u f1(s inner) f2')
  assert.equal(order([folder('n', 'HALL', net('s'))], hall, { isPart: true }), 'u f1(s inner)')
  const table = (id: string, name: string) => element(id, 'TagTable', [], { name })
  const cpu = (...inside: AmlElement[]) => element('cpu', 'DeviceItem', inside)
  const stations = [cpu(table('t1', 'Tags'), other('u'))]
  assert.equal(order([cpu(table('n1', 'new'), table('n2', 'tags'))], [], { stations }), 'cpu(n1 t1 u)')
  // Other elements have a GUID of their own.
  assert.equal(order([element('n', 'Subnet', [], { name: 'PN' })], [element('o', 'Subnet', [], { name: 'PN' })]), 'n')
})

test('attributes keep their order, their meaning and what is unknown in them; what is described wins', () => {
  const attributesOf = (described: readonly AmlAttribute[], earlier: readonly AmlAttribute[]) =>
    inProject(
      [element('a', 'Subnet', [], { attributes: described })],
      [element('a', 'Subnet', [], { attributes: earlier })],
    ).elements[0]?.attributes
  const names = (...given: Parameters<typeof attributesOf>) => attributesOf(...given)?.map(({ name }) => name)
  const all = (text: string) => text.split('').map((name) => attribute(name, name))
  assert.deepEqual(names(all('abc'), all('cba')), ['c', 'b', 'a'])
  assert.deepEqual(names(all('xbnma'), all('acb')), ['x', 'a', 'b', 'n', 'm'])
  const unit = { after: [kept('Constraint')], further: { Unit: 'ms' } }
  assert.deepEqual(
    attributesOf(
      [attribute('a', '2'), attribute('b', '1'), attribute('c', undefined, { attributes: all('yx') })],
      [
        attribute('a', '1', { semantic: 'Old', ...unit, attributes: all('u') }),
        attribute('b', '1', { attributes: all('uv') }),
        attribute('c', undefined, { attributes: [attribute('x', 'x', { before: [kept('Description')] })] }),
      ],
    ),
    [
      attribute('a', '2', { semantic: 'Old', ...unit }),
      // One of the same value keeps what is in it.
      attribute('b', '1', { attributes: all('uv') }),
      attribute('c', undefined, {
        attributes: [attribute('y', 'y'), attribute('x', 'x', { before: [kept('Description')] })],
      }),
    ],
  )
  assert.deepEqual(
    attributesOf([attribute('a', '1', { semantic: 'New' })], [attribute('a', '1', { semantic: 'Old' })]),
    [attribute('a', '1', { semantic: 'New' })],
  )
})

test('interfaces keep their GUID, class and order; channels and tags that are described no more are gone', () => {
  const { channel, endPoint, tag } = interfaceClass
  const interfacesOf = (described: readonly AmlInterface[], earlier: readonly AmlInterface[]) =>
    inProject(
      [element('a', 'Subnet', [], { interfaces: described })],
      [element('a', 'Subnet', [], { interfaces: earlier })],
    ).elements[0]?.interfaces
  const names = (...given: Parameters<typeof interfacesOf>) => interfacesOf(...given)?.map(({ name }) => name)
  const ends = (text: string, of: string = endPoint) => text.split('').map((name) => end(name, of))
  assert.deepEqual(names(ends('abc'), ends('cuab')), ['c', 'u', 'a', 'b'])
  assert.deepEqual(names(ends('xbnma'), ends('aub')), ['x', 'a', 'u', 'b', 'n', 'm'])
  assert.deepEqual(names(ends('n', channel), [...ends('c', channel), ...ends('t', tag), ...ends('e')]), ['n', 'e'])
  assert.deepEqual(names([], [end('d', `${channel}/Own`), end('e', 'Other/Channel')]), ['e'])
  const mine = [attribute('DataType', 'Int'), attribute('New', '1')]
  const theirs = [attribute('Gone', '1'), attribute('Comment', 'x'), attribute('DataType', 'Bool')]
  assert.deepEqual(
    interfacesOf(
      [end('t', tag, { id: 'n', attributes: mine }), end('e', endPoint, { attributes: mine })],
      [
        end('t', `${tag}/Own`, { id: 'o', attributes: theirs, before: [kept('Version')] }),
        end('e', endPoint, { attributes: theirs }),
      ],
    ),
    [
      // A tag keeps attributes that nobody interprets; a comment that is gone is none of them.
      end('t', `${tag}/Own`, { id: 'o', attributes: [...mine, theirs[0]!], before: [kept('Version')] }),
      end('e', endPoint, { attributes: mine }),
    ],
  )
})

test('roles of other writers stay, but that of Ethernet with a node that is no node of it any more', () => {
  const rolesOf = (described: readonly string[], earlier: readonly string[]) =>
    inProject([element('a', '', [], { roles: described })], [element('a', '', [], { roles: earlier })]).elements[0]
      ?.roles
  const node = rolePath('Node')
  assert.deepEqual(rolesOf([node, 'B'], ['A', node]), ['A', node, 'B'])
  assert.deepEqual(rolesOf([node], [node, ethernetNode, 'A']), [node, 'A'])
  assert.deepEqual(rolesOf([node, ethernetNode], ['A', ethernetNode, node]), ['A', ethernetNode, node])
  // An element that is another thing now, or has no role, has the roles that are described.
  assert.deepEqual(rolesOf([node], [rolePath('Subnet'), 'A']), [node])
  assert.deepEqual(rolesOf([], ['A']), [])
})

test('links of each kind stand in their old order with new numbers; others stay while both their ends are there', () => {
  const ends = (names: string, of: string = interfaceClass.endPoint) => ({
    interfaces: names.split('').map((name) => end(name, of)),
  })
  const elements = [
    element('n', 'Node', [], ends('abc')),
    element('s', 'Subnet', [], ends('xyz')),
    element('u', '', [], ends('pq')),
    element('c', 'CommunicationPort', [], ends('l', interfaceClass.channel)),
  ]
  const link = (name: string, sideA: string, sideB: string, more: Partial<AmlLink> = {}): AmlLink => ({
    ...{ name, sideA, sideB, ...more },
  })
  const linksOf = (described: readonly AmlLink[], earlier: readonly AmlLink[]) =>
    inProject(elements, elements, { links: [described, earlier] }).links.map(
      ({ name, sideA, sideB }) => `${name} ${sideA} ${sideB}`,
    )
  const three = [link('Net 1', 'n:a', 's:x'), link('Net 2', 'n:b', 's:y'), link('Cable 1', 'n:c', 's:z')]
  assert.deepEqual(linksOf(three, []), ['Net 1 n:a s:x', 'Net 2 n:b s:y', 'Cable 1 n:c s:z'])
  assert.deepEqual(linksOf(three, [link('A', 'n:c', 's:z'), link('B', 'n:b', 's:y')]), [
    'Net 1 n:b s:y',
    'Net 2 n:a s:x',
    'Cable 1 n:c s:z',
  ])
  const others = [
    link('kept', 'u:p', 'n:a'),
    link('also', '{U}:q', 's:x'),
    // These are described by the hardware, and are gone with it.
    link('net', 'n:b', 's:y'),
    link('back', 's:y', 'n:b'),
    link('tag', 'c:l', 'u:p'),
    link('tag back', 'u:p', 'c:l'),
    link('port', 'c:l', 'c:l'),
    // An end that is not there.
    link('lost', 'u:z', 'n:a'),
    link('gone', 'n:a', 'w:p'),
    link('wrong', 'u', 'n:a'),
  ]
  assert.deepEqual(linksOf([], others), ['kept u:p n:a', 'also {U}:q s:x'])
  // Elements that are found by their names have their old GUIDs in links too.
  const named = (id: string) => element(id, 'TagTable', [], { name: 'T', ...ends('p') })
  const { links } = inProject([named('new'), elements[2]!], [named('old')], {
    links: [[link('L1', 'new:p', 'u:p'), link('L2', 'u:p', '{NEW}:p'), link('L3', 'odd', 'u:p')], []],
  })
  assert.deepEqual(
    links.map(({ sideA, sideB }) => `${sideA} ${sideB}`),
    ['old:p u:p', 'u:p old:p', 'odd u:p'],
  )
  // Links of other elements are kept with them.
  const inner = element('u', '', [], { links: [link('own', 'a:a', 'b:b')] })
  assert.deepEqual(inProject([other('u')], [inner]).elements[0]?.links, inner.links)
})

test('the project has its old identity, and stands among what else the file has', () => {
  const header = kept('AdditionalInformation', { AutomationMLVersion: '2.0' })
  const versions = kept('AdditionalInformation', { DocumentVersions: '1' })
  const writer = kept('AdditionalInformation', {}, kept('WriterHeader'))
  const notes = kept('AdditionalInformation', {}, 'WriterHeader', kept('Notes'))
  const libraries = [kept('RoleClassLib', { Name: 'Own' })]
  const description = documentOf([project([net('s')])], {
    before: [header],
    further: { SchemaVersion: '2.15', New: '1' },
  })
  const frame: AmlDocument = {
    fileName: 'old.aml',
    before: [versions, kept('Description', {}, 'x'), writer, notes, header],
    further: { SchemaVersion: '2.0', Old: '1' },
    after: libraries,
    hierarchies: [
      {
        ...{ name: 'Old', further: { ID: 'h' }, before: [kept('Version')], after: [kept('Copyright')] },
        elements: [
          other('u'),
          { ...project([], { id: 'Q', name: 'Plant' }), before: [kept('Description')] },
          other('v'),
        ],
      },
      { name: 'Second', elements: [other('w')] },
    ],
  }
  const made = merged(description, { frame, stations: [] })
  assert.deepEqual(made, {
    fileName: 'old.aml',
    further: { SchemaVersion: '2.0', New: '1', Old: '1' },
    before: [header, kept('Description', {}, 'x'), notes],
    after: libraries,
    hierarchies: [
      {
        ...{ name: 'Old', further: { ID: 'h' }, before: [kept('Version')], after: [kept('Copyright')] },
        elements: [
          other('u'),
          { ...project([net('s')], { id: 'Q', name: 'Plant' }), before: [kept('Description')] },
          other('v'),
        ],
      },
      { name: 'Second', elements: [other('w')] },
    ],
  })
  // A part is another file, and a hierarchy without a project gets one behind the others.
  assert.equal(merged(description, { frame, stations: [] }, true).fileName, 'new.aml')
  const without = documentOf([other('u')], { fileName: 'old.aml' })
  assert.equal(tree(merged(description, { frame: without, stations: [] }).hierarchies[0]!.elements), 'u P(s)')
  const alone = merged(documentOf([project([net('s')])]), { stations: [] })
  assert.deepEqual(alone, { ...documentOf([project([net('s')])]), before: [] })
  for (const nothing of [documentOf([]), { fileName: 'x', hierarchies: [] }])
    assert.equal(merged(nothing, { frame, stations: [] }), nothing)
})
