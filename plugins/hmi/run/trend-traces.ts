/**
 * What trends of a station show of the time before its page was opened: each controller records the variables of the
 * trends in a trace of its own (`Controller.startTrace`), as long as the station is compiled.
 */
import { GatewayError, isGatewayError } from '../../../core/index.ts'
import {
  type Controller,
  type LoadedProgram,
  type TraceColumn,
  traceColumns,
  traceValues,
} from '../../simulation/index.ts'
import { type ModelItem, type StationModel, screensOfModel } from '../station-model.ts'

/** Samples that are kept, and the time from one to the next: half an hour. */
const samples = 7200
const everyMs = 250
/** Variables of a station that are recorded at most on one controller. */
const mostVariables = 500

/** A point: time in milliseconds since the epoch by the controller's clock, and the value. */
export type TrendPoint = readonly [time: number, value: number]

/** What was recorded of a variable. */
export interface TrendSeries {
  readonly variable: number
  readonly points: readonly TrendPoint[]
  /** Why there is nothing. */
  readonly reason?: string
}

/** Indexes of the variables that trends show. */
export function trendVariables(model: StationModel): number[] {
  const found = new Set<number>()
  const visit = (items: readonly ModelItem[]): void => {
    for (const { type, bindings, items: inner = [] } of items) {
      if (type === 'TrendView')
        for (const { property, variable } of bindings) if (property.startsWith('processValue')) found.add(variable)
      visit(inner)
    }
  }
  for (const { screen } of screensOfModel(model)) visit(screen.items)
  return [...found]
}

interface Running {
  readonly program: LoadedProgram
  /** By the index of the variable; those without one cannot be recorded, with the reason. */
  readonly columns: ReadonlyMap<number, TraceColumn | string>
}

/** The traces of one station. */
export class TrendTraces {
  readonly #model: StationModel
  readonly #name: string
  readonly #byPlc = new Map<string, number[]>()
  readonly #running = new Map<Controller, Running>()

  constructor(model: StationModel) {
    this.#model = model
    this.#name = `hmi:${model.station}`
    for (const variable of trendVariables(model)) {
      const plc = model.variables[variable]?.plc
      if (plc !== undefined) this.#byPlc.set(plc, [...(this.#byPlc.get(plc) ?? []), variable])
    }
  }

  /** The PLCs that have something to record. */
  get plcs(): string[] {
    return [...this.#byPlc.keys()]
  }

  /** Starts the trace of a PLC on its controller, unless it runs for the program that is loaded now. */
  async record(plc: string, controller: Controller): Promise<void> {
    const { program } = controller
    if (program === undefined || this.#running.get(controller)?.program === program) return
    const columns = new Map<number, TraceColumn | string>()
    const ranges = []
    for (const variable of this.#byPlc.get(plc) ?? []) {
      const path = this.#model.variables[variable]?.path ?? ''
      if (ranges.length >= mostVariables) {
        columns.set(variable, `Only the first ${mostVariables} variables of trends are recorded.`)
        continue
      }
      try {
        const planned = traceColumns(program, [path])
        columns.set(variable, { ...planned.columns[0]!, range: ranges.length })
        ranges.push(...planned.ranges)
      } catch (error) {
        if (!isGatewayError(error)) throw error
        columns.set(variable, error.message)
      }
    }
    this.#running.set(controller, { program, columns })
    if (ranges.length === 0) return
    try {
      await controller.startTrace({ ranges, samples, everyCycles: 1, everyMs }, this.#name)
    } catch (error) {
      this.#running.delete(controller)
      // It is switched off, or gets another program, right now: the next time starts it.
      if (!(error instanceof GatewayError)) throw error
    }
  }

  /**
   * What a controller recorded.
   * @param most points of one variable; of more samples only some are given, the newest always
   */
  async read(controller: Controller, variables: readonly number[], most: number): Promise<TrendSeries[]> {
    const running = this.#running.get(controller)
    if (running === undefined || running.program !== controller.program)
      return variables.map((variable) => ({ variable, points: [], reason: 'Nothing is recorded yet.' }))
    const all = await controller.trace(this.#name)
    const step = Math.max(1, Math.ceil(all.length / most))
    const some = all.filter((_one, i) => (all.length - 1 - i) % step === 0)
    return variables.map((variable) => {
      const column = running.columns.get(variable)
      if (column === undefined || typeof column === 'string')
        return { variable, points: [], reason: column ?? 'It is not shown in a trend.' }
      return {
        variable,
        points: some.flatMap((sample): TrendPoint[] => {
          const [value] = traceValues(sample, [column])
          const number = typeof value === 'boolean' ? Number(value) : value
          return typeof number === 'number' ? [[sample.time, number]] : []
        }),
      }
    })
  }

  /** Ends the traces. */
  async end(): Promise<void> {
    for (const controller of this.#running.keys()) await controller.stopTrace(this.#name).catch(() => undefined)
    this.#running.clear()
  }
}
