/** What a refusal of the file system is for a client: which file, why, and what to do. */
import { windowsNameFault } from '../../lib/windows-names.ts'
import { type GatewayError, problem } from './problems.ts'

/** Characters that Windows takes in no name. */
const refusedByWindows = '< > : " / \\ | ? *'

const close = 'Close it there (a spreadsheet, an editor, a virus scanner), and try again.'

/**
 * The problem that an error of the file system is; undefined for one that no client can do anything about.
 * @param path the file as people know it: the error itself may name a draft
 * @param isMaking something of this name was to be made, in a folder that is there: then the name is refused
 */
export function fileProblem(
  error: unknown,
  path: string,
  { isMaking = false, platform = process.platform }: { isMaking?: boolean; platform?: NodeJS.Platform } = {},
): GatewayError | undefined {
  const { code } = error as NodeJS.ErrnoException
  const options = { cause: error }
  switch (code) {
    case 'EBUSY':
    case 'ETXTBSY':
      return problem('conflict', `"${path}" is in use by another program (${code}). ${close}`, options)
    case 'EACCES':
    case 'EPERM':
      // Windows gives the same answer for a file that is open elsewhere and for one that is write-protected.
      if (platform === 'win32')
        return problem(
          'conflict',
          `"${path}" cannot be used (${code}): it, or a file in it, is in use by another program, or protected. ${close} Else give the account of the gateway the right to it.`,
          options,
        )
      return problem('forbidden', `The file system refuses "${path}" to the account of the gateway (${code}).`, options)
    case 'EROFS':
      return problem('forbidden', `"${path}" is on a file system that is only read (${code}).`, options)
    case 'EMFILE':
    case 'ENFILE':
      return problem(
        'conflict',
        `"${path}" cannot be opened: too many files are open on this machine (${code}). Close programs, or raise the limit of open files, and try again.`,
        options,
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return problem('conflict', `The disk is full (${code}): "${path}" cannot be written. Make room.`, options)
    case 'ENAMETOOLONG':
      return problem(
        'invalid_input',
        `"${shortened(longestOf(path))}" is too long for the name of a file, or its path is.`,
        options,
      )
    case 'EISDIR':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOTEMPTY':
      if (!isMaking) return undefined
      return problem('conflict', `A file or folder is in the way of "${path}" (${code}).`, options)
    case 'EINVAL':
    case 'EILSEQ':
    case 'ENOENT':
      // The folder is there, so it is the name: Windows says so with either code.
      if (!isMaking || (code === 'ENOENT' && platform !== 'win32')) return undefined
      return problem(
        'invalid_input',
        `"${shortened(oddNameOf(path))}" is no name that this file system takes (${code}): Windows refuses ${refusedByWindows}, control characters, and names that are too long or end in a dot or blank.`,
        options,
      )
    default:
      return undefined
  }
}

/** As {@link fileProblem}, for an error that names its file itself; undefined for calls that are not about files. */
export function problemOfFileError(error: unknown): GatewayError | undefined {
  if (!(error instanceof Error)) return undefined
  const { syscall, path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  if (syscall === undefined || /^(spawn|connect|listen|bind)/.test(syscall)) return undefined
  const file = dest ?? path
  return typeof file === 'string' ? fileProblem(error, file, { isMaking: syscall === 'mkdir' }) : undefined
}

const namesOf = (path: string): string[] =>
  path.split(/[\\/]/).filter((name) => name !== '' && !/^[A-Za-z]:$/.test(name))

const longestOf = (path: string): string => namesOf(path).reduce((a, b) => (b.length > a.length ? b : a), '')

/** The name in a path that Windows does not take; the last one when all look right. */
function oddNameOf(path: string): string {
  const names = namesOf(path)
  return names.find((name) => name.length > 255 || windowsNameFault(name)) ?? names.at(-1) ?? path
}

const shortened = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name)
