/** Whether a path lies in a folder. */
import path from 'node:path'

/**
 * The path from a folder to what is in it; empty for the folder itself, undefined for what is elsewhere (on Windows
 * also on another drive). Only the texts are compared.
 * @param rules `path.win32` or `path.posix`; those of this system by default
 */
export function pathBelow(
  folder: string,
  at: string,
  { relative, isAbsolute, sep }: Pick<path.PlatformPath, 'relative' | 'isAbsolute' | 'sep'> = path,
): string | undefined {
  const inside = relative(folder, at)
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside
}
