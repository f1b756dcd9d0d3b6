/** The merge of documents beside a merge of plain values, unit by unit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../test/random.ts'
import { mergeXml } from './elements.ts'

interface Member {
  readonly start?: string
  readonly comment?: string
  readonly access?: string
}
interface State {
  readonly version: string
  readonly author: string
  readonly members: ReadonlyMap<string, Member>
}

const render = ({ version, author, members }: State): string => {
  const lines = [...members].map(([name, { start, comment, access }]) => {
    const inside =
      (comment === undefined
        ? ''
        : `<Comment><MultiLanguageText Lang="en-US">${comment}</MultiLanguageText></Comment>`) +
      (start === undefined ? '' : `<StartValue>${start}</StartValue>`)
    const tag = `<Member Name="${name}" Datatype="Int"${access === undefined ? '' : ` Accessibility="${access}"`}`
    return inside === '' ? `          ${tag} />` : `          ${tag}>${inside}</Member>`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<Document>
  <SW.Blocks.FB ID="0">
    <AttributeList>
      <HeaderAuthor>${author}</HeaderAuthor>
      <HeaderVersion>${version}</HeaderVersion>
      <Interface><Sections>
        <Section Name="Static">
${lines.join('\n')}
        </Section>
      </Sections></Interface>
      <Name>B</Name>
    </AttributeList>
  </SW.Blocks.FB>
</Document>
`
}
const read = (text: string): State => {
  const leaf = (name: string, of = text) => new RegExp(`<${name}[^>]*>([^<]*)</${name}>`).exec(of)?.[1]
  const members = [...text.matchAll(/<Member Name="(\w+)" Datatype="Int"([^>]*?)\s*(?:\/>|>(.*?)<\/Member>)/g)]
  return {
    version: leaf('HeaderVersion')!,
    author: leaf('HeaderAuthor')!,
    members: new Map(
      members.map(([, name = '', tag = '', inside = '']) => {
        const start = leaf('StartValue', inside)
        const comment = leaf('MultiLanguageText', inside)
        const access = /Accessibility="(\w+)"/.exec(tag)?.[1]
        return [
          name,
          {
            ...(start === undefined ? {} : { start }),
            ...(comment === undefined ? {} : { comment }),
            ...(access === undefined ? {} : { access }),
          },
        ] as const
      }),
    ),
  }
}
const merged = (base: State, ours: State, theirs: State) => {
  const [a, b, c] = [base, ours, theirs].map((state) => ({ text: render(state), objects: [] }))
  const { text, conflicts } = mergeXml(a!, b!, c!)
  return { text, state: read(text), conflicts: conflicts.map(({ path, message }) => `${path}: ${message}`) }
}

/** The value of one unit; where both sides changed it, ours with a conflict. */
function pick(a: string | undefined, b: string | undefined, c: string | undefined, path: string, told: string[]) {
  if (a === c || b === c) return b
  if (a === b) return c
  told.push(
    a === undefined
      ? `${path}: both sides added it, and differ`
      : c === undefined
        ? `${path}: their side removed it, our side changed it`
        : b === undefined
          ? `${path}: our side removed it, their side changed it`
          : `${path}: both sides changed it`,
  )
  return b
}

test('units that one side changed are taken from it; what both changed is told, and ours stays', () => {
  const random = randomFrom(11)
  const below = (count: number) => Math.floor(random() * count)
  const maybe = (value: string | undefined, among: readonly (string | undefined)[]) =>
    below(4) === 0 ? among[below(among.length)] : value
  const changed = ({ version, author, members }: State): State => ({
    version: maybe(version, ['1.0', '2.0'])!,
    author: maybe(author, ['me', 'you'])!,
    members: new Map(
      [...members].map(([name, { start, comment, access }]) => {
        const own = {
          start: maybe(start, ['1', '2', undefined]),
          comment: maybe(comment, ['x', 'y']),
          access: maybe(access, ['Public', 'Internal']),
        }
        return [name, Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))] as const
      }),
    ),
  })
  const start: State = {
    version: '0.1',
    author: '',
    members: new Map<string, Member>([
      ['a', { start: '0', comment: 'c' }],
      ['b', { comment: 'c', access: 'Private' }],
      ['c', { start: '0', comment: 'c', access: 'Private' }],
      ['d', { comment: 'd' }],
    ]),
  }
  let [conflicting, clean] = [0, 0]
  for (let round = 0; round < 400; round++) {
    const base = changed(start)
    const [ours, theirs] = [changed(base), changed(base)]
    const told: string[] = []
    const block = '"B"'
    const author = pick(base.author, ours.author, theirs.author, `${block}.HeaderAuthor`, told)!
    const version = pick(base.version, ours.version, theirs.version, `${block}.HeaderVersion`, told)!
    const members = new Map<string, Member>()
    for (const [name, a] of base.members) {
      const [b, c] = [ours.members.get(name)!, theirs.members.get(name)!]
      const at = `${block}.Static.${name}`
      // Attributes of the tag have no message of their own for one that both added.
      const attribute = (key: 'access') => {
        const own: string[] = []
        const value = pick(a[key], b[key], c[key], '', own)
        if (own.length > 0) told.push(`${at}.Accessibility: both sides changed it`)
        return value
      }
      const access = attribute('access')
      const comment = pick(a.comment, b.comment, c.comment, `${at}.Comment.MultiLanguageText`, told)
      const value = pick(a.start, b.start, c.start, `${at}.StartValue`, told)
      const own = { start: value, comment, access }
      members.set(name, Object.fromEntries(Object.entries(own).filter(([, one]) => one !== undefined)))
    }
    const result = merged(base, ours, theirs)
    assert.deepEqual(result.conflicts.map((one) => one.replace(/\.en-US/, '')).sort(), told.sort(), render(base))
    assert.deepEqual(result.state, { version, author, members })
    if (told.length > 0) conflicting++
    else clean++
    // Nothing of theirs is nothing at all, and nothing of ours is theirs.
    assert.equal(merged(base, ours, base).text, render(ours))
    assert.deepEqual(merged(base, base, theirs).state, theirs)
  }
  assert.ok(conflicting > 50 && clean > 50, `${conflicting} ${clean}`)
})

