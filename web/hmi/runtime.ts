/** What all objects of the page share: model, values, language, screen. */
import { type Signal, signal } from '@preact/signals'
import type { ModelItem, ModelScreen, StationModel } from '../../plugins/hmi/station-model.ts'
import { convert } from './convert.ts'
import { Values } from './values.ts'
import { say } from './words.ts'

export class Runtime {
  readonly model: StationModel
  readonly values: Values
  readonly culture: Signal<string>
  readonly screenName: Signal<string>
  readonly #before: string[] = []

  /** @param culture language that was chosen before */
  constructor(model: StationModel, culture?: string) {
    this.model = model
    this.values = new Values(model)
    this.culture = signal(
      culture !== undefined && model.cultures.includes(culture) ? culture : (model.cultures[0] ?? 'en-US'),
    )
    this.screenName = signal(model.startScreen)
  }

  get screen(): ModelScreen | undefined {
    return this.model.screens.find(({ name }) => name === this.screenName.value)
  }

  /** Shows a screen and follows its variables. */
  show(name: string): void {
    const screen = this.model.screens.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (screen === undefined) return
    if (screen.name !== this.screenName.peek()) this.#before.push(this.screenName.peek())
    this.screenName.value = screen.name
    void this.values.follow(this.#variablesOf(screen))
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

  /** Why one of the bindings of an object has no value. */
  fault(item: ModelItem): string | undefined {
    for (const { variable } of item.bindings) {
      const bad = this.values.faultOf(variable).value
      if (bad !== undefined) return `${this.model.variables[variable]?.name}: ${say(bad, this.culture.value)}`
    }
    return undefined
  }

  #variablesOf(screen: ModelScreen): number[] {
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
    visit(screen.items)
    return [...found].sort((a, b) => a - b)
  }
}
