/** Views of plugins: what the page is told of them, and their modules. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PageSource } from '../../core/index.ts'
import { type StudioView, studioView } from './view-point.ts'

/** A module is read with each page, so that a reload shows what its author has changed. */
async function moduleOf({ module }: StudioView): Promise<{ readonly content: Buffer; readonly hash: string }> {
  const content = await readFile(new URL(module))
  return { content, hash: createHash('sha256').update(content).digest('hex').slice(0, 16) }
}

/** What the page knows of the views of plugins. */
export async function viewsForPage(gateway: PageSource) {
  return Promise.all(
    gateway.extensions(studioView).map(async (view) => {
      const { name, title, icon = 'table' } = view
      // A module that is not there is told where the view would be.
      const hash = await moduleOf(view).then(
        (found) => found.hash,
        () => 'missing',
      )
      return { name, title, icon, module: `/studio/view-${name}-${hash}.js` }
    }),
  )
}

/** The module of a view by the name of its file; undefined when there is none of this content. */
export async function viewFile(file: string, gateway: PageSource): Promise<Buffer | undefined> {
  const [, name, hash] = /^view-([a-z0-9-]+)-([0-9a-f]{16})\.js$/.exec(file) ?? []
  const view = gateway.extensions(studioView).find((one) => one.name === name)
  if (view === undefined) return undefined
  const found = await moduleOf(view).catch(() => undefined)
  return found?.hash === hash ? found?.content : undefined
}
