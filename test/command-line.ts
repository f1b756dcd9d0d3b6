/**
 * The command line of the code that runs the tests, for tests whose plugins belong to that code: in the launcher, which
 * runs `dist/`, they would load a second core. test/built.ts has the launcher.
 */
import { processArguments } from '../core/boot/running-code.ts'

/** Node's arguments before those of `gantry`. */
export const commandLine = processArguments(new URL('../core/cli/main.ts', import.meta.url))
