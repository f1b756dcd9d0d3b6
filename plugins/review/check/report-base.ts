/**
 * Where services find the files that a report names: code scanning, code quality and coverage know files from the root
 * of the repository, whatever folder a command was given and wherever it ran.
 */
import { realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pathBelow } from '../../../lib/path-below.ts'

export interface ReportBase {
  /** Before each path of the report: `plc/`, or empty. */
  readonly prefix: string
  /** The folder that paths count from, as a URI that ends in /; absent: it is the root of the repository. */
  readonly uri?: string
}

/**
 * The base of the reports on a folder or file: the root of its git repository (a `.git` above it, which is a file in
 * work trees and submodules), else the working directory when it is above, else the folder itself.
 */
export async function reportBase(root: string): Promise<ReportBase> {
  const real = await realpath(root).catch(() => root)
  const info = await stat(real).catch(() => undefined)
  const folder = info?.isFile() ? dirname(real) : real
  const top = await repositoryOf(folder)
  if (top !== undefined) return { prefix: inside(top, folder) ?? '' }
  const cwd = await realpath('.')
  const below = inside(cwd, folder)
  return { prefix: below ?? '', uri: pathToFileURL(join(below === undefined ? folder : cwd, sep)).href }
}

async function repositoryOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await stat(join(at, '.git')).catch(() => undefined)) return at
    if (dirname(at) === at) return undefined
  }
}

/** `a/b/` for a folder below another, empty for itself, undefined for one elsewhere. */
function inside(above: string, folder: string): string | undefined {
  const path = pathBelow(above, folder)
  return path === undefined || path === '' ? path : `${path.split(sep).join('/')}/`
}
