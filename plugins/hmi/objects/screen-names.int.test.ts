/** One name as a screen, a template, a popup and a slide-in screen: each kind has names of its own, the whole way. */
import assert from 'node:assert/strict'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestGateway, type TestGateway } from '../../../test/harness.ts'
import { bundlePage, hasBrowser, hmi, openStation, panels, served } from '../../../test/hmi.ts'
import { type Answer, newProject } from '../../../test/online.ts'
import { fails } from '../../../test/plant.ts'
import { becomes } from '../../../test/until.ts'

const kinds = { Screen: 'screen', ScreenTemplate: 'template', ScreenPopup: 'popup', ScreenSlidein: 'slide-in' } as const
const types = Object.keys(kinds) as (keyof typeof kinds)[]
const a = (screenType?: string) => ({ ...hmi, screenName: 'A', ...(screenType === undefined ? {} : { screenType }) })

const press = (name: string, top: number, run: string, parameters: object) => ({
  ...{ type: 'Button', name, left: 10, top, width: 120, height: 40, text: name },
  events: [{ event: 'Click', actions: [{ function: run, parameters }] }],
})

/** A station with "A" in every kind; each has a text that says what it is. */
async function withFour({ call }: TestGateway) {
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_1' })
  for (const screenType of types) {
    const size = screenType === 'Screen' ? { template: 'A' } : { width: 300, height: 200 }
    await call('hmi.create-screen', { ...hmi, name: 'A', screenType, ...size })
    const text = {
      type: 'TextField',
      name: 'Told',
      left: 150,
      top: 10,
      width: 100,
      height: 20,
      text: kinds[screenType],
    }
    await call('hmi.add-object', { ...a(screenType), ...text, name: screenType === 'Screen' ? 'Own' : 'Told' })
  }
  const popup = { 'Name of the screen': 'A', 'X coordinate': '400', 'Y coordinate': '300', 'Display mode': '-1' }
  await call('hmi.add-object', { ...a(), ...press('Popup', 100, 'ShowPopupScreen', popup) })
  const slide = { 'Slide-in screen': 'A', 'Display mode': '-1' }
  await call('hmi.add-object', { ...a(), ...press('Slide', 200, 'ShowSlideInScreen', slide) })
  await call('hmi.add-object', { ...a(), ...press('Stay', 300, 'ActivateScreen', { 'Screen name': 'A' }) })
}

/** What each "A" holds, by kind. */
async function four({ call }: TestGateway) {
  const { screens } = await call<Answer>('hmi.list-screens', hmi)
  const found: Record<string, string> = {}
  for (const { name, screenType } of screens) {
    const details = await call<Answer>('hmi.screen-details', { ...hmi, screenName: name, screenType })
    found[`${screenType} ${name}`] = details.objects.map((one: Answer) => one.name).join()
  }
  return found
}

const whole = {
  'Screen A': 'Own,Popup,Slide,Stay',
  'ScreenTemplate A': 'Told',
  'ScreenPopup A': 'Told',
  'ScreenSlidein A': 'Told',
}

