/** The log of earlier versions, which had screens of all kinds in one collection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Collection, Slice } from '../../../core/index.ts'
import { hmiCollections, hmiItems, hmiSlice } from '../object.ts'
import { putBackEarlier } from './earlier-screens.ts'
import { screenKindNames } from './screen-kinds.ts'

/** A state in memory, into which events are folded. */
function opened() {
  const state = new Map<string, Map<string, unknown>>()
  const write = (collection: Collection<unknown>) => {
    const entries = state.get(collection.id) ?? new Map<string, unknown>()
    state.set(collection.id, entries)
    const ofIndex = (index: string, wanted: string) =>
      [...entries].filter(([key, value]) => collection.indexes[index]!(value, key) === wanted)
    return {
      get: (key: string) => entries.get(key),
      set: (key: string, value: unknown) => void entries.set(key, value),
      delete: (key: string) => entries.delete(key),
      update: (key: string, change: (value: unknown) => void) => {
        const copy = structuredClone(entries.get(key))
        change(copy)
        entries.set(key, copy)
      },
      has: () => true,
      findKeys: (index: string, wanted: string) => ofIndex(index, wanted).map(([key]) => key),
      find: (index: string, wanted: string) => ofIndex(index, wanted).map(([, value]) => value),
    }
  }
  const fold = (type: string, data: unknown) => {
    const { reduce } = hmiSlice.reductions.find(({ event }) => event.type === type)!
    reduce(write as never, data, { type, time: 7, jobId: undefined, actor: undefined })
  }
  const screens = () =>
    screenKindNames.flatMap((kind) =>
      [...(state.get(hmiCollections[kind].objects.id) ?? [])].map(([key, value]) => {
        const { id, isAsDocument } = value as { id: string; isAsDocument?: boolean }
        return `${kind} ${key} ${id}${isAsDocument ? ' as imported' : ''}`
      }),
    )
  const items = () => [...(state.get(hmiItems.id)?.keys() ?? [])]
  return { write, fold, screens, items }
}

const screen = (id: string, name: string, screenType: string) => ({
  ...{ id, deviceId: 'd', name, folder: '', createdAt: 1, modifiedAt: 1, kind: 'screen', isAsDocument: true },
  content: { screenType, number: 1, width: 1, height: 1, backColor: '#ffffff', template: '', layers: [] },
})
const item = (screenId: string, name: string) => ({ deviceId: 'd', screenId, id: name, name })

test('screens go to those of their kind, whatever the events name', () => {
  const { fold, screens, items } = opened()
  fold('hmi.object-stored', { object: screen('1', 'Main', 'Screen'), items: [] })
  fold('hmi.object-stored', { object: screen('2', 'Motor', 'ScreenPopup'), items: [item('2', 'Lamp')] })
  assert.deepEqual(screens(), ['screen d/main 1 as imported', 'popup d/motor 2 as imported'])
  // An object of the popup was changed: it is not as its file any more.
  fold('hmi.item-stored', { item: item('2', 'Bar'), screen: 'Motor' })
  assert.deepEqual(screens(), ['screen d/main 1 as imported', 'popup d/motor 2'])
  // A screen could be made one of another kind.
  fold('hmi.object-changed', { before: 'Motor', object: screen('2', 'Pump', 'ScreenSlidein') })
  assert.deepEqual(screens(), ['screen d/main 1 as imported', 'slide-in d/pump 2 as imported'])
  fold('hmi.item-deleted', { deviceId: 'd', screen: 'Pump', screenId: '2', name: 'Bar' })
  assert.deepEqual([screens()[1], items()], ['slide-in d/pump 2', ['2/lamp']])
  // An import replaced a screen by a template of its name.
  fold('hmi.object-stored', { object: screen('1', 'MAIN', 'ScreenTemplate'), items: [] })
  assert.deepEqual(screens(), ['template d/main 1 as imported', 'slide-in d/pump 2'])
  fold('hmi.object-deleted', { kind: 'screen', deviceId: 'd', id: '2', name: 'Pump' })
  assert.deepEqual([screens(), items()], [['template d/main 1 as imported'], []])
})

test('an undo of an earlier version puts back a screen of any kind by its key', () => {
  const { write, fold, screens } = opened()
  const putBack: NonNullable<Slice['putBack']> = putBackEarlier(hmiSlice.collections)
  const back = (key: string, value: unknown, version: number) =>
    putBack(write as never, { collection: 'hmi.screens', key, value }, version)
  fold('hmi.object-stored', { object: screen('2', 'Motor', 'ScreenPopup'), items: [] })
  back('d/motor', undefined, 2)
  assert.deepEqual(screens(), [])
  back('d/motor', screen('2', 'Motor', 'ScreenPopup'), 2)
  assert.deepEqual(screens(), ['popup d/motor 2 as imported'])
  back('d/motor', screen('2', 'Motor', 'Screen'), 2)
  assert.deepEqual(screens(), ['screen d/motor 2 as imported'])
  // Of another version after it, each collection is what it says.
  fold('hmi.object-stored', { object: screen('3', 'Motor', 'ScreenPopup'), items: [] })
  back('d/motor', undefined, 4)
  assert.deepEqual(screens(), ['popup d/motor 3 as imported'])
  putBack(write as never, { collection: hmiItems.id, key: '3/lamp', value: item('3', 'Lamp') }, 2)
  assert.ok(write(hmiItems as never).get('3/lamp'))
})
