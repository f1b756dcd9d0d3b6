/** The views: one line each, and those of plugins. The first one is shown first. `icon` is a name of `ui/icon.tsx`. */
import { contributed } from './contributed.ts'
import type { View } from './view.ts'

export const views: readonly View[] = [
  { path: '/project', title: 'project.title', icon: 'project', load: () => import('./views/project.tsx') },
  { path: '/program', title: 'program.title', icon: 'program', load: () => import('./views/program.tsx') },
  { path: '/live', title: 'live.title', icon: 'live', load: () => import('./views/live.tsx') },
  { path: '/hardware', title: 'hardware.title', icon: 'hardware', load: () => import('./views/hardware.tsx') },
  { path: '/jobs', title: 'jobs.title', icon: 'jobs', load: () => import('./views/jobs.tsx') },
  { path: '/design', title: 'design.title', icon: 'design', load: () => import('./views/design.tsx') },
  { path: '/assistant', title: 'assistant.title', icon: 'assistant', load: () => import('./views/assistant.tsx') },
  ...contributed,
]
