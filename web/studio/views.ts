/** The views: one line each. The first one is shown first. `icon` is a name of `ui/icon.tsx`. */
import type { ComponentType } from 'preact'
import type { TextKey } from './i18n.ts'
import type { Route } from './router.ts'
import type { IconName } from './ui/icon.tsx'

/** What the component of a view gets. */
export interface ViewProps {
  readonly route: Route
}

export interface View {
  readonly path: string
  readonly title: TextKey
  readonly icon: IconName
  /** Loaded when it is shown first. */
  load(): Promise<{ readonly default: ComponentType<ViewProps> }>
}

export const views: readonly View[] = [
  { path: '/project', title: 'project.title', icon: 'project', load: () => import('./views/project.tsx') },
  { path: '/program', title: 'program.title', icon: 'program', load: () => import('./views/program.tsx') },
  { path: '/live', title: 'live.title', icon: 'live', load: () => import('./views/live.tsx') },
  { path: '/hardware', title: 'hardware.title', icon: 'hardware', load: () => import('./views/hardware.tsx') },
  { path: '/jobs', title: 'jobs.title', icon: 'jobs', load: () => import('./views/jobs.tsx') },
  { path: '/design', title: 'design.title', icon: 'design', load: () => import('./views/design.tsx') },
  { path: '/assistant', title: 'assistant.title', icon: 'assistant', load: () => import('./views/assistant.tsx') },
]
