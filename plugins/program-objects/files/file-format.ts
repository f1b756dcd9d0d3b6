/** Where plugins give file formats of program objects. */
import { extensionPoint } from '../../../core/index.ts'
import { type ContributedFormat, formatFaults } from '../../../plc/formats/file-format.ts'

/** Formats beside SimaticML, external sources and SIMATIC SD. */
export const fileFormat = extensionPoint<ContributedFormat>('program-objects.file-formats', {
  title: 'File formats',
  description:
    'A format of files that hold blocks and types. Its reader makes a text of a file that the gateway reads (an external source, SimaticML or SIMATIC SD), its writer a file of an object. Imports, exports and the review take it where they take the built-in formats, which are asked after it; `gantry check`, `test` and editors when gantry.yml names the plugin.',
  constant: 'fileFormat',
  check: {
    name: 'text',
    title: 'text',
    extensions: 'text[]',
    detect: 'function?',
    read: 'function',
    write: 'function?',
  },
  faults: formatFaults,
  example:
    "{ name: 'plant.list', title: 'Lists of the plant', extensions: ['.plant'], read: (text) => ({ text: 'TYPE \"' + text.trim() + '\"\\nSTRUCT\\nEND_STRUCT;\\nEND_TYPE\\n' }) }",
})
