/** The files of a compiled station: one page that needs nothing else, and its parts for people and other tools. */
import { createHash } from 'node:crypto'
import { escapeText } from '../../lib/xml-text.ts'
import { fileNameOf } from '../projects/index.ts'
import type { ModelItem, StationModel } from './station-model.ts'
import { webFile } from './web-files.ts'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Only what is in the page, and the gateway that it comes from. Scripts of the station run in a worker made of a blob.
 */
function pagePolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hash(script)} blob:`,
    'worker-src blob:',
    `style-src ${hash(style)}`,
    "style-src-attr 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The page. With a model it shows that; without it asks the gateway for that of the station in its address. */
export async function stationPage(model?: StationModel): Promise<{ html: string; policy: string }> {
  const [js, style] = await Promise.all([webFile('hmi.js'), webFile('hmi.css')])
  const script = js.replace(/<\/script/gi, '<\\/script')
  const policy = pagePolicy(script, style)
  // Nothing in the data may end its element.
  const data = model === undefined ? '' : JSON.stringify(model).replaceAll('<', '\\u003c')
  const embedded = data === '' ? '' : `<script type="application/json" id="station">${data}</script>\n`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeText(model?.station ?? 'HMI')}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
${embedded}<script>${script}</script>
</body>
</html>
`
  return { html, policy }
}

/** All files of a station by path, without the drawings of the screens. */
export async function stationFiles(model: StationModel): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  files.set('index.html', (await stationPage(model)).html)
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
  for (const { name, items } of model.screens) visit(items, name)
  for (const [name, entries] of Object.entries(model.textLists))
    for (const { from, text } of entries) if (text[culture] !== undefined) texts[`${name}/${from}`] = text[culture]
  for (const { name, text } of model.alarms) if (text[culture] !== undefined) texts[`alarms/${name}`] = text[culture]
  return `${JSON.stringify(texts, null, 2)}\n`
}