test('the name is taken in one kind alone, and a request says which kind it means', async (t) => {
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await withFour(at)
  assert.deepEqual(await four(at), whole)
  for (const screenType of types)
    await fails(call('hmi.create-screen', { ...hmi, name: 'a', screenType }), 'name_taken', /already exists on "HMI_1"/)
  // A page of one is followed by the others of the name.
  const paged: string[] = []
  for (let cursor: string | undefined, i = 0; i < 5; i++) {
    const found: Answer = await call('hmi.list-screens', { ...hmi, limit: 1, ...(cursor ? { cursor } : {}) })
    paged.push(...found.screens.map((one: Answer) => one.screenType))
    assert.equal(found.total, 4)
    cursor = found.nextCursor
    if (cursor === undefined) break
  }
  assert.deepEqual(paged.sort(), [...types].sort())
  const only = await call<Answer>('hmi.list-all-screens', { screenType: 'ScreenPopup' })
  assert.deepEqual(
    only.screens.map((one: Answer) => `${one.screenType} ${one.name}`),
    ['ScreenPopup A'],
  )
  assert.equal((await call<Answer>('hmi.show-station', hmi)).screens, 4)
  const { children } = await call<Answer>('hmi.screen-tree', hmi)
  assert.deepEqual(
    children.map((one: Answer) => one.screenType),
    types,
  )

  // Without a type it is the screen; there is no guess when only another kind has the name.
  assert.equal((await call<Answer>('hmi.show-screen', a())).screenType, 'Screen')
  await call('hmi.update-screen', { ...a('ScreenPopup'), newName: 'B' })
  await fails(
    call('hmi.show-screen', { ...hmi, screenName: 'B' }),
    'not_found',
    /no screen "B"; there is a popup screen of this name/,
  )
  await fails(call('hmi.list-objects', { screenName: 'B' }), 'not_found', /there is a popup screen/)
  await fails(call('hmi.export', { ...hmi, kind: 'screen', name: 'B' }), 'not_found', /there is a popup screen/)
  await fails(call('hmi.delete-screen', { ...hmi, screenName: 'B' }), 'not_found', /there is a popup screen/)
  await fails(call('hmi.configure-station', { ...hmi, startScreen: 'B' }), 'not_found', /there is a popup screen/)
  const { messages } = await call<Answer>('hmi.compile', {})
  assert.deepEqual(
    messages.map((one: Answer) => [one.object, one.description, one.hint]),
    [
      [
        'Popup',
        'There is no popup screen "A"',
        'Correct the name. There is a screen and a template and a slide-in screen of this name.',
      ],
    ],
  )
  await call('hmi.update-screen', { ...hmi, screenName: 'b', screenType: 'ScreenPopup', newName: 'A' })
  assert.deepEqual(await four(at), whole)

  // Deleting one leaves the others, and an undo brings it back with its objects.
  for (const screenType of types) {
    await call('hmi.delete-screen', a(screenType))
    const { [`${screenType} A`]: _gone, ...rest } = whole as Record<string, string>
    assert.deepEqual(await four(at), rest)
    await call('history.undo', {})
    assert.deepEqual(await four(at), whole)
  }
  await call('hmi.delete-object', { ...a('ScreenPopup'), objectName: 'Told' })
  assert.equal((await four(at))['ScreenTemplate A'], 'Told')
  await call('history.undo', {})

  // A screen in a library takes its template along, and no screen of the template's name.
  const copy = await call<Answer>('libraries.create-master-copy', { ...hmi, objectName: 'A', kind: 'hmi-screen' })
  assert.deepEqual(copy.warnings, [])
  await call('libraries.create-master-copy', { ...hmi, objectName: 'A', kind: 'hmi-popup', name: 'P' })
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_2' })
  for (const [name, wanted] of [
    ['A', ['hmi-screen A', 'hmi-template A']],
    ['P', ['hmi-popup A']],
  ] as const) {
    const put = await call<Answer>('libraries.instantiate-master-copy', { name, deviceName: 'HMI_2' })
    assert.deepEqual(put.objects.map((one: Answer) => `${one.kind} ${one.name}`).sort(), [...wanted])
  }
  await call('libraries.store-type-version', { ...hmi, objectName: 'A', kind: 'hmi-template', typeName: 'Frame' })
  const stored = await call<Answer>('libraries.store-type-version', {
    ...{ ...hmi, objectName: 'A', kind: 'hmi-screen', typeName: 'Home' },
  })
  assert.deepEqual(stored.warnings, [])

  // What a restart reads from the log, and what the files of the project hold.
  const again = await at.restart()
  assert.deepEqual(await four(again), whole)
  await again.call('projects.save', {})
  const { projects } = await again.call<Answer>('projects.list', {})
  const folder = join(projects[0].path, 'devices/HMI_1/hmi')
  for (const one of ['screens', 'templates', 'popups', 'slide-ins'])
    assert.deepEqual(
      (await readdir(join(folder, one))).filter((file) => file === 'A.json'),
      ['A.json'],
    )
  await again.call('projects.close', {})
  // Earlier versions had all screens in one folder.
  await rename(join(folder, 'popups/A.json'), join(folder, 'screens/Other file.json'))
  await again.call('projects.open', { path: projects[0].path })
  assert.deepEqual(await four(again), whole)
})

