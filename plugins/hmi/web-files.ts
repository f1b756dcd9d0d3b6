/** The program of the page, made by the build from `web/`. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { problem } from '../../core/index.ts'

/** Beside the built plugins, and from the sources in the folder of the build. */
const places = ['../../web/hmi/', '../../dist/web/hmi/'].map((path) => new URL(path, import.meta.url))

/** A file of the page: `hmi.js`, `hmi.css`. @throws GatewayError `conflict` when it was not built */
export async function webFile(name: 'hmi.js' | 'hmi.css'): Promise<string> {
  for (const place of places) {
    const file = fileURLToPath(new URL(name, place))
    if (existsSync(file)) return readFile(file, 'utf8')
  }
  throw problem('conflict', 'The page of HMI stations is not built.', { suggestion: 'Run "npm run build".' })
}
