import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Collection, collection, ownedBy, ownerKind } from '../contract/collection.ts'
import type { EventMeta } from '../contract/reducer.ts'
import { State } from './state.ts'

interface Thing {
  readonly name: string
  readonly group: string
  readonly parts: readonly { readonly n: number }[]
}
const things: Collection<Thing> = collection<Thing>('test.things', { byGroup: (thing) => thing.group })
const meta = (type: string): EventMeta => ({ type, time: 0, jobId: undefined, actor: undefined })

function newState() {
  const state = new State()
  state.register(things)
  state.reductions.on('set', (write, data) => write(things).set((data as Thing).name, data as Thing), 'test')
  state.reductions.on(
    'group',
    (write, data) => {
      const { name, group } = data as Thing
      write(things).update(name, (draft) => {
        draft.group = group
        draft.parts.push({ n: draft.parts.length })
      })
    },
    'test',
  )
  state.reductions.on('delete', (write, data) => write(things).delete((data as Thing).name), 'test')
  state.reductions.on('clear', (write) => write(things).clear(), 'test')
  return state
}
/** The entries in their order, and the keys that the index finds, in theirs. */
const contents = ({ read }: Pick<State, 'read'>) => ({
  entries: [...read(things).entries()].map(([key, value]) => [key, structuredClone(value)]),
  found: ['g', 'h'].map((group) => read(things).findKeys('byGroup', group)),
})

test('an overlay is invisible until it is merged, and the merge can be undone', () => {
  const state = newState()
  const first = state.overlay()
  first.fold({ name: 'a', group: 'g', parts: [] }, meta('set'))
  assert.equal(state.read(things).size, 0)
  assert.equal(first.read(things).get('a')?.group, 'g')
  first.merge()
  const second = state.overlay()
  second.fold({ name: 'a', group: 'h' }, meta('group'))
  assert.equal(second.read(things).find('byGroup', 'h').length, 1)
  assert.equal(second.read(things).find('byGroup', 'g').length, 0)
  assert.equal(state.read(things).get('a')?.group, 'g')
  second.merge()
  assert.deepEqual(state.read(things).get('a'), { name: 'a', group: 'h', parts: [{ n: 0 }] })
  assert.deepEqual(
    state
      .read(things)
      .find('byGroup', 'h')
      .map((t) => t.name),
    ['a'],
  )
  second.takeBack()
  assert.deepEqual(state.read(things).get('a'), { name: 'a', group: 'g', parts: [] })
  assert.deepEqual(state.read(things).find('byGroup', 'h'), [])
})

test('clear hides the base in the overlay and is undone whole', () => {
  const state = newState()
  for (const name of ['a', 'b']) state.fold({ name, group: 'g', parts: [] }, meta('set'))
  const overlay = state.overlay()
  overlay.fold({}, meta('clear'))
  overlay.fold({ name: 'c', group: 'g', parts: [] }, meta('set'))
  assert.deepEqual([...overlay.read(things).keys()], ['c'])
  assert.equal(overlay.read(things).size, 1)
  assert.deepEqual(
    overlay
      .read(things)
      .find('byGroup', 'g')
      .map((t) => t.name),
    ['c'],
  )
  overlay.merge()
  assert.deepEqual([...state.read(things).keys()], ['c'])
  overlay.takeBack()
  assert.deepEqual([...state.read(things).keys()], ['a', 'b'])
  assert.equal(state.read(things).find('byGroup', 'g').length, 2)
})

test('a reducer that two slices share an event with never shares aggregates when folding in place', () => {
  const state = newState()
  const copies = collection<Thing>('other.copies')
  state.register(copies)
  state.reductions.on('set', (write, data) => write(copies).set((data as Thing).name, data as Thing), 'other')
  state.fold({ name: 'a', group: 'g', parts: [] }, meta('set'))
  state.fold({ name: 'a', group: 'h' }, meta('group'))
  assert.deepEqual(state.read(copies).get('a')?.parts, [])
  assert.deepEqual(state.read(things).get('a')?.parts, [{ n: 0 }])
})

