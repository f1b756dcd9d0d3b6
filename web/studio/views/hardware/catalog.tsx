/** The catalog beside a rack: what fits the station, or one place of it; or all that there is. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, get, queryOf } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { changes } from '../../state.ts'
import { Loading, useLoaded } from '../../ui/loaded.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useWindowed } from '../../ui/windowed.ts'

/** A place of a station. */
export type Slot = Answer<'hardware.compatible-slots'>['slots'][number]

export type CatalogEntry = Pick<
  Answer<'devices.catalog-search'>['entries'][number],
  'orderNumber' | 'typeName' | 'kind'
> & {
  readonly family?: string
}

export interface CatalogProps {
  readonly device: string
  readonly chosen: CatalogEntry | undefined
  /** The only place that is meant. */
  readonly slot: Slot | undefined
  onChoose(entry: CatalogEntry | undefined): void
  /** All places are meant again. */
  onEverySlot(): void
}

/** Most entries that are shown: more are found by typing. */
const mostEntries = 300

/** Finds modules; an entry is dragged, or chosen with the keyboard. */
export function Catalog({ device, chosen, slot, onChoose, onEverySlot }: CatalogProps): JSX.Element {
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const words = text.trim()
  const found = useLoaded(
    async (until): Promise<{ readonly entries: readonly CatalogEntry[]; readonly reason?: string | undefined }> => {
      const query = { limit: mostEntries, q: words }
      if (isWhole)
        return words.length < 2
          ? { entries: [] }
          : get<Answer<'devices.catalog-search'>>(
              `/api/catalog/search${queryOf({ query: words, limit: mostEntries })}`,
              until,
            )
      const place = slot === undefined ? {} : { rack: slot.rack, slot: slot.slot, subslot: slot.subslot }
      const { modules = [], reason } = await get<Answer<'hardware.compatible-slots'>>(
        `/api/devices/compatible-slots${queryOf({ deviceName: device, ...place, ...query })}`,
        until,
      )
      return { entries: modules, reason }
    },
    [device, words, isWhole, slot?.position, changes.value],
  )
  const entries = found.value?.entries ?? []
  const seen = useWindowed<HTMLUListElement>(entries.length, 44)
  const reason = found.value?.reason
  return (
    <div class="catalog">
      <h2>{t('hardware.catalog')}</h2>
      <label>
        <span class="hidden">{t('hardware.search')}</span>
        <input
          value={text}
          placeholder={t('hardware.search')}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label>
        <input type="checkbox" checked={!isWhole} onChange={(event) => setWhole(!event.currentTarget.checked)} />{' '}
        {slot === undefined ? t('hardware.onlyFitting', device) : t('hardware.onlyFittingSlot', slot.position)}
      </label>
      {slot !== undefined && (
        <button type="button" onClick={onEverySlot}>
          {t('hardware.everySlot')}
        </button>
      )}
      <p class="quiet">
        {!allows('engineer') ? (
          t('frame.needsLevel', 'engineer')
        ) : chosen === undefined ? (
          t('hardware.hint')
        ) : (
          <>
            {t('hardware.chosen', chosen.typeName)}{' '}
            <button type="button" class="link" onClick={() => onChoose(undefined)}>
              {t('frame.cancel')}
            </button>
          </>
        )}
      </p>
      {found.error !== undefined && <ProblemNote error={found.error} onRetry={found.reload} />}
      {found.isLoading && <Loading />}
      {!found.isLoading && entries.length === 0 && found.error === undefined && (
        <p class="quiet">
          {isWhole && words.length < 2 ? t('hardware.type') : words === '' ? reason : t('frame.none')}
        </p>
      )}
      <ul ref={seen.ref}>
        <li style={{ height: `${seen.before}px` }} aria-hidden="true" />
        {entries.slice(seen.from, seen.to).map((entry) => (
          <li key={entry.orderNumber}>
            <button
              type="button"
              draggable
              aria-pressed={entry.orderNumber === chosen?.orderNumber}
              onClick={() => onChoose(entry)}
              onDragStart={(event) => {
                onChoose(entry)
                event.dataTransfer?.setData('text/plain', entry.orderNumber)
              }}
            >
              <span>{entry.typeName}</span>
              <span class="quiet mono">
                {entry.orderNumber} · {entry.family ?? entry.kind}
              </span>
            </button>
          </li>
        ))}
        <li style={{ height: `${seen.after}px` }} aria-hidden="true" />
      </ul>
    </div>
  )
}
