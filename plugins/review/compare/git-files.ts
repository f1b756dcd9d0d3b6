/** A version of a folder or file in git, as a file system. Git itself reads its store. */
import { execFile, spawn } from 'node:child_process'
import { sep } from 'node:path'
import { promisify } from 'node:util'
import { type FolderAccess, FolderError } from '../folder/folder.ts'

const run = promisify(execFile)

/** `main:plc/PLC_1`, or undefined for a text without a colon; a drive letter is none. */
export function gitSpec(text: string): { readonly ref: string; readonly path: string } | undefined {
  const found = /^([^:]{2,}):(.*)$/s.exec(text)
  // Git itself knows / alone.
  return found ? { ref: found[1]!, path: found[2]!.replaceAll(sep, '/').replace(/^\.?\/|\/$/g, '') } : undefined
}

/**
 * Reads a version.
 * @param cwd a folder of the repository; the path counts from its root
 * @throws FolderError when git has no such version or path
 */
export async function gitFiles(
  cwd: string,
  { ref, path }: { readonly ref: string; readonly path: string },
): Promise<{ readonly access: FolderAccess; readonly root: string }> {
  const git = async (...args: string[]): Promise<string> => {
    try {
      return (await run('git', args, { cwd, maxBuffer: 256 * 1024 * 1024 })).stdout
    } catch (error) {
      const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string }
      throw new FolderError(code === 'ENOENT' ? 'git is not installed' : stderr.trim().replace(/^fatal: /, ''))
    }
  }
  const top = (await git('rev-parse', '--show-toplevel')).trim()
  // An option cannot be taken for a version.
  const commit = (await git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)).trim()
  const listed = await run('git', ['ls-tree', '-r', '-z', commit, '--', ...(path === '' ? [] : [path])], {
    cwd: top,
    maxBuffer: 256 * 1024 * 1024,
  })
  const files = new Map<string, string>()
  for (const row of listed.stdout.split('\0')) {
    const found = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(row)
    if (found) files.set(found[2]!, found[1]!)
  }
  if (files.size === 0) throw new FolderError(`${ref} has nothing at "${path}".`)
  const contents = await blobs(top, [...files.values()])
  const isFile = files.has(path)
  const children = new Map<string, { name: string; path: string; isDirectory: boolean }[]>()
  const known = new Set<string>()
  for (const file of files.keys()) {
    const parts = file.split('/')
    for (let depth = parts.length; depth > 0; depth--) {
      const own = parts.slice(0, depth).join('/')
      if (known.has(own)) break
      known.add(own)
      const above = parts.slice(0, depth - 1).join('/')
      const entry = { name: parts[depth - 1]!, path: own, isDirectory: depth < parts.length }
      const list = children.get(above)
      if (list) list.push(entry)
      else children.set(above, [entry])
    }
  }
  const access: FolderAccess = {
    read: async (file) => contents.get(files.get(file) ?? '') ?? Buffer.alloc(0),
    list: async (folder) => children.get(folder) ?? [],
    stat: async () => ({ isFile, isDirectory: !isFile, size: 0, modifiedAt: '' }),
  }
  return { access, root: path }
}

/** Contents by their object names, read by one process. */
async function blobs(cwd: string, names: readonly string[]): Promise<Map<string, Buffer>> {
  const child = spawn('git', ['cat-file', '--batch'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.end(names.map((name) => `${name}\n`).join(''))
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  const all = Buffer.concat(chunks)
  const found = new Map<string, Buffer>()
  // Each: "<name> blob <size>", a line break, the content, a line break.
  for (let at = 0; at < all.length; ) {
    const end = all.indexOf(10, at)
    const [name = '', , size = '0'] = all.toString('latin1', at, end).split(' ')
    found.set(name, all.subarray(end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return found
}