const plain = (members: readonly string[]): State => ({
  version: '0.1',
  author: '',
  members: new Map(members.map((name) => [name, {}])),
})
const namesOf = ({ members }: State) => [...members.keys()].join(' ')

test('members that a side added stand behind those they follow there; a removed one is gone', () => {
  const cases: readonly (readonly [ours: string, theirs: string, merged: string, ...conflicts: string[]])[] = [
    ['a b c', 'a x b c', 'a x b c'],
    ['a b c', 'x a b c', 'x a b c'],
    ['a b c', 'a b c x y', 'a b c x y'],
    ['a o b c', 'a t b c', 'a o t b c'],
    ['a c', 'a b x c', 'a x c'],
    ['a b c', 'a c', 'a c'],
    ['b c', 'a b', 'b'],
    ['a n b c', 'a b n c', 'a n b c'],
    ['a b c', 'c b a', 'c b a'],
    ['a b o c', 'c b a', 'a b o c', '"B".Static: their side changed the order'],
    ['c b a', 'c b a', 'c b a'],
    ['c b a', 'a b c', 'c b a'],
  ]
  for (const [ours, theirs, expected, ...conflicts] of cases) {
    const [base, own, other] = ['a b c', ours, theirs].map((text) => plain(text.split(' ')))
    const result = merged(base!, own!, other!)
    assert.deepEqual([namesOf(result.state), result.conflicts], [expected, conflicts], `${ours} / ${theirs}`)
  }
})

const one = (member: string) => ({
  text: render(plain(['z'])).replace('<Member Name="z" Datatype="Int" />', member),
  objects: [],
})
const mergedMember = (base: string, ours: string, theirs: string) => {
  const { text, conflicts } = mergeXml(one(base), one(ours), one(theirs))
  return [/ {10}(.*)/.exec(text)?.[1], ...conflicts.map(({ path, message }) => `${path}: ${message}`)]
}

test('a new type and another change of a member belong together; a comment does not', () => {
  const member = (attributes: string, inside = '') => `<Member Name="m" ${attributes}>${inside}</Member>`
  const start = '<StartValue>1</StartValue>'
  const comment = '<Comment><MultiLanguageText Lang="en-US">c</MultiLanguageText></Comment>'
  const [int, real] = ['Datatype="Int"', 'Datatype="Real"']
  const both = '"B".Static.m: both sides changed it'
  assert.deepEqual(mergedMember(member(int), member(real), member(int, start)), [member(real), both])
  assert.deepEqual(mergedMember(member(int), member(int, start), member(real)), [member(int, start), both])
  assert.deepEqual(mergedMember(member(int), member(real), member(int, comment)), [member(real, comment)])
  assert.deepEqual(mergedMember(member(int), member(int, comment), member(real)), [member(real, comment)])
  assert.deepEqual(mergedMember(member(int), member(`${int} Version="1.0"`), member(int, start)), [
    member(`${int} Version="1.0"`),
    both,
  ])
  assert.deepEqual(mergedMember(member(int), member(`${int} Remanence="Retain"`), member(int, start)), [
    member(`${int} Remanence="Retain"`, start),
  ])
})

test('attributes of a tag are changed, added and removed in their place', () => {
  const member = (attributes: string, inside = '/>') => `<Member Name="m" Datatype="Int"${attributes}${inside}`
  const full = '><StartValue>1</StartValue></Member>'
  assert.deepEqual(mergedMember(member(''), member('', full), member(' Remanence="Retain"')), [
    member(' Remanence="Retain"', full),
  ])
  assert.deepEqual(mergedMember(member(' A="1" B="2"'), member(' A="1" B="2"', full), member(' B="3"')), [
    member(' B="3"', full),
  ])
  assert.deepEqual(mergedMember(member(' A="1"'), member(' A="2"'), member(" A='3'")), [
    member(' A="2"'),
    '"B".Static.m.A: both sides changed it',
  ])
  // Into an element that has nothing in it yet.
  assert.deepEqual(mergedMember(member(''), member(' A="1"', ' />'), member('', full)), [
    `${member(' A="1"', '')} ><StartValue>1</StartValue>`,
  ])
})
