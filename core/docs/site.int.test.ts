import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openTestGateway } from '../../test/harness.ts'
import { packageDir } from '../boot/running-code.ts'
import { createServer } from '../http/server.ts'
import { docsPlugin } from './operations.ts'
import { repositoryPages } from './repository-pages.ts'

async function openSite(t: TestContext, pluginDirs: string[] = []) {
  const { gateway } = await openTestGateway(t, {
    corePlugins: [docsPlugin],
    ...(pluginDirs.length > 0 && { pluginDirs }),
  })
  const app = await createServer(gateway)
  t.after(() => app.close())
  const page = async (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
    app.inject({ url, headers: { host: 'localhost', ...headers } })
  return { gateway, page }
}

const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))

test('every page of the manual is there without a key, and every link leads to a page and a heading', async (t) => {
  const { page } = await openSite(t)
  const pages = new Map<string, Set<string | undefined>>()
  const links: [from: string, to: string][] = []
  const waiting = ['/docs']
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (pages.has(url)) continue
    const { statusCode, body, headers } = await page(url)
    assert.equal(statusCode, 200, url)
    pages.set(url, idsOf(body))
    if (!String(headers['content-type']).startsWith('text/html') || url === '/docs/reference') continue
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/)
    assert.doesNotMatch(body, /<script>|<style|style="| on\w+="|src="(?!\/docs\/manual\.js")/, url)
    for (const [, href = ''] of body.matchAll(/href="([^"]*)"/g)) {
      if (/^(https?:|data:)/.test(href)) continue
      const [path, anchor] = href.split('#')
      const target = path === '' ? url : path!
      links.push([url, anchor === undefined ? target : `${target}#${anchor}`])
      waiting.push(target)
    }
  }
  const broken = links.filter(([, to]) => {
    const [path, anchor] = to.split('#')
    return anchor !== undefined && !pages.get(path!)?.has(decodeURIComponent(anchor))
  })
  assert.deepEqual(broken, [])
  for (const { name } of repositoryPages) assert.ok(pages.has(`/docs/${name}`), name)
  assert.ok(pages.size > 35 && links.length > 1000, `${pages.size} pages, ${links.length} links`)
})

test('links between files of the repository are links between pages', async (t) => {
  const { page } = await openSite(t)
  const semantics = (await page('/docs/plc-semantics')).body
  assert.match(semantics, /<a href="\/docs\/formats#external-sources">/)
  assert.match((await page('/docs/overview')).body, /<a href="\/docs\/plc-library">/)
  assert.match((await page('/docs/contributing')).body, /<a href="\/docs\/plugin-guide">/)
  // What is no page is no link.
  assert.doesNotMatch((await page('/docs/overview')).body, /href="[^"]*tour\.sh/)
})

test('the search looks into all pages and leads to the heading', async (t) => {
  const { page, gateway } = await openSite(t)
  const { body } = await page('/docs/search?q=retentivity')
  assert.match(body, /<a href="\/docs\/plc-semantics#retentivity">/)
  assert.match((await page('/docs/search?q=idempotency-key')).body, /<a href="\/docs\/requests#answers">/)
  assert.match((await page('/docs/search?q=no_project')).body, /<a href="\/docs\/errors#no_project">/)
  assert.match((await page(`/docs/search?q=${encodeURIComponent('<b>"&')}`)).body, /value="&lt;b&gt;&quot;&amp;"/)
  assert.match((await page('/docs/search')).body, /Type what you look for/)
  assert.match((await page('/docs/search?q=zzqqxxyyzz')).body, /Nothing was found/)
  const search = gateway.registry.operation('docs.search')!
  const reply = await gateway.invoke(search, { q: 'retentivity' }, { actor: { name: 'test', access: 'viewer' } })
  assert.ok(reply.kind === 'result')
  assert.equal((reply.value as { url: string }[])[0]!.url, '/docs/plc-semantics#retentivity')
})

test('a page that does not exist says so, in the form that was asked for', async (t) => {
  const { page } = await openSite(t)
  const html = await page('/docs/plc-semantic<s>')
  assert.equal(html.statusCode, 404)
  assert.match(html.body, /no page “plc-semantic&lt;s&gt;”/)
  const json = await page('/docs/plc-semantic', { accept: '*/*' })
  assert.equal(json.statusCode, 404)
  assert.equal((json.json() as { suggestion: string }).suggestion, 'plc-semantics')
})

test('a page of a plugin brings no markup and no address of its own, and takes no address of the manual', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-pages-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'pages'))
  const text = [
    '## Nice <img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '[bad](javascript:alert(1)) [data](data:text/html,x) [other](//evil.example/x)',
    '![picture](https://evil.example/p.png) [good](errors.md#no_project) [site](https://example.org/a?b&c)',
    '```js" onclick="x\n<b>\n```',
  ].join('\n\n')
  const plugin = { name: 'pages', version: '1.0.0', operations: [], docs: [{ name: 'search', title: 'T <b>', text }] }
  await writeFile(join(dir, 'pages/index.js'), `export default ${JSON.stringify(plugin)}`)
  const { page, gateway } = await openSite(t, [dir])
  assert.deepEqual(gateway.pluginFaults, [])
  const { body, statusCode } = await page('/docs/pages-search')
  assert.equal(statusCode, 200)
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'))
  assert.doesNotMatch(main, /<script|<img| onclick=|="(?:javascript:|data:|\/\/|https:\/\/evil)/)
  assert.match(main, /<p>bad data other<\/p>/)
  assert.match(main, /href="\/docs\/errors#no_project"/)
  assert.match(main, /href="https:\/\/example\.org\/a\?b&amp;c"/)
})

test('the files of the pages are where the package has them', () => {
  for (const { file } of repositoryPages) assert.ok(existsSync(join(packageDir, file)), file)
})
