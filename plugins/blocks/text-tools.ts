/** What plugins use that read texts of unknown encoding. See `textTools` in index.ts. */
export { decodeText } from '../../plc/model/decode.ts'
export { FormatError } from '../../plc/model/fault.ts'
