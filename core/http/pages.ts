/**
 * The start page, the manual, the API reference page and `/openapi.json`. Nothing is loaded from other hosts: the pages
 * work offline.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { notFound } from '../contract/problems.ts'
import { type WebPage, webFolders, webPages } from '../contract/web-pages.ts'
import type { Gateway } from '../gateway.ts'
import { matchesEtag } from './preferences.ts'
import { jsonType } from './replies.ts'

/** Paths of the programs of the reference page: its own, and the one that asks for the key. */
const scriptPath = '/docs/reference.js'
const keyScriptPath = '/docs/key.js'

/** Only what this server sends, and of that only what a page names. CSP level 3, https://www.w3.org/TR/CSP3/ */
const nothingElse = ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]

/** The pages of the manual: a style sheet, a program and a form for the search. */
const manualPolicy = [...nothingElse, "style-src 'self'", 'img-src data:', "form-action 'self'"]

/** The reference page calls the API. Vue writes styles into the page; fonts and images are data URLs. */
const referencePolicy = [
  ...nothingElse,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "form-action 'none'",
]

function sendPage(reply: FastifyReply, policy: readonly string[], html: string) {
  return reply
    .headers({
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}

/** Configuration of the reference page: no fonts, proxy, telemetry or agents from other hosts. */
const referenceConfiguration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'apiKey' },
}

/**
 * Asks for the API key and gives the document to the reference. The key stays in the page: it is kept nowhere.
 */
const keyScript = `
const form = document.querySelector('form')
const note = document.querySelector('[role=alert]')
const configuration = JSON.parse(form.dataset.configuration)
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const key = form.elements.key.value.trim()
  note.textContent = ''
  const answer = await fetch('/openapi.json', { headers: { 'X-API-Key': key } }).catch(() => undefined)
  if (!answer?.ok) {
    note.textContent = answer ? (await answer.json()).detail : 'The gateway does not answer.'
    return
  }
  form.remove()
  const { url, ...rest } = configuration
  const securitySchemes = { apiKey: { value: key } }
  const authentication = { ...rest.authentication, securitySchemes }
  globalThis.Scalar.createApiReference('#reference', { ...rest, content: await answer.json(), authentication })
})
`

