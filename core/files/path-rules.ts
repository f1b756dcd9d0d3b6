/**
 * What the letters of a client's path say, before the file system is asked: to look at `\\host\share` is enough for
 * Windows to send the user's credentials there, and `NUL` or `x.xml::$DATA` look like files.
 *
 * **Places** are judged alike on every system: shares, devices, addresses and, but on Windows, drives are no paths of
 * this gateway. A share that is a workspace root, or in one, is compared with the roots as text and may be used.
 *
 * **Names** are the affair of the system that has the files. On Windows, a stream, a device, or a dot at the end is
 * refused. Elsewhere `10:30.xml`, `aux.scl` and `end.` are files like any others: a folder may hold them, they can be
 * read and written, and what Gantry names itself (`fileNameOf`) goes to Windows and back.
 */
import type { PlatformPath } from 'node:path'
import * as thisSystem from 'node:path'
import { fileURLToPath } from 'node:url'
import { pathBelow } from '../../lib/path-below.ts'
import { windowsNameFault } from '../../lib/windows-names.ts'
import { problem } from '../contract/problems.ts'

/**
 * The absolute path that a client's path means: relative ones are in the first root. No file is looked at.
 *
 * @param roots absolute paths of the workspace roots, the first one first, in every spelling that they have
 * @param system the rules of which system; those of this one
 * @throws GatewayError `path_outside_workspace` for another computer, a device, an address or a drive that this system
 *   does not have; `invalid_input` for an empty path, a NUL character and, on Windows, for names that are none
 */
export function absolutePath(path: string, roots: readonly string[], system: PlatformPath = thisSystem): string {
  if (path.trim() === '' || path.includes('\0'))
    throw problem('invalid_input', `"${path.replaceAll('\0', '\\0')}" is not a path.`, {
      suggestion: 'Send a path inside a workspace root, without NUL characters.',
    })
  const isWindows = system.sep === '\\'
  const said = placeFault(path, isWindows)
  const absolute = system.resolve(roots[0]!, path)
  if (said) {
    // What two slashes begin is compared with the roots: on Windows one may be a share; elsewhere they are one slash.
    const isRooted = said.isShare && (isWindows || path.startsWith('//'))
    if (!isRooted || !roots.some((root) => pathBelow(root, absolute, system) !== undefined))
      throw problem('path_outside_workspace', `"${path}" ${said.reason}.`, {
        suggestion:
          said.suggestion ??
          `Use a path inside a workspace root (${roots[0]}), or one relative to it, with ${system.sep} between the names.`,
      })
  }
  if (isWindows) requireNames(path, system)
  return absolute
}

/**
 * A path that has a form of Windows alone, where another system could have a file of this name: nobody who sends it
 * means that. A file that is there can be reached all the same.
 */
export function windowsForm(path: string): { readonly reason: string; readonly suggestion: string } | undefined {
  if (/:\$DATA$/i.test(path))
    return {
      reason: 'names a stream of a file, as Windows writes it; here it would be a part of the name',
      suggestion: path.replace(/:[^:/\\]*:\$DATA$/i, ''),
    }
  if (path.includes('\\'))
    return { reason: 'has \\ between its names; here it is /', suggestion: path.replaceAll('\\', '/') }
  return undefined
}

interface PlaceFault {
  readonly reason: string
  readonly suggestion?: string
  readonly isShare?: true
}

function placeFault(path: string, isWindows: boolean): PlaceFault | undefined {
  // \\?\ and \\.\ with either slash, and \??\ of the kernel: no rule of Windows for paths holds behind them.
  const namespace = /^(?:[\\/]{2}[.?](?=[\\/]|$)|[\\/]\?\?(?=[\\/]))/.exec(path)
  if (namespace) {
    const rest = path.slice(namespace[0].length + 1)
    const share = /^UNC[\\/](.+)/i.exec(rest)
    const plain = share ? `\\\\${share[1]}` : /^[a-z]:[\\/]/i.test(rest) ? rest : undefined
    return {
      reason: 'is a path of a device or of the kernel of Windows, not of a file',
      ...(plain !== undefined && isWindows ? { suggestion: `Send "${plain}".` } : {}),
    }
  }
  if (/^[\\/]{2}/.test(path)) {
    const host = /^[\\/]+([^\\/]+)/.exec(path)?.[1]
    const place = host === undefined ? 'is on another computer' : `is on another computer, "${host}"`
    return { isShare: true, reason: `${place}, and no workspace root is there; it was not contacted` }
  }
  // One letter before the colon is a drive.
  if (/^(file:|[a-z][a-z0-9+.-]+:\/\/)/i.test(path)) {
    const plain = pathOfUrl(path, isWindows)
    return {
      reason: 'is an address, not a path',
      ...(plain === undefined ? {} : { suggestion: `Send "${plain}".` }),
    }
  }
  if (!isWindows && /^[a-z]:[\\/]/i.test(path))
    return { reason: 'is on a drive of Windows, and this gateway does not run on Windows' }
  return undefined
}

/** The path that a `file:` address of this computer means; undefined when it means none here. */
function pathOfUrl(url: string, isWindows: boolean): string | undefined {
  try {
    const { protocol, host } = new URL(url)
    if (protocol !== 'file:' || host !== '') return undefined
    const path = fileURLToPath(url, { windows: isWindows })
    return !isWindows && /^\/[a-z]:/i.test(path) ? undefined : path
  } catch {
    return undefined
  }
}

/** @throws GatewayError `invalid_input` for a name that Windows refuses or takes for something else */
function requireNames(path: string, system: PlatformPath): void {
  // The root of `C:name` is `C:`, which leaves open what it means.
  const { root } = system.parse(path)
  const names = (/[\\/]$/.test(root) ? path.slice(root.length) : path).split(/[\\/]+/)
  for (const name of names) {
    if (name === '' || name === '.' || name === '..') continue
    const fault = windowsNameFault(name)
    if (!fault) continue
    const where = name === path ? '' : `"${path}": `
    throw problem('invalid_input', `${where}"${name}" ${fault.reason}.`, { suggestion: fault.suggestion })
  }
}
