/** Answers requests about blocks: the number of blocks of each kind, their list, and the data of one block. */
import type { LoadedProgram } from '../controller/contract.ts'
import { userDataError } from './codes.ts'

/** Kinds of blocks: letter in requests, code of their content. */
const kinds = [
  { letter: '8', content: 0x08, kind: 'OB' },
  { letter: 'E', content: 0x0e, kind: 'FB' },
  { letter: 'C', content: 0x0c, kind: 'FC' },
  { letter: 'A', content: 0x0a, kind: 'DB' },
  { letter: 'B', content: 0x0b, kind: 'SDB' },
  { letter: 'D', content: 0x0d, kind: 'SFC' },
  { letter: 'F', content: 0x0f, kind: 'SFB' },
] as const
type Kind = (typeof kinds)[number]

const languages: Readonly<Record<string, number>> = { STL: 1, LAD: 2, FBD: 3, SCL: 4, DB: 5, GRAPH: 6 }
const flag = { linked: 0x01, notRetentive: 0x20 } as const

interface Block {
  readonly number: number
  readonly language: number
  readonly flags: number
  /** Size of the data. */
  readonly size: number
  readonly checksum: number
}

/** Four hexadecimal digits of a hash, as a number. */
function checksumOf(hash: string): number {
  const digits = /[0-9a-f]{4}/i.exec(hash.slice(hash.indexOf(':') + 1))
  return digits ? Number.parseInt(digits[0], 16) : 0
}

function blocksOf(program: LoadedProgram | undefined, { kind }: Kind): Block[] {
  const symbols = program?.symbols
  const blocks =
    kind === 'DB'
      ? (symbols?.dataBlocks ?? []).map((block) => ({
          number: block.number,
          language: languages.DB ?? 0,
          flags: flag.linked | (block.retentive.length > 0 ? 0 : flag.notRetentive),
          size: block.size,
          checksum: checksumOf(block.document),
        }))
      : (symbols?.codeBlocks ?? [])
          .filter((block) => block.kind === kind)
          .map((block) => ({
            number: block.number,
            language: languages[block.language] ?? 0,
            flags: flag.linked,
            size: 0,
            checksum: checksumOf(block.code),
          }))
  return blocks.sort((a, b) => a.number - b.number)
}

/** Answers with the number of blocks of each kind. */
export function listBlocks(program: LoadedProgram | undefined): Buffer {
  return Buffer.concat(
    kinds.map((kind) => {
      const bytes = Buffer.from(`0${kind.letter}\0\0`, 'latin1')
      bytes.writeUInt16BE(Math.min(blocksOf(program, kind).length, 0xffff), 2)
      return bytes
    }),
  )
}

const kindNamed = (payload: Buffer) =>
  payload[0] === 0x30 ? kinds.find(({ letter }) => letter.charCodeAt(0) === payload[1]) : undefined

/**
 * Answers with the blocks of a kind: number, flags, language. What follows the kind in the request is ignored.
 * @returns the payload, or the code of an error
 */
export function listBlocksOfKind(program: LoadedProgram | undefined, payload: Buffer): Buffer | number {
  const kind = kindNamed(payload)
  if (!kind) return userDataError.unknownBlockSyntax
  const blocks = blocksOf(program, kind)
  if (blocks.length === 0) return userDataError.noBlockOfType
  return Buffer.concat(
    blocks.map(({ number, flags, language }) => {
      const bytes = Buffer.from([0, 0, flags, language])
      bytes.writeUInt16BE(number)
      return bytes
    }),
  )
}

const infoLength = 78
/** Request: `0`, kind, five digits, file system (`A` active, `P` passive, `B` both). */
const infoRequest = /^0([0-9A-F])(\d{5})[ABP]$/

/**
 * Answers with the data of a block. Author, family, name, dates and lengths of its code are unknown and 0.
 * @returns the payload, or the code of an error
 */
export function blockInformation(program: LoadedProgram | undefined, payload: Buffer): Buffer | number {
  const request = infoRequest.exec(payload.toString('latin1'))
  const kind = request && kindNamed(payload)
  if (!request || !kind) return userDataError.unknownBlockSyntax
  const block = blocksOf(program, kind).find(({ number }) => number === Number(request[2]))
  if (!block) return userDataError.blockNotFound
  const bytes = Buffer.alloc(infoLength)
  bytes[0] = 1
  bytes[1] = kind.letter.charCodeAt(0)
  bytes.writeUInt16BE(infoLength - 4, 2)
  bytes.writeUInt16BE(0x22, 4)
  bytes.write('pp', 6, 'latin1')
  bytes[9] = block.flags
  bytes[10] = block.language
  bytes[11] = kind.content
  bytes.writeUInt16BE(block.number, 12)
  bytes.writeUInt32BE(block.size, 14)
  bytes.writeUInt16BE(Math.min(block.size, 0xffff), 40)
  // Version 0.1, the default of blocks.
  bytes[66] = 0x01
  bytes.writeUInt16BE(block.checksum, 68)
  return bytes
}
