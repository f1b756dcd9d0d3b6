/**
 * Measures the studio: the size of its files as they are sent (gzip), all of them and those of the first view, and the
 * frames of the live view while 500 values change 10 times a second, against the same page that stands still, and the
 * time to the first view of a project with 2 000 blocks, in a browser that has been there and in one that has not.
 */
import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium } from 'playwright-core'
import { createServer, listen } from '../core/http/server.ts'
import { openTestGateway } from '../core/testing/index.ts'
import { newProject, plc, withController } from '../test/online.ts'
import { buildPage } from '../test/web-page.ts'
import { percentile, report } from './report.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
const count = 500
const blocks = 2000

const program = `
DATA_BLOCK "Plant"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    list : Array[0..${count - 1}] of Int;
  END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR_TEMP i : Int; END_VAR
BEGIN
  FOR #i := 0 TO ${count - 1} DO
    "Plant".list[#i] := "Plant".list[#i] + 1;
  END_FOR;
END_ORGANIZATION_BLOCK
`

const files = await buildPage('studio')
const sizes = [...files].map(([name, content]) => ({ name, size: gzipSync(content).length / 1000 }))
report(
  'all files, gzip, kB',
  sizes.reduce((sum, { size }) => sum + size, 0),
  '< 600',
)
const first = sizes.filter(({ name }) => /^(main|style)-/.test(name))
report(
  'files of the page itself, gzip, kB',
  first.reduce((sum, { size }) => sum + size, 0),
  '',
)

const at = await openTestGateway({ durability: 'fsync' })
const { call, gateway } = at
await newProject(at, 'Plant')
await call('blocks.import', { ...plc, content: program })
await withController(at)
await call('online.download', { ...plc, compile: true })
await call('simulation.run', { name: 'Sim' })
const app = await createServer(gateway)
const url = await listen(app, { port: 0 })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
const page = await context.newPage()
await page.goto(`${url}/#token=${app.sessions.issueToken()}`)
await page.getByRole('button', { name: 'Sign out' }).waitFor()
const names = JSON.stringify(Array.from({ length: count }, (_, i) => `Plant.list[${i}]`))
await page.evaluate(`localStorage.setItem('gantry-watch-PLC_1', ${JSON.stringify(names)})`)
await page.goto(`${url}/#/live/PLC_1?tab=watch`)
await page.locator('.row[data-name="Plant.list[3]"] .value', { hasText: /\d/ }).waitFor()

/** Times between the frames of the page, ms. */
const frames = () =>
  page.evaluate<number[]>(`new Promise((resolve) => {
    const times = []
    const next = (now) => {
      times.push(now)
      if (now - times[0] < ${seconds * 1000}) requestAnimationFrame(next)
      else resolve(times.slice(1).map((time, i) => time - times[i]))
    }
    requestAnimationFrame(next)
  })`)
const still = await frames()
await call('simulation.set-time', { name: 'Sim', mode: 'real', factor: 1 })
const moving = await frames()
const second = (list: readonly number[]) => list.length / seconds
report('frames in a second, nothing changes', second(still), '')
report(`frames in a second, ${count} values 10 times a second`, second(moving), '>= 57')
report('frame time, 99 of 100, ms', percentile(moving, 0.99), '< 34')
await page.close()

await call('simulation.set-time', { name: 'Sim', mode: 'stepped' })
const many = Array.from(
  { length: blocks },
  (_, i) => `FUNCTION "Block_${i}" : Int\nVERSION : 0.1\nBEGIN\n  #Block_${i} := ${i};\nEND_FUNCTION\n`,
)
await call('blocks.import', { ...plc, content: many.join('') })
/** From the address to the blocks of the station, ms. */
async function firstView(context: BrowserContext): Promise<number> {
  const opened = await context.newPage()
  const start = performance.now()
  await opened.goto(url, { waitUntil: 'commit' })
  await opened.getByRole('treeitem', { name: 'Block_0' }).waitFor()
  const time = performance.now() - start
  await opened.close()
  return time
}
const known: number[] = []
const fresh: number[] = []
for (let round = 0; round < 7; round++) {
  known.push(await firstView(context))
  const other = await browser.newContext({ storageState: await context.storageState() })
  fresh.push(await firstView(other))
  await other.close()
}
report(`first view, ${blocks} blocks, median, ms`, percentile(known, 0.5), '< 1000')
report(`first view, ${blocks} blocks, nothing in the browser's cache, median, ms`, percentile(fresh, 0.5), '< 1000')
await browser.close()
await app.close()
await at.close()
