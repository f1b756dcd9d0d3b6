/** Codes of findings about the folder and the settings, beside those of the compiler and of the rules. */
import type { Severity } from '../../plc/diagnostics/diagnostic-code.ts'

/** Title, explanation, severity. */
export const folderCodes: Readonly<Record<string, readonly [title: string, text: string, severity: Severity]>> = {
  'unreadable-file': ['A file cannot be read', 'The file, or a part of it, is not as its format has it.', 'error'],
  'import-warning': ['Something of a file was left out or guessed', 'The rest of the file is checked.', 'warning'],
  'duplicate-object': [
    'An object is in the folder twice',
    'Two files hold different objects of one name; the first counts.',
    'warning',
  ],
  'not-checked': ['A file is not checked', 'It holds nothing that belongs to a PLC program.', 'information'],
  'missing-block': ['A block is not in the folder', 'It is called, and may come from a library.', 'warning'],
  'missing-type': ['A type is not in the folder', 'Something is declared with it.', 'warning'],
  'missing-name': ['A name is not in the folder', 'It is used; a tag table or data block may be missing.', 'warning'],
  'suppression-without-reason': [
    'A finding is accepted without a reason',
    'gantry-ignore needs the code of the rule and, after a colon, why.',
    'warning',
  ],
  'suppression-unused': ['A suppression is of nothing', 'The finding that it accepts is gone.', 'information'],
}
