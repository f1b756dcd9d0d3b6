/** A thread of a third-party plugin beside the compiled tree: its entry may be TypeScript. */
import { importModule } from './running-code.ts'

await importModule(process.argv[2]!)
