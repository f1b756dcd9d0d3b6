/**
 * Pages of plugins: HTML without any data, which needs no key. What it shows it gets from operations with the key of
 * its viewer.
 */
import { type ExtensionPoint, extensionPoint } from './extension-point.ts'

/** The gateway, as pages see it. */
export interface PageSource {
  extensions<T>(point: ExtensionPoint<T>): readonly T[]
}

/** One page. */
export interface WebPage {
  /**
   * `/hmi/{station}`: outside of `/api` and `/mcp`; the page reads parameters from its address. `/` is what browsers
   * get there; other clients get the addresses of the gateway as JSON.
   */
  readonly path: string
  /** The page and its Content-Security-Policy. */
  page(gateway: PageSource): Promise<{ readonly html: string; readonly policy: string }>
}

/** Where plugins put their pages. */
export const webPages = extensionPoint<WebPage>('core.web-pages', {
  title: 'Web pages',
  description:
    'An HTML page without any data at an address outside of /api and /mcp. It needs no key; what it shows it gets from operations.',
  constant: 'webPages',
  check: {
    path: 'text',
    page: 'function',
  },
  example: "{ path: '/plant', page: async () => ({ html: '<h1>Plant</h1>', policy: \"default-src 'self'\" }) }",
})

/** Programs and styles that pages load. */
export interface WebFolder {
  /** `/studio/`: the files are directly below. */
  readonly path: string
  /**
   * A file; undefined when there is none of that name. A name never stands for another content: it has a hash of it,
   * and browsers keep the file.
   */
  file(name: string, gateway: PageSource): Promise<{ readonly content: Buffer; readonly type: string } | undefined>
}

/** Where plugins put the files of their pages. */
export const webFolders = extensionPoint<WebFolder>('core.web-folders', {
  title: 'Files of web pages',
  description: 'Programs and styles that web pages load. Browsers keep a file, so a name has a hash of its content.',
  constant: 'webFolders',
  check: {
    path: 'text',
    file: 'function',
  },
  example:
    "{ path: '/plant/', file: async (name) => name === 'a1b2.css' ? { content: Buffer.from('h1 {}'), type: 'text/css' } : undefined }",
})
