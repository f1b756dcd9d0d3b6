/** What an address names and is not there, with where to go instead. */
import type { ComponentChildren, JSX } from 'preact'
import { t } from '../i18n.ts'
import { link } from '../router.ts'
import { Icon } from './icon.tsx'

/** A place to go to. */
export interface Way {
  readonly title: string
  readonly href: string
}

export interface MissingProps {
  /** What is not there: `There is no block "Pump" in PLC_1.` */
  readonly text: string
  /** Where to go instead; the project comes last by itself. */
  readonly ways?: readonly Way[]
  readonly children?: ComponentChildren
}

export function Missing({ text, ways = [], children }: MissingProps): JSX.Element {
  return (
    <div class="missing" role="alert">
      <h2>
        <Icon name="warning" size={16} /> {text}
      </h2>
      <Ways of={[...ways, { title: t('missing.project'), href: link('/project') }]} />
      {children}
    </div>
  )
}

export function Ways({ of }: { readonly of: readonly Way[] }): JSX.Element {
  return (
    <ul class="ways">
      {of.map(({ title, href }) => (
        <li key={href}>
          <a href={href}>{title}</a>
        </li>
      ))}
    </ul>
  )
}
