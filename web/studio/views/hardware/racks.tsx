/** The racks of a station: modules with addresses, free slots that take a module of the catalog. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Answer, call, get, pathWith, post, queryOf } from '../../gateway.ts'
import { t } from '../../i18n.ts'
import { allows } from '../../session.tsx'
import { changes } from '../../state.ts'
import { ask } from '../../ui/dialog.tsx'
import { Show, useLoaded } from '../../ui/loaded.tsx'
import { toast, toastProblem } from '../../ui/toast.tsx'
import { Catalog, type CatalogEntry, type Slot } from './catalog.tsx'

type Module = Answer<'hardware.modules'>['modules'][number]

const path = (device: string, rest: string) => pathWith(`/api/devices/{device}/${rest}`, { device })

/** Addresses of a module that its card has room for; the others are shown when the pointer is on it. */
const shownAddresses = 4

/** `I 0…3`: each of the addresses of a module. */
function addressTexts({ addresses }: Module): string[] {
  return addresses.map(({ ioType, startAddress: from, endAddress: to }) => {
    const area = ioType === 'Output' ? 'Q' : 'I'
    return `${area} ${from}${to > from ? `…${to}` : ''}`
  })
}

/** Slots from this one on are left of the CPU, the highest first: communication modules of an S7-1200. */
const leftFrom = 100
/** Free slots are shown up to this one; of a longer rack up to two behind the last module. */
const shownSlots = 11

/** Where a slot is in a rack, from the left. */
const orderOf = (slot: number) => (slot > leftFrom ? -slot : slot)

export function Racks({ device }: { readonly device: string }): JSX.Element {
  const [chosen, setChosen] = useState<CatalogEntry>()
  const [meant, setMeant] = useState<Slot>()
  const [over, setOver] = useState('')
  const modules = useLoaded(
    async (until) => (await get<Answer<'hardware.modules'>>(path(device, 'modules'), until)).modules,
    [device, changes.value],
  )
  const free = useLoaded(
    async (until) =>
      await get<Answer<'hardware.compatible-slots'>>(
        `/api/devices/compatible-slots${queryOf({ deviceName: device, orderNumber: chosen?.orderNumber, limit: 100 })}`,
        until,
      ),
    [device, chosen?.orderNumber, changes.value],
  )
  const canEdit = allows('engineer')
  const plug = async (entry: CatalogEntry, slot: Slot) => {
    try {
      const { orderNumber } = entry
      const made = await post<Answer<'hardware.plug-module'>>(path(device, 'modules'), {
        orderNumber,
        rack: slot.rack,
        slot: slot.slot,
        ...(slot.subslot === undefined ? {} : { subslot: slot.subslot }),
      })
      toast('ok', t('hardware.plugged', made.name, slot.position))
      setMeant(undefined)
      modules.reload()
      free.reload()
    } catch (error) {
      toastProblem(error)
    }
  }
  const unplug = async ({ name, position }: Module) => {
    if (!(await ask(t('hardware.unplug'), t('hardware.askUnplug', name, position), t('hardware.unplug'), true))) return
    await call(pathWith('/api/devices/{device}/modules/{name}', { device, name }), { method: 'DELETE' }).catch(
      toastProblem,
    )
    modules.reload()
    free.reload()
  }
  const card = (module: Module, inside: readonly JSX.Element[]) => {
    const addresses = addressTexts(module)
    return (
      <div key={module.position} class={`module kind-${(module.kind ?? '').toLowerCase().replace(/\W/g, '')}`}>
        <span class="slot">{module.position}</span>
        <b>{module.name}</b>
        <span title={module.typeName}>{module.typeName}</span>
        <span class="mono quiet">{module.orderNumber}</span>
        <span class="mono address" title={addresses.join(' · ')}>
          {addresses.slice(0, shownAddresses).join(' · ')}
          {addresses.length > shownAddresses && ' …'}
        </span>
        {inside.length > 0 && <div class="boards">{inside}</div>}
        {module.kind !== 'CPU' && (
          <button
            type="button"
            class="plain unplug"
            disabled={!canEdit}
            onClick={() => void unplug(module)}
            aria-label={`${t('hardware.unplug')} ${module.name}`}
          >
            ×
          </button>
        )}
      </div>
    )
  }
  const slot = (one: Slot) => (
    <button
      key={one.position}
      type="button"
      class={over === one.position ? 'slot-free over' : 'slot-free'}
      disabled={!canEdit}
      aria-pressed={meant?.position === one.position}
      onClick={() => (chosen === undefined ? setMeant(one) : void plug(chosen, one))}
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
      <span class="slot">{t(one.subslot === undefined ? 'hardware.slot' : 'hardware.board', one.position)}</span>
      <span class="quiet">{t('hardware.free')}</span>
    </button>
  )
  /** The modules and free slots of a rack from the left; what is plugged into a module is in its card. */
  const rackParts = (rack: number, list: readonly Module[], slots: readonly Slot[]) => {
    const here = list.filter((one) => one.rack === rack)
    const places = slots.filter((one) => one.rack === rack)
    const own = here.filter(({ subslot }) => subslot === undefined)
    const last = Math.max(shownSlots, ...own.map((one) => (one.slot > leftFrom ? 0 : one.slot + 2)))
    const inside = (at: number) => [
      ...here.filter((one) => one.slot === at && one.subslot !== undefined).map((one) => card(one, [])),
      ...places.filter((one) => one.slot === at && one.subslot !== undefined).map(slot),
    ]
    return [
      ...own.map((module) => ({ at: module.slot, part: card(module, inside(module.slot)) })),
      ...places
        .filter((one) => one.subslot === undefined && (one.slot <= last || one.slot > leftFrom))
        .map((one) => ({ at: one.slot, part: slot(one) })),
    ].sort((a, b) => orderOf(a.at) - orderOf(b.at))
  }
  return (
    <div class="split">
      <div class="main racks">
        <Show of={modules}>
          {(list) => {
            const slots = free.value?.slots ?? []
            const racks = [...new Set([...list.map(({ rack }) => rack), ...slots.map(({ rack }) => rack)])].sort(
              (a, b) => a - b,
            )
            return (
              <>
                {racks.map((rack) => (
                  <section key={rack} aria-label={t('hardware.rack', rack)}>
                    <h2>{t('hardware.rack', rack)}</h2>
                    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long rack is scrolled with the keyboard */}
                    <div class="rack" tabIndex={0}>
                      {rackParts(rack, list, slots).map(({ part }) => part)}
                    </div>
                  </section>
                ))}
                {chosen !== undefined && slots.length === 0 && free.value?.reason !== undefined && (
                  <p class="notice" role="status">
                    {t('hardware.noPlace', chosen.typeName, free.value.reason)}
                  </p>
                )}
              </>
            )
          }}
        </Show>
      </div>
      <div class="side right">
        <Catalog
          device={device}
          chosen={chosen}
          slot={meant}
          onChoose={setChosen}
          onEverySlot={() => setMeant(undefined)}
        />
      </div>
    </div>
  )
}
