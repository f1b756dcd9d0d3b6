/**
 * Pages of plugins: HTML without any data, which needs no key. What it shows it gets from operations with the key of
 * its viewer.
 */
import { extensionPoint } from './extension-point.ts'

/** One page. */
export interface WebPage {
  /** `/hmi/{station}`: outside of `/api` and `/mcp`; the page reads parameters from its address. */
  readonly path: string
  /** The page and its Content-Security-Policy. */
  page(): Promise<{ readonly html: string; readonly policy: string }>
}

/** Where plugins put their pages. */
export const webPages = extensionPoint<WebPage>('core.web-pages')
