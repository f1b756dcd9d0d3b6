/** What operations on instances work with. Loaded by the first of them, see `liveTools`. */
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
