/** The commands of this plugin: reports of each form, exit codes, refusals (fixtures/commands.yaml). */
import { testCommands } from '../../../test/commands.ts'
import { commands } from '../cli.ts'

testCommands('commands answer as recorded', new URL('fixtures/commands.yaml', import.meta.url), commands)
