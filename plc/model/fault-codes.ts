/** Codes of faults that readers and writers of files report (`plc/model/fault.ts`). */
import type { FaultCode } from './fault.ts'

interface FormatCode {
  readonly title: string
  readonly meaning: string
  readonly remedy: string
}

/** One row for each code. */
export const faultCodes: Readonly<Record<FaultCode, FormatCode>> = {
  encoding: {
    title: 'The file is not text in a known encoding',
    meaning: 'The bytes at `offset` are neither UTF-8, nor UTF-16 with a byte order mark.',
    remedy: 'Save the file as UTF-8.',
  },
  'xml-syntax': {
    title: 'The XML is not well-formed',
    meaning: 'A tag, attribute or character reference is broken, or an element is not closed.',
    remedy: 'Correct the file at the place given, or export it anew.',
  },
  'xml-doctype': {
    title: 'The XML has a document type',
    meaning: 'Document types and entities are not read: they can make a reader load other files or grow without end.',
    remedy: 'Remove the DOCTYPE; exports of TIA Portal have none.',
  },
  'xml-limit': {
    title: 'The XML is beyond a limit',
    meaning: 'The elements are nested too deep, or a name or text is too long.',
    remedy: 'Split the file; `message` names the limit.',
  },
  'xml-root': {
    title: 'The XML is no file of this kind',
    meaning: 'The outermost element is not the one of such a file.',
    remedy: 'Import the file with the operation for its kind; `message` says what was found.',
  },
  'xml-structure': {
    title: 'An element is missing, or one too many',
    meaning: 'The elements do not stand as the format has them.',
    remedy: 'Correct the file at the place given, or export it anew.',
  },
  'xml-value': {
    title: 'A value in the XML is not possible',
    meaning: 'An attribute or text has a value that its element cannot have.',
    remedy: 'Correct the value; `message` says what is allowed.',
  },
  'xml-reference': {
    title: 'A reference in the XML leads nowhere',
    meaning: 'A wire, access or part names an identifier that is not in the network, or one that is there twice.',
    remedy: 'Correct the identifiers of the network.',
  },
  'source-syntax': {
    title: 'The source cannot be read',
    meaning: 'The text is not what the language allows at this place.',
    remedy: 'Correct the source at the line and column given.',
  },
  'source-structure': {
    title: 'The parts of the source do not fit together',
    meaning: 'A section stands at the wrong place, is there twice, or belongs to another kind of block.',
    remedy: 'Correct the source; `message` names the part.',
  },
  'source-limit': {
    title: 'The source is beyond a limit',
    meaning: 'Something in the source is nested too deep or too long.',
    remedy: 'Split it; `message` names the limit.',
  },
  edit: {
    title: 'The change cannot be made',
    meaning: 'What was sent as an interface, a network or code does not fit the block that it changes.',
    remedy: 'Send what `message` asks for.',
  },
  unsupported: {
    title: 'The format cannot hold this',
    meaning: 'The file, or what would be written, has something that Gantry or this format does not support.',
    remedy: 'Use another format or version; `message` names what it is about.',
  },
}
