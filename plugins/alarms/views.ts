/** Alarms of a controller as clients see them. */
import type { SchemaBuilder } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import { tagValue } from '../program-objects/index.ts'
import {
  type AlarmEntry,
  type AlarmValueView,
  alarmValueView,
  type Controller,
  type KnownAlarm,
  knownAlarms,
  type PendingAlarm,
} from '../simulation/index.ts'
import { formatAlarmText, textIn } from './text.ts'

const valueFields = (t: SchemaBuilder) =>
  t.Array(t.Object({ type: t.String({ description: 'Empty: the parameter was not given.' }), value: tagValue(t) }), {
    description: 'Associated values at the last change of the signal.',
  })

const textFields = (t: SchemaBuilder) => ({
  id: t.Integer({ description: 'Number in the loaded program.' }),
  alarm: t.String({ description: 'Path of its source: "Line_DB".station[2].jam.' }),
  block: t.Optional(t.String({ description: 'Function block that contains the alarm.' })),
  alarmClass: t.String(),
  needsAcknowledgement: t.Boolean(),
  priority: t.Integer(),
  text: t.String({ description: 'In the wanted language, with the associated values.' }),
  infoText: t.Optional(t.String()),
  additionalTexts: t.Optional(t.Array(t.String())),
})

export const alarmFields = (t: SchemaBuilder) => ({
  ...textFields(t),
  state: t.String({
    description:
      'incoming: present; acknowledged: present and acknowledged; outgoing: gone, its acknowledgement is missing.',
  }),
  isPresent: t.Boolean(),
  isAcknowledged: t.Boolean(),
  incomingAt: t.DateTime({ description: 'Virtual, UTC.' }),
  outgoingAt: t.Optional(t.DateTime()),
  acknowledgedAt: t.Optional(t.DateTime()),
  values: valueFields(t),
})

export const entryFields = (t: SchemaBuilder) => ({
  number: t.Integer(),
  event: t.String({ description: 'incoming, outgoing, acknowledged, removed; lost: `count` events were too many.' }),
  time: t.DateTime({ description: 'Virtual, UTC.' }),
  ...Object.fromEntries(Object.entries(textFields(t)).map(([name, schema]) => [name, t.Optional(schema)])),
  values: t.Optional(valueFields(t)),
  cause: t.Optional(t.String({ description: 'Who acknowledged it, or why it was removed.' })),
  count: t.Optional(t.Integer()),
})

const plain = ({ type, value }: AlarmValueView) => ({ type, value })

/** Makes views of the alarms of the program that a controller has now. */
export class AlarmViews {
  readonly #known: ReadonlyMap<string, KnownAlarm>
  readonly #program: ReturnType<typeof knownAlarms>
  readonly #cultures: readonly string[]

  /** @param cultures wanted languages, the first of them first */
  constructor(controller: Pick<Controller, 'program'>, cultures: readonly string[]) {
    this.#program = knownAlarms(controller)
    this.#known = new Map(this.#program.alarms.map((one) => [one.name, one]))
    this.#cultures = cultures
  }

  /** All alarms that the program can raise. */
  get sources(): readonly KnownAlarm[] {
    return this.#program.alarms
  }

  /** An alarm of the program, without a state. */
  source({ id, name, alarmClass, needsAcknowledgement }: KnownAlarm) {
    return this.#texts({ id, name, alarmClass, needsAcknowledgement, values: [] })
  }

  pending(alarm: PendingAlarm) {
    const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())
    const { isPresent, isAcknowledged } = alarm
    const [outgoingAt, acknowledgedAt] = [time(alarm.outgoingAt), time(alarm.acknowledgedAt)]
    return {
      ...this.#texts(alarm),
      state: stateOf(alarm),
      isPresent,
      isAcknowledged,
      incomingAt: time(alarm.incomingAt) as string,
      ...defined({ outgoingAt, acknowledgedAt }),
      values: alarm.values.map(alarmValueView).map(plain),
    }
  }

  entry(entry: AlarmEntry) {
    const { number, kind } = entry
    const time = new Date(entry.time).toISOString()
    if (entry.kind === 'lost') return { number, event: kind, time, count: entry.count }
    const values = entry.alarm.values.map(alarmValueView).map(plain)
    const cause = entry.cause === undefined ? {} : { cause: entry.cause }
    return { number, event: kind, time, ...this.#texts(entry.alarm), values, ...cause }
  }

  #texts(alarm: Pick<PendingAlarm, 'id' | 'name' | 'alarmClass' | 'needsAcknowledgement' | 'values'>) {
    const { id, name, alarmClass, needsAcknowledgement } = alarm
    const known = this.#known.get(name)
    const { textLists } = this.#program.definitions
    const values = alarm.values.map(alarmValueView)
    const filled = (text: string) => formatAlarmText(text, values, textLists, this.#cultures)
    const { text, infoText, additionalTexts = [] } = known?.definition ?? {}
    const info = textIn(infoText, this.#cultures)
    const additional = additionalTexts.map((one) => filled(textIn(one, this.#cultures) ?? ''))
    return {
      id,
      alarm: name,
      ...(known?.block === undefined ? {} : { block: known.block }),
      alarmClass,
      needsAcknowledgement,
      priority: this.#program.classOf(alarmClass).priority,
      // Without a text the comment of its member, else its name, says what it is.
      text: filled(textIn(text, this.#cultures) ?? this.#messageText(name) ?? (known?.comment || name)),
      ...(info === undefined ? {} : { infoText: filled(info) }),
      ...(additional.length === 0 ? {} : { additionalTexts: additional }),
    }
  }

  /** The text of Gen_UsrMsg: an entry of the text list with the number. */
  #messageText(name: string): string | undefined {
    const [, list, text] = /^UserMessage:(\d+):(\d+)$/.exec(name) ?? []
    const found = this.#program.definitions.textLists.find(({ number }) => number === Number(list))
    const entry = found?.entries.find(({ from, to }) => Number(text) >= from && Number(text) <= to)
    return textIn(entry?.text, this.#cultures)
  }
}

export type AlarmStateName = 'incoming' | 'acknowledged' | 'outgoing'

/** The state of a pending alarm. */
export function stateOf({ isPresent, isAcknowledged, needsAcknowledgement }: PendingAlarm): AlarmStateName {
  if (!isPresent) return 'outgoing'
  return isAcknowledged && needsAcknowledgement ? 'acknowledged' : 'incoming'
}
