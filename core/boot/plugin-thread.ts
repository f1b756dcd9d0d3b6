/** A thread of a third-party plugin: its entry, the last argument, is loaded as the plugin is. */
import { importModule } from './running-code.ts'

await importModule(process.argv.at(-1)!)
