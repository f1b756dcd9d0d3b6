/** Names that Windows gives to devices instead of files, and others that no file can have there. */

/**
 * In any folder, with any extension, in any case, also with blanks before the extension. Source: Microsoft, "Naming
 * Files, Paths, and Namespaces"; CONIN$ and CONOUT$ by `CreateFile`, "Consoles".
 */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const impossible = /[\u0000-\u001f<>"|?*]/

/** Whether the name of a file or folder, without its path, is a device on Windows: `CON`, `nul.txt`. */
export function isDeviceName(name: string): boolean {
  return device.test(name)
}

/** A name that Windows refuses, or takes for something else than a file of this name. */
export interface NameFault {
  /** Follows the name in a sentence: `is the name of a device of Windows`. */
  readonly reason: string
  /** What could be sent instead. */
  readonly suggestion: string
}

/**
 * Why the name of a file or folder, without its path, cannot be one on Windows; undefined: it can. Windows itself says
 * nothing of some of them: it writes to the device or to a stream that no folder shows, or drops the dots at the end.
 */
export function windowsNameFault(name: string): NameFault | undefined {
  if (name.includes(':')) {
    const [file = '', stream] = name.split(':')
    return {
      reason: /^[a-z]$/i.test(file)
        ? 'has a ":": Windows takes what is before it for a drive of which it knows no folder, or what is behind it for a stream inside of a file'
        : 'has a ":": Windows takes what is behind it for a stream inside of the file',
      suggestion: `Send a name without ":", such as "${[file, stream].filter((part) => part).join('-') || 'file'}".`,
    }
  }
  if (isDeviceName(name)) {
    return {
      reason: 'is the name of a device of Windows, with any extension and in any folder',
      suggestion: `Send another name, such as ${JSON.stringify(name.replace(/^[^. ]+/, '$&_'))}.`,
    }
  }
  const bad = impossible.exec(name)
  if (bad) {
    return {
      reason: `has ${JSON.stringify(bad[0])}, which no name has on Windows`,
      suggestion: 'Send a name without < > " | ? * and control characters.',
    }
  }
  if (!/[. ]$/.test(name)) return undefined
  const plain = name.replace(/[. ]+$/, '')
  return {
    reason: `ends with a ${name.endsWith('.') ? 'dot' : 'blank'}, which Windows drops`,
    suggestion: plain === '' ? 'Send another name.' : `Send ${JSON.stringify(plain)}.`,
  }
}
