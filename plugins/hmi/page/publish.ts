/** The files of a compiled station: one page that needs nothing else, and its parts for people and other tools. */
import { createHash } from 'node:crypto'
import { escapeText } from '../../../lib/xml-text.ts'
import { fileNameOf } from '../../projects/index.ts'
import { screenKinds } from '../objects/screen-kinds.ts'
import { type ModelItem, type StationModel, screensOfModel } from '../station-model.ts'
import { webFile } from './web-files.ts'

/** The file that shows a compiled station in a browser, in its folder. */
export const pageFile = 'index.html'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Only what is in the page, and the gateway that it comes from. The frame for scripts gets this policy too, so that it
 * names the program and the workers of the frame (HTML standard, 7.1.7: a frame with `srcdoc` inherits).
 */
function pagePolicy(scripts: readonly string[], style: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(' ')}`,
    'worker-src blob:',
    `style-src ${hash(style)}`,
    "style-src-attr 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Text of a program as content of a `script` element. */
const asElement = (text: string) => text.replace(/<\/script/gi, '<\\/script')

/**
 * The frame for scripts of a station: nothing but its own program, and workers that it makes of texts. They inherit
 * this policy: no network, no frames, no `eval` (docs/security.md#scripts-of-hmi-stations).
 */
function scriptFrame(program: string, worker: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hash(program)}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<script type="text/plain" id="worker">${worker}</script>
<script>${program}</script>
`
}

/** The page. With a model it shows that; without it asks the gateway for that of the station in its address. */
export async function stationPage(model?: StationModel): Promise<{ html: string; policy: string }> {
  const files = ['hmi.js', 'script-frame.js', 'script-worker.js', 'hmi.css'] as const
  const [script = '', frame = '', worker = '', style = ''] = await Promise.all(
    files.map(async (name) => (name === 'hmi.css' ? webFile(name) : asElement(await webFile(name)))),
  )
  const policy = pagePolicy([script, frame], style)
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${escapeText(model?.station ?? 'HMI')}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
  ]
  const body = [
    '<div id="app"></div>',
    ...(model === undefined ? [] : [dataElement('station', model)]),
    dataElement('script-frame', scriptFrame(frame, worker)),
    `<script>${script}</script>`,
  ]
  const html = `<!doctype html>
<html lang="en">
<head>
${head.join('\n')}
</head>
<body>
${body.join('\n')}
</body>
</html>
`
  return { html, policy }
}

/** Data for the program of the page; nothing in them may end their element. */
function dataElement(id: string, data: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

/** All files of a station by path, without the drawings of the screens. */
export async function stationFiles(model: StationModel): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  files.set(pageFile, (await stationPage(model)).html)
  files.set('station.json', `${JSON.stringify(model)}\n`)
  for (const [name, { parameters, source }] of Object.entries(model.scripts)) {
    const head = `async function ${/^[\w$]+$/.test(name) ? name : 'script'}(${parameters.join(', ')}) {`
    files.set(`scripts/${fileNameOf(name)}.js`, `${head}\n${source}\n}\n`)
  }
  for (const culture of model.cultures) files.set(`languages/${fileNameOf(culture)}.json`, languageFile(model, culture))
  return files
}

/** All texts of one language by the place that they are at. */
function languageFile(model: StationModel, culture: string): string {
  const texts: Record<string, string> = {}
  const visit = (items: readonly ModelItem[], place: string): void => {
    for (const item of items) {
      for (const [property, text] of Object.entries(item.texts))
        if (text[culture] !== undefined) texts[`${place}/${item.name}/${property}`] = text[culture]
      visit(item.items ?? [], `${place}/${item.name}`)
    }
  }
  for (const { screen, kind } of screensOfModel(model))
    visit(screen.items, kind === 'screen' ? screen.name : `${screenKinds[kind].plural}/${screen.name}`)
  for (const [name, entries] of Object.entries(model.textLists))
    for (const { from, text } of entries) if (text[culture] !== undefined) texts[`${name}/${from}`] = text[culture]
  for (const { name, text } of model.alarms) if (text[culture] !== undefined) texts[`alarms/${name}`] = text[culture]
  return `${JSON.stringify(texts, null, 2)}\n`
}
