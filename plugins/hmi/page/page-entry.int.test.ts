/**
 * How somebody comes to the page of a station, in a browser: from the studio, with keys of each level, with another tab
 * beside it, and after the end of a session. In each of them stream, writes, acknowledgements and trends work, or the
 * page says why not.
 */
// In a process of its own: it takes as long as a group.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { bundlePage, hasBrowser, openPage, openStation, withPumpStation } from '../../../test/hmi.ts'
import { createServer, listen } from '../../../test/http-server.ts'
import type { Answer } from '../../../test/online.ts'
import { signedIn } from '../../../test/studio/studio-page.ts'
import { becomes, until } from '../../../test/until.ts'
import { buildPage } from '../../../test/web-page.ts'

const skip = !hasBrowser
const station = { stationName: 'HMI_1' }
const stationPath = '/hmi/HMI_1/'

/** A compiled pump station with records for its trend, and the gateway that serves it; `clock` ends sessions. */
async function served(t: TestContext) {
  await bundlePage()
  const at = await withPumpStation(t)
  const { call, gateway } = at
  const compiled = await call<Answer>('hmi.compile', {})
  assert.equal(compiled.success, true, JSON.stringify(compiled.messages))
  await call('hmi.list-pending-alarms', station)
  await call('hmi.read-trends', { ...station, variables: [0] })
  await call('simulation.advance', { name: 'Sim', milliseconds: 20_000 })
  const clock = { time: Date.now() }
  const app = await createServer(gateway, { sessions: { now: () => clock.time } })
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const key = gateway.createdKey ?? ''
  const addKey = async (access: string) => {
    const secret = `a-secret-of-level-${access}`
    const keys = { add: [{ name: `${access}-1`, access, key: secret }] }
    await call('settings.change', { security: { apiKeys: keys } })
    return secret
  }
  const tag = async (tagName: string) => (await call<Answer>('simulation.read-tag', { name: 'Sim', tagName })).value
  const write = (tagName: string, value: unknown) => call('simulation.write-tag', { name: 'Sim', tagName, value })
  const alarmStates = async () => {
    const { alarms } = await call<Answer>('hmi.list-pending-alarms', station)
    return alarms.map(({ name, state }: Answer) => `${name} ${state}`)
  }
  return { ...at, app, url, key, clock, addKey, tag, write, alarmStates }
}
type Served = Awaited<ReturnType<typeof served>>

/** What was refused is told until it was seen. */
async function isTold(page: Page, text: RegExp): Promise<void> {
  const notices = page.locator('.notices')
  await notices.getByText(text).first().waitFor()
  await notices.getByRole('button', { name: 'OK' }).click()
}
const who = (page: Page) => page.locator('header .who').textContent()
const keyField = (page: Page) => page.getByLabel('API key')

/** The browser gets another session, as by the link that the gateway prints. */
async function signInAgain(page: Page, { app }: Served): Promise<void> {
  const body = JSON.stringify({ token: app.sessions.issueToken() })
  const headers = { 'content-type': 'application/json' }
  await page.evaluate(`fetch('/api/session', ${JSON.stringify({ method: 'POST', headers, body })})`)
}

/** The stream brings values, and the trend has what was recorded before. */
async function shows(page: Page, { write }: Served, level: number): Promise<void> {
  await write('Station.level', level)
  await becomes(() => page.getByLabel('LevelText').textContent(), `${level}.0 %`)
  const recorded = async () => Number(await page.locator('.trend').getAttribute('data-recorded'))
  await until(async () => (await recorded()) >= 30, 'the trend shows 30 points')
}

/** Writing and acknowledging work. */
async function operates(page: Page, { tag, write, alarmStates }: Served): Promise<void> {
  await write('Station.light', false)
  await page.waitForSelector('[role=switch][aria-checked=false]')
  await page.getByRole('switch', { name: 'LightSwitch' }).click()
  await becomes(() => tag('Station.light'), true)
  await write('Station.light', false)
  await write('Station.level', 95)
  await page.getByRole('button', { name: 'Messages' }).click()
  await page.locator('[data-alarm=High].incoming').waitFor()
  await page.getByRole('button', { name: 'Acknowledge Level high' }).click()
  await becomes(alarmStates, ['High acknowledged'])
  await page.locator('[data-alarm=High].acknowledged').waitFor()
  await write('Station.level', 50)
  await becomes(alarmStates, [])
  await page.getByRole('button', { name: 'Back' }).click()
  await page.waitForSelector('[data-screen=Well]')
}

test('from the studio: its own link opens the page, which works without another key', { skip }, async (t) => {
  const at = await served(t)
  await buildPage('studio')
  const { page: studio, faults } = await signedIn(t, { url: at.url, token: at.app.sessions.issueToken() })
  await studio.goto(`${at.url}/#/project/HMI_1/hmi`)
  const link = studio.locator(`a[href="${stationPath}"]`)
  await link.waitFor()
  const [page] = await Promise.all([studio.context().waitForEvent('page'), link.click()])
  const said: string[] = []
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
  await page.waitForSelector('[data-screen=Well]')
  assert.match((await who(page)) ?? '', /^admin · admin (?!· display)/)
  await shows(page, at, 40)
  await operates(page, at)

  // The studio signs in anew in its tab: the browser has another session, whose token the page does not know yet.
  await studio.bringToFront()
  await studio.getByRole('button', { name: 'Sign out' }).click()
  await studio.getByLabel('API key').fill(at.key)
  await studio.keyboard.press('Enter')
  await studio.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.bringToFront()
  await becomes(() => keyField(page).count(), 0)
  await shows(page, at, 41)
  await operates(page, at)
  // Another link is opened in the studio's tab: the token of the page is old, and it goes on without a word.
  await signInAgain(studio, at)
  await operates(page, at)
  await shows(page, at, 42)
  assert.equal(await keyField(page).count(), 0)
  // Streams are cut with their session, and what was refused was asked for anew.
  const isExpected = (one: string) => /40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING/.test(one)
  assert.deepEqual(
    [...faults, ...said].filter((one) => !isExpected(one)),
    [],
  )
})

