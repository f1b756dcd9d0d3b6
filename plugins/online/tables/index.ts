/** Live watch and force tables: operations and events of plugins/online. */
import type { Operation } from '../../../core/index.ts'
import { forceOperations } from './force-operations.ts'
import { watchOperations } from './watch-operations.ts'

export { tableEvents } from './events.ts'
export { tableProblems } from './problems.ts'

export const tableOperations: readonly Operation[] = [...watchOperations, ...forceOperations]
