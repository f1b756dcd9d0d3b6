/** Names of projects, and file names made from names of things. */
import { createHash } from 'node:crypto'
import { problem } from '../../../core/index.ts'
import { isDeviceName } from '../../../lib/windows-names.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unsafe = /[\u0000-\u001f\u007f<>:"/\\|?*%]/
const unsafeAll = new RegExp(unsafe, 'g')
/** File systems allow 255 bytes; this leaves room for an extension and a temporary suffix. */
const maxFileNameBytes = 180

/**
 * A file or folder name for the name of a device, block, table …: characters that file systems do not allow are
 * percent-encoded, an overlong name is cut and made unique by a hash. The file must contain the name itself, because it
 * cannot always be read back.
 */
export function fileNameOf(name: string): string {
  let encoded = name.replace(unsafeAll, percent)
  if (/[. ]$/.test(encoded)) encoded = encoded.slice(0, -1) + percent(encoded.slice(-1))
  if (encoded.startsWith('.') || encoded.startsWith(' ') || isDeviceName(encoded))
    encoded = percent(encoded[0]!) + encoded.slice(1)
  if (Buffer.byteLength(encoded) <= maxFileNameBytes) return encoded
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  let cut = ''
  for (const character of encoded) {
    if (Buffer.byteLength(cut) + Buffer.byteLength(character) > maxFileNameBytes - 13) break
    cut += character
  }
  return `${cut.replace(/%.?$/, '').replace(/[. ]+$/, '')}~${hash}`
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/**
 * The fault of a project's name, or undefined. It becomes a folder and a file, on every operating system.
 * (TIA Portal refuses the same characters, and names over 128 characters.)
 */
export function projectNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty'
  if (name !== name.trim()) return 'must not begin or end with a blank'
  if (name.length > 128) return `has ${name.length} characters; at most 128 are allowed`
  if (Buffer.byteLength(name) > maxFileNameBytes)
    return `takes ${Buffer.byteLength(name)} bytes; at most ${maxFileNameBytes} fit into a file name`
  if (/\p{Surrogate}/u.test(name)) return 'has half of a surrogate pair, which is not a character'
  const bad = unsafe.exec(name)
  if (bad)
    return `must not contain ${JSON.stringify(bad[0])} (not allowed: < > : " / \\ | ? * % and control characters)`
  if (name.startsWith('.') || name.endsWith('.')) return 'must not begin or end with a dot'
  if (isDeviceName(name)) return 'is a device name of Windows and cannot be a folder there'
  return undefined
}

/** The folder of a project that an archive would make is there. */
export function folderTaken(folder: string) {
  return problem('name_taken', `"${folder}" exists already; an archive is restored into a new folder.`, {
    suggestion: 'Restore it with another targetDirectory, or open the project that is there.',
  })
}
