/** Views of plugins, which the page names in its head (plugins/studio/contributed-views.ts). */
import type { ComponentType } from 'preact'
import { type IconName, isIcon } from './ui/icon.tsx'
import type { View, ViewProps } from './view.ts'

interface Named {
  readonly name: string
  readonly title: string
  readonly icon: string
  readonly module: string
}

/** What the module of a view exports. */
interface ViewModule {
  default(studio: typeof import('./kit.ts')): ComponentType<ViewProps>
}

const named = document.querySelector('meta[name="gantry-views"]')?.getAttribute('content') ?? '[]'

export const contributed: readonly View[] = (JSON.parse(named) as readonly Named[]).map(
  ({ name, title, icon, module }): View => ({
    path: `/${name}`,
    title: { text: title },
    icon: isIcon(icon) ? icon : ('table' satisfies IconName),
    async load() {
      const [kit, view] = await Promise.all([import('./kit.ts'), import(module) as Promise<ViewModule>])
      return { default: view.default(kit) }
    },
  }),
)
