/** What plugins need that load compiled programs: compiling, what is compiled, its blobs. Exported lazily by `compileTools` of the plugin. */
export { type CompiledSources, compileSources } from '../../plc/compiler/compile-sources.ts'
export { blobHash, decodeProgram, OtherFormatError } from '../../plc/compiler/program-file.ts'
export type { CompileMessage } from './compile/messages.ts'
export { leavesOf } from './compile/messages.ts'
export { type CompiledDevice, compiledDevices } from './compile/records.ts'
export { compileDevice } from './compile/service.ts'
export { programObjects, readStatuses, signatureOf } from './compile/status.ts'
export { requireName } from './store.ts'
