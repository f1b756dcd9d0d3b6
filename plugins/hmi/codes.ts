/** The codes of messages of the HMI compile. */
import type { CodeDefinition, CodeTable } from '../../core/index.ts'

const row = (severity: string, title: string, meaning: string, remedy: string): CodeDefinition => {
  return { severity, title, meaning, remedy }
}

const rows = {
  'hmi-unknown-variable': row(
    'error',
    'The variable does not exist',
    'A binding, tag, event or alarm names a path that no PLC of the station has.',
    'Correct the path, import the program, or make an internal HMI tag of this name.',
  ),
  'hmi-no-plc': row('error', 'There is no PLC', 'The project has no PLC that could have the variable.', 'Add the PLC.'),
  'hmi-not-accessible': row(
    'error',
    'The variable is not accessible from HMI',
    'The member or tag is not marked as accessible from HMI and OPC UA.',
    'Set "Accessible from HMI/OPC UA" in the program.',
  ),
  'hmi-wrong-type': row(
    'error',
    'The type of the variable does not fit',
    'The converter or property takes values of another type.',
    'Take another variable or converter.',
  ),
  'hmi-missing-reference': row(
    'error',
    'Something that is referred to is missing',
    'A text list, graphic list, graphic, faceplate, template, screen or connection of this name is not on the station.',
    'Create or import it, or correct the name.',
  ),
  'hmi-missing-binding': row(
    'error',
    'A property of a faceplate is not bound',
    'The objects of the faceplate follow a property that the instance gives no variable for.',
    'Add a binding of the property to the instance.',
  ),
  'hmi-script-syntax': row(
    'error',
    'The script has a syntax error',
    'The source is no JavaScript (ECMAScript 2022).',
    'Correct it at the line and column of the message.',
  ),
  'hmi-no-screen': row('error', 'The station has no screen', 'There is nothing to show.', 'Create a screen.'),
  'hmi-graphic-empty': row(
    'warning',
    'The graphic has no image',
    'Its export was imported without the image beside it.',
    'Import the image: a file with the name of the graphic.',
  ),
  'hmi-not-run': row(
    'warning',
    'This does nothing here',
    'A VBScript, or a system function that the runtime of the gateway does not have.',
    'Write the script in JavaScript, or use a function that the message names.',
  ),
  'hmi-not-shown': row(
    'warning',
    'This is not shown',
    'The type of the object, or the property that is bound, is kept in the project but not drawn.',
    'Use another object or property.',
  ),
  'hmi-not-applied': row(
    'warning',
    'A setting of the HMI tag is not applied',
    'The tag is used as it is in the PLC: a limit that is no number, limits of a tag that is none, or linear scaling.',
    'Correct the limit, or use what the message names.',
  ),
  'hmi-format': row(
    'warning',
    'The format is not applied',
    'The pattern or format of the field is not known, or does not fit the type of its variable.',
    'Take a pattern that the message names.',
  ),
  'hmi-not-visible': row(
    'warning',
    'The variable is not visible in HMI engineering',
    'TIA Portal does not offer the member or tag when a variable is chosen; it is read all the same.',
    'Set "Visible in HMI engineering" in the program.',
  ),
  'hmi-read-only': row(
    'warning',
    'The variable cannot be written',
    'A person or a function changes the value here, but the variable is not writable from HMI and OPC UA.',
    'Set "Writable from HMI/OPC UA" in the program, or take an object that only shows.',
  ),
  'hmi-outside': row(
    'warning',
    'The object is outside of the screen',
    'It is drawn where nobody sees it.',
    'Move it, or enlarge the screen.',
  ),
} as const satisfies Record<string, CodeDefinition>

/** A code of a message. */
export type HmiCode = keyof typeof rows

/** Whether a code is an error or a warning. */
export function severityOf(code: HmiCode): 'error' | 'warning' {
  return rows[code].severity as 'error' | 'warning'
}

export const hmiCodes: CodeTable = {
  title: 'Messages of the HMI compile',
  codes: () => new Map(Object.entries(rows)),
}