test('an ended session is said and asked for; the page goes on where it was', { skip }, async (t) => {
  const at = await served(t)
  const { url, key, clock } = at
  const opened = await openPage(t, url, stationPath)
  const { page } = opened
  await keyField(page).waitFor()
  await signInAgain(page, at)
  await page.reload()
  await page.waitForSelector('[data-screen=Well]')
  await shows(page, at, 40)
  await page.getByLabel('Language').selectOption('de-DE')
  await page.getByRole('button', { name: 'Meldungen' }).click()
  await page.waitForSelector('[data-screen=Messages]')
  // A day later the next request finds no session; its stream ends with it.
  clock.time += 25 * 3_600_000
  await at.write('Station.level', 95)
  await page.locator('[data-alarm=High].incoming').waitFor()
  await page.getByRole('button', { name: 'Quittieren Niveau hoch' }).click()
  await page.getByRole('region', { name: 'Anmelden' }).waitFor()
  await page.getByText('Die Sitzung ist beendet.').waitFor()
  assert.deepEqual(await at.alarmStates(), ['High incoming'])
  await page
    .locator('.notices')
    .getByText(/no API key/)
    .waitFor()
  await opened.picture('entry-over-station')
  // Another tab signs in: this page finds the session when it is shown again.
  await signInAgain(page, at)
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await becomes(() => page.getByRole('region', { name: 'Anmelden' }).count(), 0)
  assert.equal(await page.locator('[data-screen=Messages]').count(), 1)
  await page.getByRole('button', { name: 'Quittieren Niveau hoch' }).click()
  await becomes(at.alarmStates, ['High acknowledged'])
  // The same with a key in the form.
  clock.time += 25 * 3_600_000
  await page.getByRole('button', { name: 'Zurück' }).click()
  await page.getByRole('switch', { name: 'LightSwitch' }).click()
  const field = page.getByLabel('API-Schlüssel')
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'does not know the API key' }).waitFor()
  await field.fill(key)
  await page.keyboard.press('Enter')
  await becomes(() => field.count(), 0)
  await page.getByLabel('Sprache').selectOption('en-US')
  await shows(page, at, 42)
  // An acknowledged alarm that has not been seen to go cannot come again.
  await becomes(at.alarmStates, [])
  await operates(page, at)
})

test('with a key: each level sees all, operates from operator on, and is told so below', { skip }, async (t) => {
  const at = await served(t)
  const { url, key, addKey, tag, write, alarmStates } = at
  // Nobody has made keys yet: the one of the data directory opens.
  const first = await openStation(t, { url, key })
  await first.page.waitForSelector('[data-screen=Well]')
  assert.match((await who(first.page)) ?? '', /^admin · admin (?!· display)/)
  await shows(first.page, at, 40)
  await operates(first.page, at)
  assert.deepEqual([first.faults, first.foreign], [[], []])

  // Somebody with less takes over in the same tab, and hands it back.
  const { page } = first
  const change = async (to: string) => {
    await page.getByRole('button', { name: 'Change user' }).click()
    await keyField(page).fill(to)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await becomes(() => keyField(page).count(), 0)
  }
  await write('Station.light', false)
  for (const level of ['viewer', 'engineer']) {
    await change(await addKey(level))
    assert.match((await who(page)) ?? '', new RegExp(`^${level}-1 · ${level} · display only`))
    await shows(page, at, 40)
    await page.getByRole('switch', { name: 'LightSwitch' }).click()
    await isTold(page, /operator/)
    assert.equal(await tag('Station.light'), false)
    await write('Station.level', 95)
    await page.getByRole('button', { name: 'Messages' }).click()
    await page.getByRole('button', { name: 'Acknowledge Level high' }).click()
    await isTold(page, /operator/)
    assert.deepEqual(await alarmStates(), ['High incoming'])
    await write('Station.level', 95)
    await page.getByRole('button', { name: 'Back' }).click()
    await at.call('hmi.acknowledge-alarms', { ...station, all: true })
    await write('Station.level', 50)
    await becomes(alarmStates, [])
  }
  await change(await addKey('operator'))
  assert.match((await who(page)) ?? '', /^operator-1 · operator (?!· display)/)
  await shows(page, at, 40)
  await operates(page, at)
  // The key is the tab's: after a reload it is there, and signing out forgets it.
  await page.reload()
  await page.waitForSelector('[data-screen=Well]')
  assert.match((await who(page)) ?? '', /^operator-1/)
  await page.getByRole('button', { name: 'Change user' }).click()
  await first.picture('change-user')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await keyField(page).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 0)
  // A key that is removed is no longer taken.
  await at.call('settings.change', { security: { apiKeys: { remove: ['operator-1'] } } })
  await keyField(page).fill('a-secret-of-level-operator')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'does not know the API key' }).waitFor()
})
