/** Codes of findings about the folder and the settings, beside those of the compiler and of the rules. */
import type { Severity } from '../../../plc/diagnostics/diagnostic-code.ts'

/** Title, explanation, severity, remedy. */
export const folderCodes: Readonly<
  Record<string, readonly [title: string, text: string, severity: Severity, remedy: string]>
> = {
  'unreadable-file': [
    'A file cannot be read',
    'The file, or a part of it, is not as its format has it.',
    'error',
    'Export the file again, or leave it out with "ignore" in gantry.yml.',
  ],
  'import-warning': [
    'Something of a file was left out or guessed',
    'The rest of the file is checked.',
    'warning',
    'Look at what was left out; TIA Portal may need it.',
  ],
  'duplicate-object': [
    'An object is in the folder twice',
    'Two files hold different objects of one name; the first counts.',
    'warning',
    'Check one program at a time: name its folder, or list "devices" in gantry.yml.',
  ],
  'not-checked': [
    'A file is not checked',
    'It holds nothing that belongs to a PLC program.',
    'information',
    'Nothing, or list the folder under "devices" in gantry.yml.',
  ],
  'settings-fault': [
    'gantry.yml has a fault',
    'A field of the settings is unknown or has a value that it cannot have; nothing is checked until it is mended.',
    'error',
    'The message names what is allowed.',
  ],
  'plugin-not-loaded': [
    'A plugin of gantry.yml is not loaded',
    'A gateway uses the plugins that it is started with, and none that a file names.',
    'information',
    'Start the gateway with --plugins-dir, or check the folder with "gantry check" on the machine that has the plugin.',
  ],
  'rule-failed': [
    'A rule of a plugin failed',
    'The rule ended with an error; what it found before that is not reported. All other rules ran.',
    'error',
    'Mend the plugin, or switch the rule off in gantry.yml.',
  ],
  'missing-block': [
    'A block is not in the folder',
    'It is called, and may come from a library.',
    'warning',
    'Export it into the folder, or list it under "libraries" in gantry.yml.',
  ],
  'missing-type': [
    'A type is not in the folder',
    'Something is declared with it.',
    'warning',
    'Export it into the folder, or list it under "libraries" in gantry.yml.',
  ],
  'missing-name': [
    'A name is not in the folder',
    'It is used; a tag table or data block may be missing.',
    'warning',
    'Export the table or block into the folder, or list the name under "libraries" in gantry.yml.',
  ],
  'suppression-without-reason': [
    'A finding is accepted without a reason',
    'gantry-ignore needs the code of the rule and, after a colon, why.',
    'warning',
    'Write the reason after a colon.',
  ],
  'suppression-unused': [
    'A suppression is of nothing',
    'The finding that it accepts is gone.',
    'information',
    'Delete the comment or attribute.',
  ],
}
