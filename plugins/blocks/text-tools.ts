/** What plugins use that read texts of unknown encoding. See `textTools` in index.ts. */
export { decodeText } from './formats/decode.ts'
export { FormatError } from './model/fault.ts'
