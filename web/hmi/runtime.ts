/** What all objects of the page share: model, values, language, screen. */
import { type Signal, signal } from '@preact/signals'
import type { ProgramAlarm } from '../../plugins/hmi/page/screen-view.ts'
import type { ModelItem, ModelScreen, StationModel } from '../../plugins/hmi/station-model.ts'
import { convert } from './convert.ts'
import { type PopupMode, Popups } from './popups.ts'
import { followProgramAlarms } from './program-alarms.ts'
import { Values } from './values.ts'
import { say } from './words.ts'

export class Runtime {
  readonly model: StationModel
  readonly values: Values
  readonly culture: Signal<string>
  readonly screenName: Signal<string>
  /** Pending alarms of the programs of the controllers, by instance. */
  readonly programAlarms: Signal<ReadonlyMap<string, readonly ProgramAlarm[]>>
  readonly #endAlarms: () => void
  readonly popups: Popups
  readonly #before: string[] = []
  #followed = ''

  /** @param culture language that was chosen before */
  constructor(model: StationModel, culture?: string) {
    this.model = model
    this.values = new Values(model)
    this.popups = new Popups(model)
    this.culture = signal(
      culture !== undefined && model.cultures.includes(culture) ? culture : (model.cultures[0] ?? 'en-US'),
    )
    this.screenName = signal(model.startScreen)
    const { alarms, end } = followProgramAlarms(this.values, this.culture)
    this.programAlarms = alarms
    this.#endAlarms = end
  }

  /** Ends all streams. */
  close(): void {
    this.values.close()
    this.#endAlarms()
  }

  get screen(): ModelScreen | undefined {
    return this.model.screens.find(({ name }) => name === this.screenName.value)
  }

  /** Shows a screen and follows its variables. */
  show(name: string): void {
    const screen = this.model.screens.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (screen === undefined) return
    if (screen.name !== this.screenName.peek()) {
      this.#before.push(this.screenName.peek())
      this.popups.leaveScreen()
    }
    this.screenName.value = screen.name
    this.#follow()
  }

  /** Opens or closes a classic popup. */
  popup(name: string, mode: PopupMode, left: number, top: number): void {
    this.popups.show(name, mode, left, top, this.screen)
    this.#follow()
  }

  /** Opens or closes a slide-in screen. */
  slide(name: string, mode: PopupMode): void {
    if (this.screen !== undefined) this.popups.slide(name, mode, this.screen)
    this.#follow()
  }

  /** Opens a screen in a window of WinCC Unified. */
  openWindow(...[window, name, mode]: Parameters<Popups['openWindow']>): void {
    this.popups.openWindow(window, name, mode)
    this.#follow()
  }

  closePopup(path: string): void {
    this.popups.close(path)
    this.#follow()
  }

  /** Follows the variables of all that is shown, when they are others than before. */
  #follow(): void {
    const shown = [...(this.screen ? [this.screen] : []), ...this.popups.open.peek().map(({ screen }) => screen)]
    const variables = this.#variablesOf(shown)
    const key = `${this.screenName.peek()}\n${variables.join()}`
    if (key === this.#followed) return
    this.#followed = key
    void this.values.follow(variables)
  }

  back(): void {
    const name = this.#before.pop()
    if (name === undefined) return
    this.show(name)
    this.#before.pop()
  }

  /** A property of an object now: that of its binding when it has a value, else its own. */
  read(item: ModelItem, property: string): { value: unknown } {
    const binding = item.bindings.find((one) => one.property === property)
    if (binding === undefined) return { value: item.properties[property] }
    const value = this.values.of(binding.variable).value
    if (value === null) return { value: item.properties[property] }
    return { value: convert(binding.converter, value, this.model, this.culture.value) }
  }

  /** Whether one of the bindings of an object follows a PLC that is in STOP: its values do not change by themselves. */
  isStopped(item: ModelItem): boolean {
    const plcs = this.values.plcs.value
    return item.bindings.some(({ variable }) => {
      const { plc } = this.model.variables[variable]!
      return plc !== undefined && plcs.get(plc)?.state === 'Stop'
    })
  }

  /** Why one of the bindings of an object has no value. */
  fault(item: ModelItem): string | undefined {
    for (const { variable } of item.bindings) {
      const bad = this.values.faultOf(variable).value
      if (bad !== undefined) return `${this.model.variables[variable]?.name}: ${say(bad, this.culture.value)}`
    }
    return undefined
  }

  #variablesOf(screens: readonly ModelScreen[]): number[] {
    const found = new Set<number>()
    for (const { variables } of Object.values(this.model.scripts)) for (const index of variables) found.add(index)
    const visit = (items: readonly ModelItem[]): void => {
      for (const { bindings, events, items: inner = [] } of items) {
        for (const { variable } of bindings) found.add(variable)
        for (const { actions } of events)
          for (const { parameters } of actions)
            for (const text of Object.values(parameters)) {
              const index = this.values.indexOf(text)
              if (index !== undefined) found.add(index)
            }
        visit(inner)
      }
    }
    for (const { items } of screens) visit(items)
    return [...found].sort((a, b) => a - b)
  }
}
