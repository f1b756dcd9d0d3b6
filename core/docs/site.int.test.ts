import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { openTestGateway } from '../../test/harness.ts'
import { assertRecorded } from '../../test/recorded.ts'
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
  const dir = await temporaryFolder(t, 'gantry-pages-')
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

/** A plugin with pages of every form and an operation of every kind. Its words are in no other page. */
const shop = `
const words = (n) => Array.from({ length: n }, (_, i) => 'before' + i).join(' ')
const page = [
  'Wombats *dig* \`burrows\` at [night](#night) and [elsewhere](other.md).',
  '## Night', 'A [file](other/shop.md#night), a [root](/docs/errors), a [lost](nowhere.md) one; 1 < 2 & 3.',
  '### Night', '| a | \`b\` |\\n|---|---|\\n| 1 | **2** |\\n| 3 | \\\\| |',
  '#### Deep', '\`\`\`ts title\\nconst quokka = 1 // <b>\\n# no heading\\n\`\`\`',
  '## Long', words(40) + ' numbat ' + words(40), '## Short', 'bilby', '## Echidna', '',
  '## Edge', 'potoroo ' + 'y'.repeat(232), '## Over', 'z'.repeat(61) + ' cassowary ' + 'y'.repeat(232),
]
export default ({ command, definePlugin, domainEvent, get, on, collection, post, query, stream }) => definePlugin({
  name: 'shop',
  version: '1.0.0',
  description: 'Sells things.',
  docs: [
    { name: 'shop', title: 'The <shop>', text: async () => page.join('\\n\\n') },
    { name: 'errors', title: 'Errors of a shop', text: 'Only wombats.' },
    { name: 'other', title: 'Other', text: '\\n\\nSee [the shop](shop.md#long).\\n\\n' },
  ],
  slice: {
    version: 1,
    collections: [collection('shop.things')],
    reductions: [on(domainEvent('shop.sold', 'A thing was sold', (t) => t.Object({ thing: t.String() })), () => {})],
  },
  operations: [
    command({
      id: 'shop.sell', title: 'Sell a thing', description: '\\n  Once only. ', needsInstance: true,
      input: (t) => t.Object({
        thing: t.String({ description: 'Its name | or\\n number.' }),
        count: t.Optional(t.Integer({ description: 'How many.' })),
        colour: t.Optional(t.Enum(['red', 'blue'])),
      }),
      output: (t) => t.Object({}), aliases: { thing: ['what', 'item'] }, example: { thing: 'ladder', count: 2 },
      http: [post('/api/shop/{thing}'), post('/api/shop/{thing}/later', 'async')], mcp: { toolset: 'shop' },
      streams: { sold: 'One | more.' }, run: () => ({}),
    }),
    query({
      id: 'shop.list', title: 'List things', input: (t) => t.Object({}), output: (t) => t.Unknown(), live: true,
      produces: 'text/csv', accepts: { 'text/csv': {} }, access: 'public', http: [get('/api/shop')], mcp: false,
      run: () => ({}),
    }),
    query({
      id: 'shop.text', title: 'A text', input: (t) => t.Object({}), output: (t) => t.String(), produces: 'text/csv',
      http: [], mcp: false, run: () => '',
    }),
    stream({
      id: 'shop.follow', title: 'Follow the sales', input: (t) => t.Object({}), http: [get('/api/shop-sales')],
      mcp: false, async *run() {},
    }),
  ],
})
`

test('the pages of a plugin, what is made of its operations, and a search in them are as recorded', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-pages-')
  await mkdir(join(dir, 'shop'))
  await writeFile(join(dir, 'shop/index.js'), shop)
  const { page, gateway } = await openSite(t, [dir])
  assert.deepEqual(gateway.pluginFaults, [])
  const call = async (id: string, input: object) => {
    const operation = gateway.registry.operation(id)!
    const reply = await gateway.invoke(operation, { ...input }, { actor: { name: 'test', access: 'viewer' } })
    assert.ok(reply.kind === 'result')
    return reply.value
  }
  const recorded: string[] = []
  recorded.push(`/docs/shop\n\n${(await page('/docs/shop')).body}`)
  // The rest of these pages is the same.
  for (const url of ['/docs/shop-errors', '/docs/other', '/docs/search?q=wombats', '/docs/search?q=+', '/docs'])
    recorded.push(`${url}\n\n${(await page(url)).body.replace(/^.*<\/header>|<nav class="pages".*?<\/nav>/gs, '')}`)
  for (const sectionName of ['SHOP', 'shop-reference']) {
    const { text, ...rest } = (await call('docs.get-section', { sectionName })) as { text: string }
    recorded.push(`${JSON.stringify(rest)}\n\n${text}`)
  }
  // Whole words, parts, a slip of the pen; words that no passage has together; limits.
  for (const input of [
    { q: 'wombats' },
    { q: 'wombats', limit: 1 },
    { q: 'numbat' },
    { q: 'NUMBATT' },
    { q: 'quokka' },
    { q: 'bilby numbat' },
    { q: 'echidna' },
    { q: 'potoroo' },
    { q: 'cassowary' },
  ]) {
    const hits = (await call('docs.search', input)) as { relevance: number }[]
    // How much less depends on all that the manual has.
    const told = hits.map((hit) => ({ ...hit, relevance: hit.relevance === 1 ? 1 : 'less' }))
    for (const { relevance } of hits) assert.equal(relevance, Math.round(relevance * 1000) / 1000)
    recorded.push(`${JSON.stringify(input)}\n\n${JSON.stringify(told, null, 1)}`)
  }
  const manual = String(await call('docs.get-manual', {}))
  assert.match(manual, /^Gantry 0\.0\.0-test: manual\n\n- \[Overview\]\(#overview\)\n/)
  assert.ok(manual.includes('\n- [Errors of a shop](#shop-errors)\n'))
  assert.ok(manual.includes('\n\n<a id="shop-errors"></a>\n\n# Errors of a shop\n\nOnly wombats.\n\n<a id="'))
  assertRecorded(import.meta.url, 'plugin-pages.txt', `${recorded.join('\n\n=====\n')}\n`)
})

test('the files of the pages are where the package has them', () => {
  for (const { file } of repositoryPages) assert.ok(existsSync(join(packageDir, file)), file)
})
