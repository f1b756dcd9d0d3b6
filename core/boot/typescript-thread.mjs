// The entry of a thread whose module, the last argument, is TypeScript. Plain JavaScript because it runs before
// TypeScript can be loaded, and a file because on Node 20 `--import tsx` serves the main thread only.
import { register } from 'node:module'
import { register as registerTypeScript } from 'tsx/esm/api'

registerTypeScript()
register('./typescript-format.mjs', import.meta.url)
await import(process.argv.at(-1))
