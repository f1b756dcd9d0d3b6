/** What this process asks the file system for: calls of `node:fs` with the paths that they are given. */
import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'

/** One call of a function of `node:fs`. */
export interface FileCall {
  readonly name: string
  readonly path: string
}

type Functions = Record<string, unknown>

/**
 * Tells of every call from now on, until the returned function is called. What threads, other processes and native
 * modules do is not seen. It changes globals: only for a test file in a process of its own.
 */
export function watchFiles(onCall: (call: FileCall) => void): () => void {
  const restores: (() => void)[] = []
  for (const module of [fs, fsPromises] as unknown as Functions[])
    for (const [name, original] of Object.entries(module)) {
      if (typeof original !== 'function' || /^[A-Z_]/.test(name)) continue
      const watched = function (this: unknown, ...given: unknown[]) {
        // Of copies, links and renames the second is a path too.
        const paths = /^(copyFile|cp|link|symlink|rename)/.test(name) ? given.slice(0, 2) : given.slice(0, 1)
        for (const path of paths) {
          if (typeof path === 'string') onCall({ name, path })
          else if (path instanceof URL && path.protocol === 'file:') onCall({ name, path: fileURLToPath(path) })
        }
        return Reflect.apply(original, this, given)
      }
      module[name] = Object.assign(watched, original)
      restores.push(() => {
        module[name] = original
      })
    }
  syncBuiltinESMExports()
  return () => {
    for (const restore of restores) restore()
    syncBuiltinESMExports()
  }
}
