/** `gantry test`: reports of each form, exit codes, refusals, tests that are made (fixtures/commands.yaml). */
import { testCommands } from '../../test/commands.ts'
import { commands } from './cli.ts'

testCommands('gantry test answers as recorded', new URL('fixtures/commands.yaml', import.meta.url), commands)