const step = fc.oneof(
  fc.record({ type: fc.constant('set'), name: fc.constantFrom('a', 'b', 'c', 'd'), group: fc.constantFrom('g', 'h') }),
  fc.record({
    type: fc.constant('group'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    group: fc.constantFrom('g', 'h'),
  }),
  fc.record({ type: fc.constant('delete'), name: fc.constantFrom('a', 'b', 'c', 'd'), group: fc.constant('') }),
  fc.record({ type: fc.constant('clear'), name: fc.constant(''), group: fc.constant('') }),
)
const event = ({ type, name, group }: { type: string; name: string; group: string }) => ({
  data: { name, group, ...(type === 'set' ? { parts: [] } : {}) },
  meta: meta(type),
})

test('every order is the same when the log is folded, whatever was taken back, and after a checkpoint', () => {
  const command = fc.array(step, { maxLength: 6 })
  const batch = fc.record({ commands: fc.array(command, { maxLength: 3 }), isLost: fc.boolean() })
  const run = (live: State, commands: readonly Parameters<typeof event>[0][][]) =>
    commands.map((steps) => {
      const overlay = live.overlay()
      for (const one of steps) {
        const { data, meta } = event(one)
        overlay.fold(data, meta)
      }
      const seen = contents({ read: (of) => overlay.read(of) })
      const { size } = overlay.read(things)
      overlay.merge()
      assert.deepEqual(contents(live), seen)
      assert.deepEqual(contents({ read: (of) => overlay.read(of) }), seen)
      assert.equal(size, seen.entries.length)
      return overlay
    })
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 8 }), (batches) => {
      const folded = newState()
      const live = newState()
      for (const { commands, isLost } of batches) {
        const overlays = run(live, commands)
        if (isLost) for (const overlay of overlays.reverse()) overlay.takeBack()
        else
          for (const one of commands.flat()) {
            const { data, meta } = event(one)
            folded.fold(data, meta)
          }
        assert.deepEqual(contents(live), contents(folded))
        const restored = newState()
        for (const [id, entries] of live.snapshot()) restored.restore(id, entries)
        assert.deepEqual(contents(restored), contents(folded))
      }
    }),
    { numRuns: 300 },
  )
})

test('what an operation reads cannot be written: neither the collection nor an aggregate', () => {
  const state = newState()
  state.fold({ name: 'a', group: 'g', parts: [{ n: 1 }] }, meta('set'))
  state.restore('test.things', [['restored', { name: 'restored', group: 'g', parts: [{ n: 1 }] }]])
  const overlay = state.overlay()
  overlay.fold({ name: 'b', group: 'g', parts: [{ n: 1 }] }, meta('set'))
  overlay.fold({ name: 'a', group: 'h' }, meta('group'))
  const before = contents(state)
  for (const reader of [state.read(things), overlay.read(things)]) {
    const writer = reader as unknown as {
      set(key: string, value: unknown): void
      delete(key: string): void
      clear(): void
    }
    assert.throws(() => writer.set('a', {}))
    assert.throws(() => writer.delete('a'))
    assert.throws(() => writer.clear())
    for (const thing of reader.values()) {
      assert.throws(() => Object.assign(thing, { group: 'x' }), TypeError)
      assert.throws(() => (thing.parts as unknown[]).push({ n: 2 }), TypeError)
      assert.throws(() => Object.assign(thing.parts[0]!, { n: 2 }), TypeError)
    }
  }
  assert.deepEqual(contents(state), before)
  overlay.merge()
  assert.throws(() => Object.assign(state.read(things).get('b')!, { group: 'x' }), TypeError)
})

interface Part {
  readonly machine?: string
}

/** Parts belong to a machine or to no owner, notes to the one plant. */
function ownedState() {
  const machine = ownerKind('test.machine')
  const plant = ownerKind('test.plant')
  const parts = collection<Part>('test.parts', { byMachine: (part) => part.machine }, [ownedBy(machine, 'byMachine')])
  const notes = collection<string>('notes.notes', {}, [ownedBy(plant)])
  const state = new State()
  state.register(parts)
  state.register(notes)
  state.reductions.on('part', (write, data) => write(parts).set((data as { id: string }).id, data as Part), 'test')
  state.reductions.on('note', (write, data) => write(notes).set(String(data), String(data)), 'notes')
  state.reductions.endsOwner('scrapped', machine.id, (data) => String(data))
  state.reductions.endsOwner('closed', machine.id, () => undefined)
  state.reductions.endsOwner('closed', plant.id, () => undefined)
  const history: [unknown, EventMeta][] = [
    [{ id: 'a', machine: 'm' }, meta('part')],
    [{ id: 'b', machine: 'n' }, meta('part')],
    [{ id: 'c' }, meta('part')],
    ['n', meta('note')],
  ]
  const keys = (read: State['read']) => [[...read(parts).keys()], [...read(notes).keys()]]
  return { state, history, keys }
}

