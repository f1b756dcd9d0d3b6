/** The start page, the API reference page and `/openapi.json`. Nothing is loaded from elsewhere: the page works offline. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gateway } from '../gateway.ts'
import { type Answers, jsonType } from './answers.ts'
import { matchesEtag } from './preferences.ts'
import type { StaticPath } from './server.ts'

/** Path of the reference page's program. */
const scriptPath = '/docs/reference.js'

/**
 * Only the page's own program and API may be reached. Vue writes styles into the page; fonts and images come as data.
 * CSP level 3, https://www.w3.org/TR/CSP3/
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = [
  'Content-Security-Policy',
  contentSecurityPolicy,
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cache-Control',
  'no-cache',
]

/** What the reference page is told: no fonts, proxy, telemetry or agents from elsewhere. */
const referenceConfiguration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'apiKey' },
}

/** The empty icon keeps browsers from asking for `/favicon.ico`, which there is not. */
function page(): string {
  const configuration = JSON.stringify(referenceConfiguration).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gantry API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>The reference page needs JavaScript. The same as text: <a href="/openapi.json">/openapi.json</a>.</noscript>
<script id="api-reference" type="application/json" data-url="/openapi.json" data-configuration="${configuration}"></script>
<script src="${scriptPath}"></script>
</body>
</html>
`
}

/** Answers one of the public pages. */
export async function answerStatic(
  path: StaticPath,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: Gateway,
  answers: Answers,
): Promise<void> {
  switch (path) {
    case '/':
      return answerStart(request, reply, gateway, answers)
    case '/docs':
      return answers.send(request, reply, path, 200, 'text/html; charset=utf-8', page(), pageHeaders)
    case '/docs/reference.js':
      return answerScript(request, reply, answers)
    case '/openapi.json':
      return answerOpenApi(request, reply, gateway, answers)
  }
}

function answerStart(request: FastifyRequest, reply: FastifyReply, gateway: Gateway, answers: Answers) {
  if (/\btext\/html\b/.test(request.raw.headers.accept ?? '')) {
    answers.sendEmpty(request, reply, '/', 302, ['Location', '/docs', 'Content-Length', '0'])
    return
  }
  const body = {
    name: 'Gantry',
    version: gateway.version,
    docs: '/docs',
    openapi: '/openapi.json',
    routes: '/api/command/list',
    health: '/api/health',
    mcp: '/mcp/info',
  }
  answers.send(request, reply, '/', 200, jsonType, JSON.stringify(body), ['Cache-Control', 'no-cache'])
}

async function answerScript(request: FastifyRequest, reply: FastifyReply, answers: Answers) {
  const file = referenceScript()
  const { size, mtimeMs } = await stat(file)
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`
  const headers = ['ETag', etag, 'Cache-Control', 'no-cache', 'X-Content-Type-Options', 'nosniff']
  if (matches(request, etag)) {
    answers.sendEmpty(request, reply, scriptPath, 304, headers)
    return
  }
  reply.raw.writeHead(200, {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Content-Length': size,
    ETag: etag,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...answers.commonHeaders(request),
  })
  answers.log(request, scriptPath, 200)
  if (request.raw.method === 'HEAD') {
    reply.raw.end()
    return
  }
  const stream = createReadStream(file).on('error', () => reply.raw.destroy())
  reply.raw.on('close', () => stream.destroy())
  stream.pipe(reply.raw)
}

/** The operations of a running gateway do not change: its document is made once. */
const documents = new WeakMap<Gateway, Promise<{ text: string; etag: string }>>()

async function makeDocument(gateway: Gateway) {
  const { buildOpenApi } = await import('../docs/openapi.ts')
  const text = JSON.stringify(await buildOpenApi(gateway.registry, { version: gateway.version }))
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

async function answerOpenApi(request: FastifyRequest, reply: FastifyReply, gateway: Gateway, answers: Answers) {
  let document = documents.get(gateway)
  if (!document) {
    document = makeDocument(gateway)
    document.catch(() => documents.delete(gateway))
    documents.set(gateway, document)
  }
  const { text, etag } = await document
  const headers = ['ETag', etag, 'Cache-Control', 'no-cache']
  if (matches(request, etag)) answers.sendEmpty(request, reply, '/openapi.json', 304, headers)
  else answers.send(request, reply, '/openapi.json', 200, jsonType, text, headers)
}

function matches(request: FastifyRequest, etag: string): boolean {
  const wanted = request.raw.headers['if-none-match']
  return wanted !== undefined && matchesEtag(wanted, etag)
}

let script: string | undefined

/** The reference page's program as its package ships it. */
function referenceScript(): string {
  script ??= join(dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')), 'js/standalone.js')
  return script
}
