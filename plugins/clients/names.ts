/** Names of generated code, from ids and wire names. */

const words = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')

const startsWithLetter = (name: string, prefix: string): string => (/^[A-Za-z]/.test(name) ? name : `${prefix}${name}`)

/** `compile-device.async` → `CompileDeviceAsync`. */
export const pascal = (text: string): string =>
  startsWithLetter(
    words(text)
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join(''),
    'N',
  )

/** `compile-device.async` → `compileDeviceAsync`. */
export const camel = (text: string): string => {
  const name = pascal(text)
  return name[0]!.toLowerCase() + name.slice(1)
}

/** `compile-device.async`, `deviceName` → `compile_device_async`, `device_name`. */
export const snake = (text: string): string =>
  startsWithLetter(
    words(text)
      .map((word) => word.toLowerCase())
      .join('_'),
    'n_',
  )

/** Gives each name once: later ones get a number. */
export class UniqueNames {
  readonly #taken: Set<string>

  /** @param reserved names that are not given */
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved)
  }

  take(wanted: string, separator = ''): string {
    let name = wanted
    for (let n = 2; this.#taken.has(name); n++) name = `${wanted}${separator}${n}`
    this.#taken.add(name)
    return name
  }
}

/** Breaks a text into lines of at most `width` characters; paragraphs stay apart. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.trimEnd().split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  return lines
}
