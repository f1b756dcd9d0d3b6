/**
 * The imports of files, for tests of the architecture. Read from the text, since the TypeScript compiler in use has no
 * stable API for it.
 */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageDir } from '../core/boot/running-code.ts'

/** The root of the repository. */
export const repositoryRoot = packageDir

export interface Import {
  /** Path of a file from the repository's root with `/`, or the name of a package. */
  readonly target: string
  /**
   * `value`: when the module is loaded. `lazy`: by `import()`. `type`: only types, which leave no import in the running
   * code.
   */
  readonly kind: 'value' | 'lazy' | 'type'
}

/** A comment, or a string, which may contain text that looks like a comment. */
const commentOrString = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g

/** `import … from '…'`, `export … from '…'`, `import '…'`. */
const staticImport =
  /(?:^|\n)(?:import|export)\s+(?:(type)\s+(?!from\b))?(?:[\w$]+\s*,?\s*)?(\*(?:\s*as\s+[\w$]+)?|\{[^}]*\})?\s*from\s*['"]([^'"]+)['"]|(?:^|\n)import\s*['"]([^'"]+)['"]/g

/** `import('…')`; a `.Name` after it makes it a type. */
const dynamicImport = /(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)(\.[A-Z])?/g

/**
 * All imports of a file, in no particular order.
 * @param file path from the repository's root, with `/`
 */
export function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(repositoryRoot, file), 'utf8').replace(commentOrString, (found) =>
    found.startsWith('/') ? ' ' : found,
  )
  const found: Import[] = []
  for (const [, type, names, from, alone] of text.matchAll(staticImport)) {
    const isType = type !== undefined || (names !== undefined && onlyTypes(names))
    found.push({ target: resolved(file, from ?? alone ?? ''), kind: isType ? 'type' : 'value' })
  }
  for (const [, typeOf, target, member] of text.matchAll(dynamicImport))
    found.push({ target: resolved(file, target ?? ''), kind: typeOf || member ? 'type' : 'lazy' })
  return found
}

function onlyTypes(names: string): boolean {
  const all = names
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return all.length > 0 && all.every((name) => name.startsWith('type '))
}

function resolved(file: string, specifier: string): string {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier
}

/** All TypeScript files below a folder, from the repository's root, sorted. */
export function filesBelow(folder: string): string[] {
  return (readdirSync(path.join(repositoryRoot, folder), { recursive: true }) as string[])
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('/node_modules/'))
    .sort()
}

/**
 * Groups of names that all reach each other: cycles. A single name is not one.
 * @param names files or folders
 * @param next the names that a name leads to; names outside `names` are ignored
 */
export function circles(
  names: readonly string[],
  next: (name: string) => readonly string[] = (file) => importsOf(file).map(({ target }) => target),
): string[][] {
  const all = new Set(names)
  const edges = new Map(names.map((name) => [name, [...new Set(next(name))].filter((one) => all.has(one))]))
  // Tarjan's strongly connected components.
  const [number, low] = [new Map<string, number>(), new Map<string, number>()]
  const [stack, open, found] = [[] as string[], new Set<string>(), [] as string[][]]
  const visit = (name: string): void => {
    number.set(name, number.size)
    low.set(name, number.get(name) as number)
    stack.push(name)
    open.add(name)
    for (const other of edges.get(name) ?? []) {
      if (!number.has(other)) visit(other)
      if (open.has(other)) low.set(name, Math.min(low.get(name) as number, low.get(other) as number))
    }
    if (low.get(name) !== number.get(name)) return
    const circle = stack.splice(stack.indexOf(name))
    for (const one of circle) open.delete(one)
    if (circle.length > 1 || edges.get(name)?.includes(name)) found.push(circle.sort())
  }
  for (const name of names) if (!number.has(name)) visit(name)
  return found
}
