/** The program of the page, made by the build from `web/`. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { problem } from '../../../core/index.ts'
import type { ScreenProgram } from './screen-view.ts'

/** Beside the built plugins, and from the sources in the folder of the build. */
const places = ['../../../web/hmi/', '../../../dist/web/hmi/'].map((path) => new URL(path, import.meta.url))

/** Its files: program and styles, and the two programs of the frame for scripts. */
export type WebFile = 'hmi.js' | 'hmi.css' | 'script-frame.js' | 'script-worker.js'

/** A file of the page. @throws GatewayError `conflict` when it was not built */
export async function webFile(name: WebFile): Promise<string> {
  return readFile(pathOf(name), 'utf8')
}

/**
 * The code of the page that draws a screen, for use here.
 * @throws GatewayError `conflict` when it was not built
 */
export async function screenProgram(): Promise<ScreenProgram> {
  return import(pathToFileURL(pathOf('picture-program.js')).href)
}

function pathOf(name: string): string {
  for (const place of places) {
    const file = fileURLToPath(new URL(name, place))
    if (existsSync(file)) return file
  }
  throw problem('conflict', 'The page of HMI stations is not built.', { suggestion: 'Run "npm run build".' })
}
