/** The racks of a station: modules with addresses, free slots that take a module of the catalog. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, get, pathWith, post, queryOf } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { changes } from '../../state.ts'
import { ask } from '../../ui/dialog.tsx'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { problemOf } from '../../ui/problem.tsx'
import { toast } from '../../ui/toast.tsx'
import { useWindowed } from '../../ui/windowed.ts'

interface Module {
  readonly name: string
  readonly typeName: string
  readonly orderNumber: string
  readonly kind: string
  readonly rack: number
  readonly slot: number
  readonly position: string
  readonly addresses: readonly {
    readonly type?: string
    readonly ioType?: string
    readonly startAddress?: number
    readonly start?: number
    readonly length?: number
  }[]
}

interface Slot {
  readonly rack: number
  readonly slot: number
  readonly subslot?: number
  readonly position: string
}

export interface CatalogEntry {
  readonly orderNumber: string
  readonly typeName: string
  readonly family: string
  readonly kind: string
}

const path = (device: string, rest: string) => pathWith(`/api/devices/{device}/${rest}`, { device })

/** `I 0…3`: the addresses of a module. */
function addressText({ addresses }: Module): string {
  return addresses
    .map(({ type, ioType, startAddress, start, length }) => {
      const from = startAddress ?? start
      const area = /^o|^q/i.test(ioType ?? type ?? '') ? 'Q' : 'I'
      return from === undefined
        ? ''
        : `${area} ${from}${length && length > 8 ? `…${from + Math.ceil(length / 8) - 1}` : ''}`
    })
    .filter(Boolean)
    .join(' · ')
}

interface CatalogProps {
  readonly chosen: CatalogEntry | undefined
  onChoose(entry: CatalogEntry): void
}

/** Finds modules; an entry is dragged, or chosen with the keyboard. */
function Catalog({ chosen, onChoose }: CatalogProps): JSX.Element {
  const [text, setText] = useState('DI 16')
  const found = useLoaded(
    async (until) =>
      text.trim().length < 2
        ? []
        : (
            await get<{ entries: readonly CatalogEntry[] }>(
              `/api/catalog/search${queryOf({ query: text.trim(), limit: 200 })}`,
              until,
            )
          ).entries,
    [text],
  )
  const entries = found.value ?? []
  const seen = useWindowed<HTMLUListElement>(entries.length, 44)
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
      <p class="quiet">
        {!allows('engineer')
          ? t('frame.needsLevel', 'engineer')
          : chosen === undefined
            ? t('hardware.hint')
            : t('hardware.chosen', chosen.typeName)}
      </p>
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
                {entry.orderNumber} · {entry.family}
              </span>
            </button>
          </li>
        ))}
        <li style={{ height: `${seen.after}px` }} aria-hidden="true" />
      </ul>
    </div>
  )
}

export function Racks({ device }: { readonly device: string }): JSX.Element {
  const [chosen, setChosen] = useState<CatalogEntry>()
  const [over, setOver] = useState('')
  const modules = useLoaded(
    async (until) => (await get<{ modules: readonly Module[] }>(path(device, 'modules'), until)).modules,
    [device, changes.value],
  )
  const free = useLoaded(
    async (until) =>
      (
        await get<{ slots: readonly Slot[] }>(
          `/api/devices/compatible-slots${queryOf({ deviceName: device, orderNumber: chosen?.orderNumber, limit: 64 })}`,
          until,
        ).catch(() => ({ slots: [] }))
      ).slots,
    [device, chosen?.orderNumber, changes.value],
  )
  const canEdit = allows('engineer')
  const plug = async (entry: CatalogEntry, slot: Slot) => {
    try {
      const { orderNumber } = entry
      const made = await post<{ name?: string }>(path(device, 'modules'), {
        orderNumber,
        rack: slot.rack,
        slot: slot.slot,
        ...(slot.subslot === undefined ? {} : { subslot: slot.subslot }),
      })
      toast('ok', t('hardware.plugged', made.name ?? entry.typeName, slot.slot))
      modules.reload()
      free.reload()
    } catch (error) {
      toast('error', problemOf(error).detail)
    }
  }
  const unplug = async ({ name, slot }: Module) => {
    if (!(await ask(t('hardware.unplug'), t('hardware.askUnplug', name, slot), t('hardware.unplug'), true))) return
    await call(pathWith('/api/devices/{device}/modules/{name}', { device, name }), { method: 'DELETE' }).catch(
      (error) => toast('error', problemOf(error).detail),
    )
    modules.reload()
    free.reload()
  }
  const card = (module: Module) => (
    <div key={module.position} class={`module kind-${module.kind.toLowerCase().replace(/\W/g, '')}`}>
      <span class="slot">{module.slot}</span>
      <b>{module.name}</b>
      <span>{module.typeName}</span>
      <span class="mono quiet">{module.orderNumber}</span>
      <span class="mono address">{addressText(module)}</span>
      {module.kind !== 'CPU' && (
        <button
          type="button"
          class="plain"
          disabled={!canEdit}
          onClick={() => void unplug(module)}
          aria-label={`${t('hardware.unplug')} ${module.name}`}
        >
          ×
        </button>
      )}
    </div>
  )
  const slot = (one: Slot) => (
    <button
      key={one.position}
      type="button"
      class={over === one.position ? 'slot-free over' : 'slot-free'}
      disabled={!canEdit}
      onClick={() => chosen !== undefined && void plug(chosen, one)}
      onDragOver={(event) => {
        if (chosen === undefined) return
        event.preventDefault()
        setOver(one.position)
      }}
      onDragLeave={() => setOver('')}
      onDrop={(event) => {
        event.preventDefault()
        setOver('')
        if (chosen !== undefined) void plug(chosen, one)
      }}
    >
      <span class="slot">{t('hardware.slot', one.slot)}</span>
      <span class="quiet">{t('hardware.free')}</span>
    </button>
  )
  return (
    <div class="split">
      <div class="main racks">
        <Show of={modules}>
          {(list) => {
            const slots = free.value ?? []
            const racks = [...new Set([...list.map(({ rack }) => rack), ...slots.map(({ rack }) => rack)])].sort(
              (a, b) => a - b,
            )
            return racks.map((rack) => {
              const here = list.filter((one) => one.rack === rack)
              const last = Math.max(8, ...here.map((one) => one.slot + 2))
              const open = slots.filter((one) => one.rack === rack && one.slot <= last && one.subslot === undefined)
              const all = [
                ...here.map((module) => ({ at: module.slot, part: card(module) })),
                ...open.map((one) => ({ at: one.slot, part: slot(one) })),
              ]
              return (
                <section key={rack} aria-label={t('hardware.rack', rack)}>
                  <h2>{t('hardware.rack', rack)}</h2>
                  <div class="rack">{all.sort((a, b) => a.at - b.at).map(({ part }) => part)}</div>
                </section>
              )
            })
          }}
        </Show>
      </div>
      <div class="side right">
        <Catalog chosen={chosen} onChoose={setChosen} />
      </div>
    </div>
  )
}
