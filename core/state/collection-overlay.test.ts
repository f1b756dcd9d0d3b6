import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collection } from '../contract/collection.ts'
import { CollectionOverlay, type EntryChanges } from './collection-overlay.ts'
import { CollectionStore } from './collection-store.ts'

interface Thing {
  readonly group: string
  readonly size: number
}
const things = collection<Thing>('test.things', { byGroup: ({ group }) => group })

const key = fc.constantFrom(...'abcdef')
const thing = fc.record({ group: fc.constantFrom('g', 'h'), size: fc.nat(9) }, { noNullPrototype: true })
type Writer = Pick<CollectionStore<Thing>, 'set' | 'update' | 'delete' | 'clear'>
type Change = (writer: Writer) => void
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(key, thing).map(
      ([k, value]) =>
        (writer: Writer) =>
          writer.set(k, value),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(key, thing).map(([k, { group, size }]) => (writer: Writer) => {
      writer.update(k, (draft) => {
        draft.group = group
        draft.size += size
      })
    }),
  },
  { weight: 3, arbitrary: key.map((k) => (writer: Writer) => writer.delete(k)) },
  { weight: 1, arbitrary: fc.constant((writer: Writer) => writer.clear()) },
)

/** A plain map that is changed at once. */
function modelOf(map: Map<string, Thing>): Writer {
  return {
    set: (k, value) => map.set(k, value),
    update: (k, recipe) => {
      const draft = { ...map.get(k) } as Thing
      if (!map.has(k)) return
      recipe(draft)
      map.set(k, draft)
    },
    delete: (k) => map.delete(k),
    clear: () => map.clear(),
  }
}

/** All that readers can ask, in the order of the entries. */
function assertReadsAs(reader: CollectionOverlay<Thing> | CollectionStore<Thing>, map: ReadonlyMap<string, Thing>) {
  assert.deepEqual([...reader.entries()], [...map])
  assert.deepEqual([...reader.keys()], [...map.keys()])
  assert.deepEqual([...reader.values()], [...map.values()])
  assert.equal(reader.size, map.size)
  for (const k of 'abcdefx') {
    assert.deepEqual(reader.get(k), map.get(k))
    assert.equal(reader.has(k), map.has(k))
  }
  for (const group of ['g', 'h', 'none']) {
    const keys = [...map].flatMap(([k, value]) => (value.group === group ? [k] : []))
    assert.deepEqual(reader.findKeys('byGroup', group), keys)
    assert.deepEqual(
      reader.find('byGroup', group),
      keys.map((k) => map.get(k)),
    )
    assert.deepEqual(reader.sortedKeys('byGroup', group), keys.sort())
  }
}

function assertChanges(changes: EntryChanges, before: ReadonlyMap<string, Thing>, after: ReadonlyMap<string, Thing>) {
  const differ = [...new Set([...before.keys(), ...after.keys()])].filter(
    (k) => JSON.stringify(before.get(k)) !== JSON.stringify(after.get(k)),
  )
  // An entry that was written again with the same content may be among them.
  const named = changes.keys()
  for (const k of differ) assert(named.includes(k), k)
  for (const k of named) assert.deepEqual([changes.before(k), changes.after(k)], [before.get(k), after.get(k)])
  assert.equal(new Set(named).size, named.length)
}

test('an overlay reads as a map with the changes would, merges them and takes them back', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), fc.array(change), (first, changes, later) => {
      const store = new CollectionStore(things)
      const before = new Map<string, Thing>()
      for (const each of first) for (const writer of [store, modelOf(before)]) each(writer)
      assertReadsAs(store, before)

      const overlay = new CollectionOverlay(store)
      const after = new Map(before)
      assert.equal(overlay.changed(), undefined)
      for (const each of changes) {
        for (const writer of [overlay, modelOf(after)]) each(writer)
        assertReadsAs(overlay, after)
      }
      assertChanges(overlay.pending(), before, after)
      assertReadsAs(store, before)

      overlay.merge()
      assertReadsAs(store, after)
      assertReadsAs(overlay, after)
      assertChanges(overlay.changed()!, before, after)

      const next = new CollectionOverlay(store)
      for (const each of later) each(next)
      next.merge()
      next.takeBack()
      assertReadsAs(store, after)
      overlay.takeBack()
      assertReadsAs(store, before)
    }),
    { numRuns: 300 },
  )
})

test('what is changed that is not there is told to the store alone', () => {
  const store = new CollectionStore(things)
  const absent: string[] = []
  store.onAbsent = (k) => absent.push(k)
  const overlay = new CollectionOverlay(store)
  overlay.update('a', () => assert.fail('there is nothing to change'))
  store.update('b', () => assert.fail('there is nothing to change'))
  assert.deepEqual(absent, ['b'])
  assert.throws(() => store.findKeys('byNone', 'x'), new Error('collection test.things has no index "byNone"'))
})
