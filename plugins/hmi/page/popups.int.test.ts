/** Popups, slide-in screens and windows of a station: compiled, and opened in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityFaults, bundlePage, hasBrowser, hmi, openStation, served } from '../../../test/hmi.ts'
import { type Answer, withDownload } from '../../../test/online.ts'
import { becomes } from '../../../test/until.ts'

test('popups open and close above the screen, with live values; what is not there is told', {
  skip: !hasBrowser,
}, async (t) => {
  await bundlePage()
  const { at } = await withDownload(t)
  const { call, gateway } = at
  await call('devices.add', { orderNumber: '6AV2 124-0MC01-0AX0', name: 'HMI_1' })
  const screen = (name: string, more: object = {}) => call('hmi.create-screen', { ...hmi, name, ...more })
  await screen('Main')
  await screen('Detail', { width: 300, height: 120, backColor: '#ddeeff' })
  await screen('Motor', { screenType: 'ScreenPopup', width: 300, height: 200, backColor: '#eeeeee' })
  await screen('GraphX_Slidein_Left', { screenType: 'ScreenSlidein', width: 200, height: 300, backColor: '#ffeedd' })
  await screen('GraphX_Slidein_Top', { screenType: 'ScreenSlidein', width: 300, height: 100 })
  const add = (screenName: string, object: object) =>
    call<Answer>('hmi.add-object', { screenName, left: 20, top: 20, width: 140, height: 40, ...object })
  const button = (name: string, left: number, run: string, parameters: object) => ({
    ...{ type: 'Button', name, left, top: 600, text: name },
    events: [{ event: 'Click', actions: [{ function: run, parameters }] }],
  })
  const popup = (mode: string, x = '400', y = '150') => ({
    ...{ 'Name of the screen': 'Motor', 'X coordinate': x, 'Y coordinate': y, 'Display mode': mode },
    ...{ Animation: '-1', 'Animation speed': '1' },
  })
  await add('Main', button('Toggle', 20, 'ShowPopupScreen', popup('-1')))
  await add('Main', button('Outside', 180, 'ShowPopupScreen', popup('1', '1200')))
  await add(
    'Main',
    button('Left', 340, 'ShowSlideInScreen', { 'Slide-in screen': 'GraphX_Slidein_Left', 'Display mode': '-1' }),
  )
  const window = {
    'Popup window name': 'Win',
    'Screen name': 'Detail',
    Caption: 'Details',
    Left: '700',
    Top: 'Data.motor.speed',
  }
  await add('Main', button('Window', 500, 'OpenScreenInPopup', window))
  await add('Main', button('CloseIt', 660, 'ClosePopup', { 'Popup window path': './Win' }))
  await add('Main', button('Away', 820, 'ActivateScreen', { 'Screen name': 'Detail' }))
  await add('Main', { ...button('Nowhere', 980, 'ShowPopupScreen', { 'Name of the screen': 'Detail' }) })
  const value = { bindings: [{ property: 'value', tag: 'Data.motor.speed' }] }
  await add('Motor', { screenType: 'ScreenPopup', type: 'IOField', name: 'Speed', ...value })
  await add('Motor', { screenType: 'ScreenPopup', ...button('Close', 20, 'ShowPopupScreen', popup('0')), top: 100 })
  await add('GraphX_Slidein_Left', { screenType: 'ScreenSlidein', type: 'IOField', name: 'Slid', ...value })
  await add('Detail', { type: 'IOField', name: 'Shown', ...value })
  const compiled = await call<Answer>('hmi.compile', {})
  assert.deepEqual(
    compiled.messages.map(({ code, object, description }: Answer) => [code, object, description]),
    [['hmi-missing-reference', 'Nowhere', 'There is no popup screen "Detail"']],
  )
  await call('hmi.delete-object', { screenName: 'Main', objectName: 'Nowhere' })
  assert.deepEqual((await call<Answer>('hmi.compile', {})).messages, [])
  const { page, faults, picture } = await openStation(t, await served(t, gateway))
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const open = () =>
    page
      .locator('[data-popup]')
      .evaluateAll((all) =>
        all.map((one) => `${one.getAttribute('data-popup')} ${one.getAttribute('x')},${one.getAttribute('y')}`),
      )
  // Popups are no screens that a person chooses.
  await becomes(() => page.locator('header select').first().locator('option').allTextContents(), ['Main', 'Detail'])
  await page.locator('header select').first().selectOption('Main')
  await press('Toggle')
  await becomes(open, ['Motor 400,150'])
  await becomes(() => page.locator('[data-name=Speed] text').textContent(), '3')
  await press('Toggle')
  await becomes(open, [])
  await press('Outside')
  await becomes(open, ['Motor 0,0'])
  await press('Close')
  await becomes(open, [])
  await press('Left')
  await becomes(open, ['GraphX_Slidein_Left 0,250'])
  await becomes(() => page.locator('[data-name=Slid] text').textContent(), '3')
  await press('Toggle')
  await press('Window')
  await becomes(open, ['GraphX_Slidein_Left 0,250', 'Motor 400,150', 'Win 700,3'])
  await picture('popups')
  assert.deepEqual(await accessibilityFaults(page), [])
  // By its handle; a slide-in screen with nothing in it has none.
  assert.equal(await page.locator('[data-handle]').count(), 1)
  await page.locator('[data-handle=GraphX_Slidein_Left]').focus()
  await page.keyboard.press('Enter')
  await press('Close Details')
  await becomes(open, ['Motor 400,150'])
  await press('Window')
  await press('CloseIt')
  await becomes(open, ['Motor 400,150'])
  // Classic popups go with their screen, windows of WinCC Unified stay.
  await press('Window')
  await press('Away')
  await page.waitForSelector('[data-screen=Detail]')
  await becomes(open, ['Win 700,3'])
  assert.deepEqual(faults, [])
})