test('what belongs to an owner goes when an event ends it, live and when the log is folded', () => {
  const { state, history, keys } = ownedState()
  for (const event of history) state.fold(...event)
  const overlay = state.overlay()
  overlay.fold({ id: 'd', machine: 'm' }, meta('part'))
  overlay.fold('m', meta('scrapped'))
  assert.deepEqual(keys(state.read), [['a', 'b', 'c'], ['n']])
  assert.deepEqual(
    keys((c) => overlay.read(c)),
    [['b', 'c'], ['n']],
  )
  overlay.merge()
  const closing = state.overlay()
  closing.fold({}, meta('closed'))
  closing.merge()
  assert.deepEqual(keys(state.read), [['c'], []])
  closing.takeBack()
  assert.deepEqual(keys(state.read), [['b', 'c'], ['n']])

  const folded = ownedState()
  for (const event of history) folded.state.fold(...event)
  folded.state.fold('m', meta('scrapped'))
  assert.deepEqual(folded.keys(folded.state.read), [['b', 'c'], ['n']])
  folded.state.fold({}, meta('closed'))
  assert.deepEqual(folded.keys(folded.state.read), [['c'], []])
})

test('a fold for some plugins alone leaves the collections of others as they are', () => {
  const { state, history, keys } = ownedState()
  for (const event of history) state.fold(...event)
  state.fold({}, meta('closed'), new Set(['notes']))
  assert.deepEqual(keys(state.read), [['a', 'b', 'c'], []])
})

test('what is changed keeps its place in an index, as in the collection: before and after the merge', () => {
  const state = newState()
  for (const name of ['a', 'b', 'c']) state.fold({ name, group: 'g', parts: [] }, meta('set'))
  const overlay = state.overlay()
  for (const name of ['d', 'a']) overlay.fold({ name, group: 'g', parts: [{ n: 1 }] }, meta('set'))
  overlay.fold({ name: 'b', group: 'h' }, meta('group'))
  const keys = (read: typeof state.read) => ['g', 'h'].map((group) => read(things).findKeys('byGroup', group))
  const expected = [['a', 'c', 'd'], ['b']]
  assert.deepEqual(
    keys((definition) => overlay.read(definition)),
    expected,
  )
  overlay.merge()
  assert.deepEqual(keys(state.read), expected)
  assert.deepEqual([...state.read(things).keys()], ['a', 'b', 'c', 'd'])
})

test('sorted keys of an index follow every change', () => {
  const change = fc.record({
    kind: fc.constantFrom('set', 'set', 'set', 'delete', 'group', 'clear'),
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    group: fc.constantFrom('g', 'h'),
    isMerged: fc.boolean(),
    isUndone: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const state = newState()
      const check = (read: ReturnType<State['overlay']>['read']) => {
        for (const group of ['g', 'h']) {
          const wanted = read(things).findKeys('byGroup', group).sort()
          assert.deepEqual([...read(things).sortedKeys('byGroup', group)], wanted)
        }
      }
      for (const { kind, name, group, isMerged, isUndone } of changes) {
        const overlay = state.overlay()
        overlay.fold({ name, group, parts: [] }, meta(kind))
        check((definition) => overlay.read(definition))
        if (isMerged) overlay.merge()
        if (isMerged && isUndone) overlay.takeBack()
        check(state.read)
      }
    }),
  )
})

test('sorted keys are right after more changes than are put in place one by one', () => {
  const state = newState()
  assert.deepEqual(state.read(things).sortedKeys('byGroup', 'g'), [])
  const names = Array.from({ length: 3000 }, (_, i) => `thing-${(i * 7919) % 3000}`)
  for (const name of names) state.fold({ name, group: 'g', parts: [] }, meta('set'))
  assert.deepEqual(state.read(things).sortedKeys('byGroup', 'g'), [...names].sort())
})
