/** The codes of what is in the way of objects of a library, for `GET /api/errors/{code}` and the manual. */
import type { CodeTable } from '../../core/index.ts'

export const obstacleCodes: CodeTable = {
  title: 'What is in the way of objects of a library',
  codes: () =>
    new Map([
      [
        'number_taken',
        {
          severity: 'fault',
          title: 'The number of a block is taken',
          meaning: 'A block of a library has a fixed number, which another block of the device has.',
          remedy: 'Send "rename" for it to give it the next free number, or "keep" to leave it out.',
        },
      ],
      [
        'only_one',
        {
          severity: 'fault',
          title: 'There can be only one such object',
          meaning: 'A PLC has one force table, and it has rows.',
          remedy: 'Send "overwrite" for it to replace the table, or "keep" to leave it as it is.',
        },
      ],
    ]),
}
