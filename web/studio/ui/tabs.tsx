/** Tabs: one of several contents. */
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { rowAfterKey } from './windowed.ts'

export interface Tab {
  readonly key: string
  readonly title: ComponentChildren
}

export interface TabsProps {
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly label: string
  /** Stands at the right of the tabs. */
  readonly aside?: ComponentChildren
  /** The content of the chosen tab. */
  readonly children: ComponentChildren
  onChoose(key: string): void
}

const across: Readonly<Record<string, string>> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' }

export function Tabs({ tabs, chosen, label, aside, children, onChoose }: TabsProps): JSX.Element {
  const id = useId()
  const at = tabs.findIndex(({ key }) => key === chosen)
  return (
    <div class="tabs">
      <div class="bar">
        <div role="tablist" aria-label={label}>
          {tabs.map(({ key, title }, i) => (
            <button
              key={key}
              type="button"
              id={`${id}-${key}`}
              role="tab"
              aria-selected={i === at}
              aria-controls={`${id}-panel`}
              tabIndex={i === at ? 0 : -1}
              onClick={() => onChoose(key)}
              onKeyDown={(event) => {
                const next = rowAfterKey(across[event.key] ?? '', at, tabs.length)
                if (next === undefined) return
                event.preventDefault()
                onChoose((tabs[next] as Tab).key)
                document.getElementById(`${id}-${tabs[next]?.key}`)?.focus()
              }}
            >
              {title}
            </button>
          ))}
        </div>
        {aside !== undefined && <div class="actions">{aside}</div>}
      </div>
      <div id={`${id}-panel`} class="panel" role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
