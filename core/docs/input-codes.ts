/** Codes of the entries of `errors` that any operation can answer. */
import type { CodeDefinition, CodeTable } from '../contract/code-tables.ts'

const fault = (title: string, meaning: string, remedy: string): CodeDefinition => ({
  severity: 'fault',
  title,
  meaning,
  remedy,
})

const form = (rule: string) =>
  fault(
    'The value has the wrong form',
    `The value at \`path\` breaks the rule \`${rule}\` of its schema; \`message\` says which.`,
    'Send a value that the description of the field allows: `GET /api/command/info/{route}`.',
  )

const codes: Readonly<Record<string, CodeDefinition>> = {
  missing: fault('A field is missing', 'The operation requires the field at `path`.', 'Send the field.'),
  unknown_property: fault(
    'A field is not known',
    'The operation, or the object at `path`, has no field of this name.',
    'Correct the name; `message` proposes the nearest one.',
  ),
  not_allowed: fault(
    'The value is none of those allowed',
    'The value at `path` is one of a list, and this is none of them.',
    'Send one of `allowed`.',
  ),
  wrong_type: fault(
    'The value has the wrong type',
    'The value at `path` is, for example, a text where a number is wanted, and cannot be read as one.',
    'Send a value of the type in `message`.',
  ),
  pattern: form('pattern'),
  ...Object.fromEntries(
    [
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'uniqueItems',
      'minProperties',
      'maxProperties',
      'propertyNames',
      'format',
      'anyOf',
    ].map((rule) => [rule, form(rule)]),
  ),
  duplicate: fault('Something is there twice', 'Two entries of the request or file have the same name.', 'Keep one.'),
  taken: fault(
    'The value is in use',
    'Something else has the address or name at `path`, and only one can.',
    'Choose another value, or free this one; `message` says who has it.',
  ),
  exists: fault(
    'It exists already, with another content',
    'What would be written is there and differs.',
    'Send `overwrite: true` to replace it, or rename one of the two.',
  ),
  too_many_to_record: {
    severity: 'note',
    title: 'Refused calls were counted, not recorded one by one',
    meaning: 'More calls were refused in a short time than the audit records; this record has their number.',
    remedy: 'Look at the client that sends them: its address is in the records before.',
  },
}

export const inputCodes: CodeTable = { title: 'Faults of a request', codes: () => new Map(Object.entries(codes)) }