/** A page of the reference. Its empty icon keeps browsers from requesting `/favicon.ico`, which does not exist. */
function frame(body: (configuration: string) => string, style = ''): string {
  const configuration = JSON.stringify(referenceConfiguration).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gantry API reference</title>
<link rel="icon" href="data:,">${style}
</head>
<body>
${body(configuration)}
</body>
</html>
`
}

/** The page while the document needs a key. */
function keyPage(): string {
  const style = `
<style>form { font: 1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 15vh auto; padding: 0 1rem }
input, button { font: inherit; padding: .4rem .6rem } input { width: 100%; box-sizing: border-box; margin: .5rem 0 }
[role=alert] { color: #a00 }</style>`
  return frame(
    (configuration) => `<form data-configuration="${configuration}">
<h1>API reference</h1>
<label>API key <input name="key" type="password" autocomplete="off" required autofocus></label>
<p>It is in the file <code>api-key</code> of the data directory.</p>
<button>Show</button>
<p role="alert"></p>
</form>
<div id="reference"></div>
<script src="${scriptPath}"></script>
<script src="${keyScriptPath}"></script>`,
    style,
  )
}

/** The API reference. */
function referencePage(): string {
  return frame(
    (
      configuration,
    ) => `<noscript>The reference page needs JavaScript. The same as text: <a href="/openapi.json">/openapi.json</a>.</noscript>
<script id="api-reference" type="application/json" data-url="/openapi.json" data-configuration="${configuration}"></script>
<script src="${scriptPath}"></script>`,
  )
}

/** Adds the pages. None needs a key, except the OpenAPI document unless the settings make it public. */
export function addPages(app: FastifyInstance, gateway: Gateway): void {
  const add = (url: string, handler: RouteHandlerMethod, access: 'public' | 'docs' = 'public') =>
    app.route({ method: ['GET', 'HEAD'], url, config: { access }, handler })

  const pages = gateway.registry.extensions(webPages)
  const first = pages.find(({ path }) => path === '/')
  add('/', async (request, reply) => {
    reply.header('vary', 'Accept')
    if (isBrowser(request)) return first === undefined ? reply.redirect('/docs') : sendWebPage(reply, first, gateway)
    return reply.header('cache-control', 'no-cache').send({
      name: 'Gantry',
      version: gateway.version,
      docs: '/docs',
      reference: '/docs/reference',
      openapi: '/openapi.json',
      routes: '/api/command/list',
      health: '/api/health',
      mcp: '/mcp/info',
    })
  })

  add('/docs/reference', (_request, reply) => {
    const html = gateway.settings.security.publicDocs ? referencePage() : keyPage()
    return sendPage(reply, referencePolicy, html)
  })
  add(keyScriptPath, (_request, reply) =>
    reply
      .headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
      .type('text/javascript; charset=utf-8')
      .send(keyScript),
  )
  add(scriptPath, (request, reply) => sendFile(request, reply, referenceScript(), 'text/javascript'))
  addManual(add, gateway)

  for (const page of pages)
    if (page !== first)
      add(page.path.replace(/\{(\w+)\}/g, ':$1'), (_request, reply) => sendWebPage(reply, page, gateway))
  for (const folder of gateway.registry.extensions(webFolders))
    add(`${folder.path}:file`, async (request, reply) => {
      const { file: name } = request.params as { file: string }
      const file = await folder.file(name, gateway)
      if (file === undefined) throw notFound('file', name)
      return reply
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
        .type(file.type)
        .send(file.content)
    })

  // The operations of a running gateway do not change: their document is made once.
  let document: ReturnType<typeof makeDocument> | undefined
  const openApi: RouteHandlerMethod = async (request, reply) => {
    document ??= makeDocument(gateway)
    document.catch(() => {
      document = undefined
    })
    const { text, etag } = await document
    reply.headers({ etag, 'cache-control': 'no-cache' })
    return matches(request, etag) ? reply.code(304).send() : reply.type(jsonType).send(text)
  }
  add('/openapi.json', openApi, 'docs')
}

/** The manual: its first page, the search, and a page for each section. */
function addManual(add: (url: string, handler: RouteHandlerMethod) => void, { registry, version }: Gateway): void {
  const site = () => import('../docs/site.ts')
  const asset = (name: string) => fileURLToPath(new URL(`../docs/assets/${name}`, import.meta.url))
  add('/docs', async (_request, reply) => sendPage(reply, manualPolicy, (await site()).homePage(registry, version)))
  add('/docs/manual.css', (request, reply) => sendFile(request, reply, asset('manual.css'), 'text/css'))
  add('/docs/manual.js', (request, reply) => sendFile(request, reply, asset('manual.js'), 'text/javascript'))
  add('/docs/search', async (request, reply) => {
    const { q } = request.query as { q?: string | string[] }
    const words = [q ?? ''].flat().join(' ').slice(0, 200)
    return sendPage(reply, manualPolicy, await (await site()).searchPage(registry, words))
  })
  add('/docs/:page', async (request, reply) => {
    const { page } = request.params as { page: string }
    const { missingPage, sectionPage } = await site()
    const html = await sectionPage(registry, page)
    if (html !== undefined) return sendPage(reply, manualPolicy, html)
    if (isBrowser(request)) return sendPage(reply.code(404), manualPolicy, missingPage(registry, page))
    const { sectionsOf } = await import('../docs/manual.ts')
    const names = sectionsOf(registry).map(({ name }) => name)
    throw notFound('page of the manual', page, names)
  })
}

async function sendWebPage(reply: FastifyReply, { page }: WebPage, gateway: Gateway) {
  const { html, policy } = await page(gateway)
  return sendPage(reply, [policy, "frame-ancestors 'none'"], html)
}

function isBrowser({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

/** Sends a file of the package, or that it has not changed. */
async function sendFile(request: FastifyRequest, reply: FastifyReply, file: string, type: string) {
  const { size, mtimeMs } = await stat(file)
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`
  reply.headers({ etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
  if (matches(request, etag)) return reply.code(304).send()
  reply.type(`${type}; charset=utf-8`).header('content-length', size)
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(file))
}

async function makeDocument(gateway: Gateway) {
  const { buildOpenApi } = await import('../docs/openapi.ts')
  const text = JSON.stringify(await buildOpenApi(gateway.registry, { version: gateway.version }))
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

function matches(request: FastifyRequest, etag: string): boolean {
  const wanted = request.headers['if-none-match']
  return wanted !== undefined && matchesEtag(wanted, etag)
}

let script: string | undefined

/** The reference page's program as its package ships it. */
function referenceScript(): string {
  script ??= join(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')), 'js/standalone.js')
  return script
}
