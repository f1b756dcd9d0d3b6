/** A view of the studio: its place in the navigation, and what its component gets. */
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
