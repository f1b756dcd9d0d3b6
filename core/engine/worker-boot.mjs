// Plain JavaScript because it runs before TypeScript can be loaded: on Node 20 `--import tsx` serves the main thread only
// (module.register is per thread), so the task thread registers tsx itself. Measured: 115-150 ms until ready.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
