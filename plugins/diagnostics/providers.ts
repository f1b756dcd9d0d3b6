/** Extension points with what plugins contribute to them, and the tasks of the engineering instance. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Gateway, isObject } from '../../core/index.ts'
import { builtInPlugins } from '../../core/services.ts'

export interface Provider {
  readonly name: string
  readonly kind: 'extension-point' | 'task'
  /** Of an extension point. */
  readonly title?: string
  readonly description?: string
  readonly contributions: readonly { readonly plugin: string; readonly name?: string }[]
}

/** All of them, by name. */
export async function providersOf(gateway: Gateway): Promise<Provider[]> {
  const points = new Map(
    [...gateway.registry.points.keys()].map((id) => [id, [] as { plugin: string; name?: string }[]]),
  )
  for (const { name: plugin, extensions = [] } of gateway.registry.plugins)
    for (const { point, value } of extensions) {
      const name = isObject(value) ? (value.name ?? value.title ?? value.area) : undefined
      points.get(point)?.push({ plugin, ...(typeof name === 'string' ? { name } : {}) })
    }
  const byPoint = [...gateway.registry.points.values()].map(({ id, title, description }) => ({
    name: id,
    kind: 'extension-point' as const,
    title,
    description,
    contributions: points.get(id) ?? [],
  }))
  return [...byPoint, ...(await tasks())].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Modules of the built-in plugins whose functions run in the engineering instance: `*.task`. */
async function tasks(): Promise<Provider[]> {
  const entries = await readdir(builtInPlugins, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => {
    const name = /^([\w-]+)\.task\.[jt]s$/.exec(entry.name)?.[1]
    if (name === undefined || !entry.isFile()) return []
    const place = join(entry.parentPath)
      .slice(builtInPlugins.length + 1)
      .split(/[\\/]/)
    return [{ name: `${place.join('/')}/${name}`, kind: 'task' as const, contributions: [{ plugin: place[0] ?? '' }] }]
  })
}
