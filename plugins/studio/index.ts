/** The studio: the web page for engineers at `/`. What it shows and does it gets from public operations. */
import { definePlugin, extend, type WebFolder, type WebPage, webFolders, webPages } from '../../core/index.ts'
import { studioView } from './view-point.ts'

export { type StudioView, studioView } from './view-point.ts'

const page: WebPage = { path: '/', page: async (gateway) => (await import('./page.ts')).studioPage(gateway) }

const files: WebFolder = {
  path: '/studio/',
  file: async (name, gateway) => (await import('./page.ts')).studioFile(name, gateway),
}

export default definePlugin({
  name: 'studio',
  version: '1.0.0',
  description: 'The studio: a web page for engineers at `/`.',
  extensionPoints: [studioView],
  extensions: [extend(webPages, page), extend(webFolders, files)],
})
