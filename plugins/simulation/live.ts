/** What operations on instances work with. The first of them loads it, see `liveTools`. */
export {
  configView,
  controllerOptions,
  defaultConfig,
  readConfig,
  readSystemTime,
  readTime,
} from './instance-config.ts'
export { requireOn, runtimeOf, stopRuntime, wrongState } from './runtime.ts'
export { connectedName, instanceView, stateView } from './views.ts'
