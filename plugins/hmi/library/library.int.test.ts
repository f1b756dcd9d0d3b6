/** Objects of stations in libraries: master copies, stations, types, archives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hmi, panels, withPumpStation } from '../../../test/hmi.ts'
import type { Answer } from '../../../test/online.ts'
import { fails } from '../../../test/plant.ts'
import { hmiKinds, kindNames } from '../object.ts'

const station2 = { deviceName: 'HMI_2' }

/** All objects of a station, without what is different on each. */
async function contents(at: Awaited<ReturnType<typeof withPumpStation>>, deviceName: string) {
  const found: Record<string, unknown> = {}
  for (const kind of hmiKinds) {
    const list = await at.call<Answer>(`hmi.list-${kindNames[kind].plural}`, { deviceName })
    const field = Object.keys(list).find((key) => Array.isArray(list[key]))!
    for (const { createdAt: _c, modifiedDate: _m, image: _i, ...one } of list[field]) found[`${kind}/${one.name}`] = one
  }
  for (const screenName of ['Well', 'Messages']) {
    const { objects } = await at.call<Answer>('hmi.screen-details', { deviceName, screenName })
    found[`objects/${screenName}`] = objects.map(({ objectId: _id, ...one }: Answer) => one)
  }
  return found
}

test('a screen with what it uses, and a whole station, as master copies; through an archive and back', async (t) => {
  const at = await withPumpStation(t)
  const { call } = at
  await call('hmi.configure-station', { ...hmi, startScreen: 'Messages' })
  const made = await call<Answer>('libraries.create-master-copy', { ...hmi, objectName: 'Well', kind: 'hmi-screen' })
  assert.deepEqual(made.warnings, [])
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_2' })
  const put = await call<Answer>('libraries.instantiate-master-copy', { name: 'Well', ...station2 })
  assert.deepEqual(put.objects.map(({ kind, name, action }: Answer) => `${kind} ${name} ${action}`).sort(), [
    'hmi-graphic pump created',
    'hmi-graphic-list Signs created',
    'hmi-library-type PumpFace created',
    'hmi-screen Well created',
    'hmi-text-list Modes created',
  ])
  const xml = async (device: object) =>
    (await call<Answer>('hmi.export', { ...device, kind: 'screen', name: 'Well' })).content
  assert.equal(await xml(station2), await xml(hmi))
  const again = await call<Answer>('libraries.instantiate-master-copy', { name: 'Well', ...station2 })
  assert.ok(again.objects.every(({ action }: Answer) => action === 'unchanged'))
  await call('hmi.update-screen', { ...station2, screenName: 'Well', backColor: '#112233' })
  await fails(
    call('libraries.instantiate-master-copy', { name: 'Well', ...station2 }),
    'conflict',
    /is there with another content/,
  )
  const renamed = await call<Answer>('libraries.instantiate-master-copy', {
    name: 'Well',
    ...station2,
    onConflict: 'rename',
  })
  assert.equal(renamed.objects.find(({ kind }: Answer) => kind === 'hmi-screen').name, 'Well_1')
  await fails(call('libraries.instantiate-master-copy', { name: 'Well', deviceName: 'PLC_1' }), 'conflict')

  // What a screen uses may have the name of the screen.
  await call('hmi.create-screen', { ...hmi, name: 'Twin' })
  await call('hmi.create-text-list', { ...hmi, name: 'Twin', entries: [{ from: 0, to: 0, text: 'off' }] })
  await call('hmi.add-object', { screenName: 'Twin', type: 'SymbolicIOField', name: 'F', links: { textList: 'Twin' } })
  await call('libraries.create-master-copy', { ...hmi, objectName: 'Twin', kind: 'hmi-screen' })
  const twin = await call<Answer>('libraries.instantiate-master-copy', { name: 'Twin', ...station2 })
  assert.deepEqual(twin.objects.map(({ kind, name, action }: Answer) => `${kind} ${name} ${action}`).sort(), [
    'hmi-screen Twin created',
    'hmi-text-list Twin created',
  ])

  // A whole station becomes an equal one, also by way of an archive.
  await call('libraries.create-master-copy', { ...hmi, name: 'Panel' })
  await call('libraries.instantiate-master-copy', { name: 'Panel', newName: 'HMI_3' })
  const before = await contents(at, 'HMI_1')
  assert.deepEqual(await contents(at, 'HMI_3'), before)
  assert.equal((await call<Answer>('hmi.show-station', { deviceName: 'HMI_3' })).startScreen, 'Messages')
  assert.equal((await call<Answer>('hmi.compile', { stationName: 'HMI_3' })).success, true)

  await call('libraries.create-global', { name: 'Plant', path: 'libraries' })
  await call('libraries.create-global-master-copy', { library: 'Plant', fromLibrary: 'project', masterCopy: 'Panel' })
  const { archivePath } = await call<Answer>('libraries.archive-global', { library: 'Plant', save: true })
  await call('libraries.close-global', { library: 'Plant', save: true })
  await call('libraries.open-global', { path: archivePath })
  await call('libraries.instantiate-global-master-copy', { name: 'Panel', newName: 'HMI_4' })
  assert.deepEqual(await contents(at, 'HMI_4'), before)
  assert.equal(await xml({ deviceName: 'HMI_4' }), await xml(hmi))
})

test('a faceplate as a type: versions, instances that were changed, compare', async (t) => {
  const at = await withPumpStation(t)
  const { call } = at
  await fails(
    call('libraries.store-type-version', { ...hmi, objectName: 'Modes', kind: 'hmi-text-list' }),
    'unacceptable_content',
    /can be types/,
  )
  const face = { ...hmi, objectName: 'PumpFace', kind: 'hmi-library-type' }
  await call('libraries.store-type-version', { ...face, version: '1.0.0' })
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_2' })
  await call('libraries.instantiate-type', { typeName: 'PumpFace', ...station2 })
  const shown = async (device: object) => {
    const {
      createdAt: _c,
      modifiedDate: _m,
      ...rest
    } = await call<Answer>('hmi.show-library-type', {
      ...device,
      typeName: 'PumpFace',
    })
    return rest
  }
  assert.deepEqual(await shown(station2), await shown(hmi))
  const states = async () => {
    const { instances } = await call<Answer>('libraries.consistency', {})
    return instances.map(({ deviceName, status }: Answer) => `${deviceName} ${status}`).sort()
  }
  assert.deepEqual(await states(), ['HMI_1 upToDate', 'HMI_2 upToDate'])
  await call('hmi.update-library-type', { ...station2, typeName: 'PumpFace', height: 120 })
  const compared = await call<Answer>('libraries.compare', {
    left: { typeName: 'PumpFace' },
    right: { ...station2, objectName: 'PumpFace', kind: 'hmi-library-type' },
  })
  assert.deepEqual(
    compared.differences.map(({ path, left, right }: Answer) => [path, left, right]),
    [['content.height', '100', '120']],
  )
  assert.deepEqual(await states(), ['HMI_1 upToDate', 'HMI_2 changed'])
  // Another version, which both get.
  await call('hmi.update-library-type', { ...hmi, typeName: 'PumpFace', description: 'second' })
  await call('libraries.store-type-version', { ...face, version: '2.0.0' })
  await call('libraries.update-instances', { onConflict: 'overwrite' })
  assert.deepEqual(await states(), ['HMI_1 upToDate', 'HMI_2 upToDate'])
  assert.deepEqual(await shown(station2), await shown(hmi))
  await fails(call('libraries.delete-type', { typeName: 'PumpFace' }), 'conflict')
})