test('exports of the four lie beside each other, and come back in a fresh project that compiles', async (t) => {
  await bundlePage()
  const at = await openTestGateway(t)
  const { call } = at
  await newProject(at, 'Line')
  await withFour(at)
  const workspace = join(at.dir, 'workspace')
  await mkdir(join(workspace, 'out'))
  for (const kind of Object.values(kinds))
    await call('hmi.export', { ...hmi, kind, name: 'A', exportPath: 'out', overwrite: true })
  const files = (await readdir(join(workspace, 'out'), { recursive: true })).filter((file) => file.endsWith('.xml'))
  assert.deepEqual(files.sort(), ['A.xml', 'popups/A.xml', 'slide-ins/A.xml', 'templates/A.xml'])
  const { content } = await call<Answer>('hmi.export-screen', a('ScreenTemplate'))
  assert.match(content, /Hmi\.Screen\.ScreenTemplate/)

  await call('projects.close', { saveChanges: true })
  await newProject(at, 'Fresh')
  await call('devices.add', { orderNumber: panels.classic, name: 'HMI_1' })
  const read = await call<Answer>('hmi.import', { ...hmi, filePath: 'out' })
  assert.deepEqual(read.objects.map((one: Answer) => `${one.kind} ${one.name} ${one.action}`).sort(), [
    'popup A created',
    'screen A created',
    'slide-in A created',
    'template A created',
  ])
  assert.deepEqual(await four(at), whole)
  const { screens } = await call<Answer>('hmi.list-screens', hmi)
  assert.ok(screens.every((one: Answer) => one.folder === ''))
  const again = await call<Answer>('hmi.import', { ...hmi, filePath: 'out' })
  assert.ok(again.objects.every((one: Answer) => one.action === 'unchanged'))

  const compiled = await call<Answer>('hmi.compile', {})
  assert.deepEqual([compiled.success, compiled.messages, compiled.compiled], [true, [], 3])
  const drawn = async (one: string) => readdir(join(compiled.folder, one))
  assert.deepEqual(
    [await drawn('screens'), await drawn('popups'), await drawn('slide-ins')],
    [['A.svg'], ['A.svg'], ['A.svg']],
  )
  const repeated = await call<Answer>('hmi.compile', {})
  assert.deepEqual([repeated.compiled, repeated.unchanged], [0, 3])
  const place = { stationName: 'HMI_1', screenName: 'A' }
  const shown = async (more: object = {}) =>
    (await call<Answer>('hmi.screen-values', { ...place, ...more })).objects.map((one: Answer) => one.text).join()
  // The objects of its template are part of a screen.
  assert.equal(await shown(), 'template,screen,Popup,Slide,Stay')
  assert.equal(await shown({ screenType: 'ScreenPopup' }), 'popup')
  assert.equal(await shown({ screenType: 'ScreenSlidein' }), 'slide-in')

  if (!hasBrowser) return
  const { page, faults } = await openStation(t, await served(t, at.gateway))
  const open = () =>
    page
      .locator('[data-popup]')
      .evaluateAll((all) => all.map((one) => `${one.getAttribute('data-kind')} ${one.getAttribute('data-popup')}`))
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await click('Popup')
  await becomes(open, ['popup A'])
  await click('Slide')
  await becomes(open, ['popup A', 'slide-in A'])
  await click('Popup')
  await becomes(open, ['slide-in A'])
  await click('Stay')
  await click('Slide')
  await becomes(open, [])
  assert.deepEqual(faults, [])
})
