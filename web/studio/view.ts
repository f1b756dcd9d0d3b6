/** A view of the studio: its place in the navigation, and what its component gets. */
import type { ComponentType } from 'preact'
import { type TextKey, t } from './i18n.ts'
import type { Route } from './router.ts'
import type { IconName } from './ui/icon.tsx'

/** What the component of a view gets. */
export interface ViewProps {
  readonly route: Route
}

export interface View {
  readonly path: string
  /** A text of a plugin is as it is in every language. */
  readonly title: TextKey | { readonly text: string }
  readonly icon: IconName
  /** Loaded when it is shown first. */
  load(): Promise<{ readonly default: ComponentType<ViewProps> }>
}

/** The title in the language that is shown. */
export const titleOf = ({ title }: View): string => (typeof title === 'string' ? t(title) : title.text)
