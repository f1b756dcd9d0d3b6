/** States of objects: icon and text. */
import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { t, word } from '../i18n.ts'
import type { Block } from '../model.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

export function blockIcon(type: string): IconName {
  return type === 'OB' ? 'ob' : type.endsWith('DB') ? 'db' : 'block'
}

/** Names of objects that differ from the controller by station, after a compare. */
export const differing = signal<Readonly<Record<string, ReadonlySet<string>>>>({})

type State = Pick<Block, 'compileStatus' | 'isKnowHowProtected' | 'isConsistent'>

const looks: Readonly<Record<string, { readonly icon: IconName; readonly look: string }>> = {
  success: { icon: 'ok', look: 'is-ok' },
  warning: { icon: 'warning', look: 'is-warning' },
  error: { icon: 'error', look: 'is-error' },
  outdated: { icon: 'stale', look: 'is-warning' },
  notCompiled: { icon: 'stale', look: 'quiet' },
}

const textOf = (status: string) => word('state', status)

/** The state as icons for a tree; nothing for what is in order. */
export function stateIcon({ compileStatus, isKnowHowProtected }: State): ComponentChildren {
  const { icon, look } = looks[compileStatus] ?? {}
  const isFine = compileStatus === 'success'
  if (isFine && !isKnowHowProtected) return undefined
  return (
    <>
      {isKnowHowProtected && (
        <span title={t('state.protected')}>
          <Icon name="lock" size={12} />
        </span>
      )}
      {!isFine && icon !== undefined && (
        <span class={look} title={textOf(compileStatus)}>
          <Icon name={icon} size={12} />
        </span>
      )}
    </>
  )
}

/** The state in words. */
export function StateBadge({ of, differs = false }: { readonly of: State; readonly differs?: boolean }): JSX.Element {
  const { icon, look = '' } = looks[of.compileStatus] ?? {}
  return (
    <span class="states">
      <span class={`badge ${look}`}>
        {icon !== undefined && <Icon name={icon} size={11} />} {textOf(of.compileStatus)}
      </span>
      {of.isKnowHowProtected && (
        <span class="badge">
          <Icon name="lock" size={11} /> {t('state.protected')}
        </span>
      )}
      {differs && (
        <span class="badge is-warning" title={t('state.differs')}>
          <Icon name="differs" size={11} /> {t('state.differsShort')}
        </span>
      )}
    </span>
  )
}
