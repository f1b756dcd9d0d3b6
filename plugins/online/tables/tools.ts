/** What the operations on live tables do their work with. Loaded by the first of them, see `tableTools`. */
export { activeForces, requireProgram } from '../../simulation/tags/index.ts'
export { findWatchTable } from '../../watch-tables/index.ts'
export { followTable } from './follow.ts'
export { chosenRows, placeOf, requireForceTable, requireLive, requireLiveTable } from './live-table.ts'
export { planForces, planJobs, planNow } from './modify.ts'
export { modifying, startModifying, stopModifying } from './modify-jobs.ts'
export { tableValues } from './row-values.ts'
