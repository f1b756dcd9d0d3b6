// Plain JavaScript because it runs before TypeScript can be loaded: on Node 20 `--import tsx` serves the main thread only.
import { register } from 'tsx/esm/api'

register()
await import(process.argv[2])
