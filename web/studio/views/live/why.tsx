/** Why a value is what it is: the networks that write it and the operands that decide, as a tree. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, get, pathWith, queryOf, type Schema } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { go, link } from '../../router.ts'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { valueText } from './values.ts'

type Explanation = Schema<'ValueExplanation'>

type Cause = Schema<'ValueCause'>

function Value({ of }: { readonly of: unknown }): JSX.Element {
  return <output class={typeof of === 'boolean' ? `value ${of}` : 'value'}>{valueText(of)}</output>
}

function Causes({ of, device }: { readonly of: readonly Cause[]; readonly device: string }): JSX.Element | null {
  if (of.length === 0) return null
  return (
    <ul>
      {of.map((cause) => {
        const [only, ...others] = cause.operands
        const isPlain = only !== undefined && others.length === 0 && only.text === cause.text
        const value = cause.value ?? (isPlain ? only.value : null)
        return (
          <li key={cause.text}>
            {cause.kind === 'condition' && <span class="quiet">{t('live.condition')} </span>}
            {cause.isNegated && <span class="quiet">NOT </span>}
            <code>{cause.text}</code> {value !== null && <Value of={cause.isNegated ? value === false : value} />}
            {cause.operands.map((operand) => (
              <div key={operand.text} class="operand">
                {!isPlain && (
                  <>
                    <span class="quiet">{operand.pin ?? ''}</span> <code>{operand.text}</code>{' '}
                    <Value of={operand.value} />
                  </>
                )}
                {operand.why !== undefined && <Writers of={operand.why} device={device} />}
              </div>
            ))}
            <Causes of={cause.because} device={device} />
          </li>
        )
      })}
    </ul>
  )
}

function Writers({ of, device }: { readonly of: Explanation; readonly device: string }): JSX.Element {
  return (
    <>
      {of.note !== undefined && <p class="quiet note">{of.note}</p>}
      {of.writers.map((writer) => (
        <details key={`${writer.blockName} ${writer.network} ${writer.text}`} open>
          <summary>
            {t('live.writtenBy', writer.blockName, writer.network)}{' '}
            <span class="quiet">{writer.line === undefined ? writer.language : t('live.line', writer.line)}</span>{' '}
            <code>{writer.text}</code> {writer.condition !== null && <Value of={writer.condition} />}
          </summary>
          <a class="place" href={link('/live', [device], { block: writer.blockName })}>
            {t('live.toCode', writer.blockName)}
          </a>
          <Causes of={writer.because} device={device} />
        </details>
      ))}
    </>
  )
}

export function Why({ device, name }: { readonly device: string; readonly name: string }): JSX.Element {
  const [depth, setDepth] = useState(4)
  const answer = useLoaded(
    async (until) =>
      name === ''
        ? undefined
        : get<Answer<'online.explain-value'>>(
            `${pathWith('/api/devices/{device}/program/why', { device })}${queryOf({ name, depth })}`,
            until,
          ),
    [device, name, depth],
  )
  return (
    <>
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault()
          const given = String(new FormData(event.currentTarget).get('name') ?? '').trim()
          go('/live', [device], { tab: 'why', name: given })
          if (given === name) answer.reload()
        }}
      >
        <label>
          {t('live.whyName')} <input key={name} name="name" defaultValue={name} size={36} />
        </label>
        <label>
          {t('live.depth')}{' '}
          <select value={depth} onChange={(event) => setDepth(Number(event.currentTarget.value))}>
            {[1, 2, 3, 4, 5, 6].map((n) => (
              <option key={n}>{n}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary">
          {t('live.explain')}
        </button>
      </form>
      {name === '' ? (
        <p class="quiet pad">{t('live.whyHint')}</p>
      ) : (
        <Show of={answer}>
          {(shown) => (
            <div class="why">
              {shown !== undefined && (
                <>
                  <h2>
                    <code>{shown.name}</code> = <Value of={shown.value} /> <span class="quiet">{shown.dataType}</span>
                  </h2>
                  <Writers of={shown} device={device} />
                </>
              )}
            </div>
          )}
        </Show>
      )}
    </>
  )
}
