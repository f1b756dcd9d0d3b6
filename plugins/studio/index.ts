/** The studio: the web page for engineers at `/`. What it shows and does it gets from public operations. */
import { definePlugin, extend, type WebFolder, type WebPage, webFolders, webPages } from '../../core/index.ts'

const page: WebPage = { path: '/', page: async () => (await import('./page.ts')).studioPage() }

const files: WebFolder = {
  path: '/studio/',
  file: async (name) => (await import('./page.ts')).studioFile(name),
}

export default definePlugin({
  name: 'studio',
  version: '1.0.0',
  description: 'The studio: a web page for engineers at `/`.',
  extensions: [extend(webPages, page), extend(webFolders, files)],
})
