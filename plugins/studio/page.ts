/** The page of the studio and the files that it loads, made by the build from `web/studio/`. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type PageSource, problem } from '../../core/index.ts'
import { viewFile, viewsForPage } from './contributed-views.ts'

/** Beside the built plugins, and from the sources in the folder of the build. */
const places = ['../../web/studio/', '../../dist/web/studio/'].map((path) => new URL(path, import.meta.url))

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

const pathOf = (name: string) =>
  places.map((place) => fileURLToPath(new URL(name, place))).find((path) => existsSync(path))

/** A file of the page; undefined when there is none. */
export async function studioFile(
  name: string,
  gateway: PageSource,
): Promise<{ content: Buffer; type: string } | undefined> {
  const type = /^[\w-]+\.(js|css)$/.exec(name)?.[1]
  const path = type && pathOf(name)
  const content = path ? await readFile(path) : await viewFile(name, gateway)
  return content && type ? { content, type: types[type] as string } : undefined
}

/**
 * The page. Its policy lets it run the gateway's own files only; the text editor makes style sheets while it runs,
 * which carry the number of this one page (CSP level 3, 2.3.2).
 * @throws GatewayError `conflict` when it was not built
 */
export async function studioPage(gateway: PageSource): Promise<{ html: string; policy: string }> {
  const path = pathOf('files.json')
  if (path === undefined)
    throw problem('conflict', 'The page of the studio is not built.', { suggestion: 'Run "npm run build".' })
  const { main, style, preload } = JSON.parse(await readFile(path, 'utf8')) as {
    main: string
    style: string
    preload: string[]
  }
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const views = JSON.stringify(await viewsForPage(gateway))
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="gantry-views" content="${views}">
<title>Gantry</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/studio/${style}">
${preload.map((file) => `<link rel="modulepreload" href="/studio/${file}">`).join('\n')}
<script type="module" nonce="${nonce}" src="/studio/${main}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The studio needs JavaScript. The manual: <a href="/docs">/docs</a>.</noscript>
</body>
</html>
`
  return { html, policy }
}
