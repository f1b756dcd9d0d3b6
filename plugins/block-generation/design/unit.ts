/** The function block of a unit: instances of its modules, their calls and their wiring. */

import { crc32 } from 'node:zlib'
import type { Fault } from '../../../core/index.ts'
import { type Scope, translated } from './expression.ts'
import type { AlarmGroup, AnalogInput, Interlock, Module, ModuleList, Sequence, Signal, Unit } from './model.ts'
import { moduleLists } from './model.ts'
import { userRegion } from './regions.ts'
import { sequenceConstants, sequenceLines } from './sequence.ts'
import { declared, type GeneratedAlarm, indent, region, sclText, systemInstance } from './sources.ts'
import type { Wiring } from './wiring.ts'

/** Function blocks and types by the list of their modules. */
export const moduleTypes: Readonly<Record<ModuleList, string>> = {
  modes: 'EM_Mode',
  analogInputs: 'EM_AnalogInput',
  interlocks: 'UDT_EM_Interlock',
  sequences: 'UDT_EM_Sequence',
  pidLoops: 'EM_PidLoop',
  motors: 'EM_Motor',
  reversingMotors: 'EM_ReversingMotor',
  valves: 'EM_Valve',
  analogOutputs: 'EM_AnalogOutput',
  alarmGroups: 'EM_AlarmGroup',
}

/** Members of a unit beside its modules. */
export const ownMembers = ['automatic', 'acknowledge', 'parameters', 'parameters_of_design'] as const

export const unitBlock = (unit: Pick<Unit, 'name'>): string => `Unit_${unit.name}`
export const unitData = (unit: Pick<Unit, 'name'>): string => `${unit.name}_DB`

export interface UnitContext {
  readonly unit: Unit
  /** Pointer of the unit in the design. */
  readonly at: string
  readonly family: string
  readonly scope: Scope
  readonly wiring: Wiring
  readonly faults: Fault[]
  /** `Agitator.start` in lower case: the steps that command it, as expressions. */
  readonly commanded: ReadonlyMap<string, readonly string[]>
  /** Modules with a fault, by lower-case name. */
  readonly faulty: ReadonlySet<string>
}

/** A real number as SCL has it. */
export const real = (value: number): string => {
  const text = String(value)
  return /[.eE]/.test(text) ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`
}

export class UnitWriter {
  readonly alarms: GeneratedAlarm[] = []
  readonly #context: UnitContext
  readonly #statics: string[] = []
  readonly #constants: string[] = []
  readonly #initial: string[] = []

  constructor(context: UnitContext) {
    this.#context = context
  }

  write(): string {
    const { unit, family } = this.#context
    const body = moduleLists.flatMap((list) =>
      (unit[list] ?? []).flatMap((module, i) =>
        this.#module(list, module as Module, `${this.#context.at}/${list}/${i}`),
      ),
    )
    const hasMode = (unit.modes?.length ?? 0) > 0
    const own = [
      ...(hasMode ? [] : [declared('automatic', 'Bool', 'Automatic mode', 'TRUE')]),
      declared('acknowledge', 'Bool', 'Acknowledges the faults of all modules; set by an operator or a push button'),
      ...(this.#initial.length > 0 ? [declared('parameters', 'DInt', 'Number of the parameters that were set')] : []),
    ]
    return sclText({
      name: unitBlock(unit),
      kind: 'FB',
      title: unit.comment ?? `Unit ${unit.name}`,
      family,
      notes: [
        'Calls the modules of the unit and wires them.',
        'Generated: what stands between <user> and </user> is kept, everything else is replaced.',
      ],
      sections: [
        ['VAR', [...own, ...this.#statics, ...userRegion('declarations')]],
        [
          'VAR CONSTANT',
          [
            ...(this.#initial.length === 0
              ? []
              : [declared('PARAMETERS_OF_DESIGN', 'DInt', 'Changes with them', String(this.#parametersNumber))]),
            ...this.#constants,
          ],
        ],
      ],
      body: [
        ...userRegion('before'),
        '',
        ...this.#initialRegion(),
        ...this.#acknowledgement(),
        ...body,
        ...userRegion('after'),
        '',
        '#acknowledge := FALSE;',
      ],
    })
  }

  #initialRegion(): string[] {
    if (this.#initial.length === 0) return []
    return region('Parameters', [
      '// Once after a start, and when the design has others: then an operator may change them.',
      'IF #parameters <> #PARAMETERS_OF_DESIGN THEN',
      ...indent([...this.#initial, '#parameters := #PARAMETERS_OF_DESIGN;']),
      'END_IF;',
    ])
  }

  /** A number that changes with the parameters. */
  get #parametersNumber(): number {
    return (crc32(this.#initial.join('\n')) % 0x7fff_fffe) + 1
  }

  /** Push buttons of the groups acknowledge the faults of the modules, too. */
  #acknowledgement(): string[] {
    const { unit, at } = this.#context
    const buttons = (unit.alarmGroups ?? []).flatMap((group, i) =>
      group.acknowledge === undefined
        ? []
        : [this.#signal(group.acknowledge, group, 'Acknowledge', 'Bool', 'in', `${at}/alarmGroups/${i}/acknowledge`)],
    )
    if (buttons.length === 0) return []
    return [`#acknowledge := #acknowledge OR ${buttons.join(' OR ')};`, '']
  }

  #signal(
    signal: Signal,
    module: Module,
    suffix: string,
    dataType: 'Bool' | 'Int',
    direction: 'in' | 'out',
    at: string,
  ): string {
    const { unit, wiring } = this.#context
    const what = suffix.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    const comment = `${module.comment ?? `${unit.name} ${module.name}`}: ${what.toLowerCase()}`
    return wiring.operand(signal, { at, tag: `${unit.name}_${module.name}_${suffix}`, dataType, direction, comment })
  }

  #expression(text: string, at: string): string {
    const scl = translated(text, at, this.#context.scope, this.#context.faults)
    this.#context.wiring.note(scl, at)
    return scl
  }

  get #automatic(): string {
    const mode = this.#context.unit.modes?.[0]
    return mode === undefined ? '#automatic' : `#${mode.name}.automatic`
  }

  /** What a module does in automatic mode: its own condition, or what steps want. */
  #command(module: Module, command: string, own: string | undefined, at: string): string {
    const steps = this.#context.commanded.get(`${module.name}.${command}`.toLowerCase()) ?? []
    const given = own === undefined ? [] : [this.#expression(own, at)]
    const all = [
      ...(given[0] !== undefined && steps.length > 0 && given[0].includes(' ') ? [`(${given[0]})`] : given),
      ...steps,
    ]
    return all.length === 0 ? 'FALSE' : all.join(' OR ')
  }

  #alarm(module: Module, member: string, text: string, alarmClass?: string): void {
    const { unit } = this.#context
    const instance = `"${unitData(unit)}".${member}`
    this.alarms.push({
      instance,
      text: `${unit.name}, ${module.comment ?? module.name}: ${text}`,
      ...(alarmClass === undefined ? {} : { alarmClass }),
    })
  }

  #module(list: ModuleList, module: Module, at: string): string[] {
    const { name } = module
    this.#statics.push(declared(name, `"${moduleTypes[list]}"`, module.comment ?? ''))
    const lines = this.#lines(list, module, at)
    return region(module.comment === undefined ? name : `${name}: ${module.comment.replace(/[\r\n]+/g, ' ')}`, lines)
  }

  #lines(list: ModuleList, module: Module, at: string): string[] {
    const { unit } = this.#context
    // The lists have the modules of their type.
    const of = <L extends ModuleList>(_list: L) => module as NonNullable<Unit[L]>[number]
    switch (list) {
      case 'modes':
        return this.#mode(of('modes'), at)
      case 'analogInputs':
        return this.#analogInput(of('analogInputs'), at)
      case 'interlocks':
        return this.#interlock(of('interlocks'), at)
      case 'sequences':
        return this.#sequence(of('sequences'), at)
      case 'pidLoops':
        return this.#pidLoop(of('pidLoops'), at)
      case 'motors':
        return this.#motor(of('motors'), at)
      case 'reversingMotors':
        return this.#reversingMotor(of('reversingMotors'), at)
      case 'valves':
        return this.#valve(of('valves'), at)
      case 'analogOutputs':
        return this.#analogOutput(of('analogOutputs'), at)
      case 'alarmGroups':
        return this.#alarmGroup(of('alarmGroups'), at)
      default:
        throw new Error(`no modules ${String(list)} in ${unit.name}`)
    }
  }

  #mode({ automatic, manual, permit, ...module }: NonNullable<Unit['modes']>[number], at: string): string[] {
    return call(module, [
      ['automaticRequest', automatic && this.#signal(automatic, module, 'Automatic', 'Bool', 'in', `${at}/automatic`)],
      ['manualRequest', manual && this.#signal(manual, module, 'Manual', 'Bool', 'in', `${at}/manual`)],
      ['permit', permit && this.#expression(permit, `${at}/permit`)],
    ])
  }

  #analogInput(module: AnalogInput, at: string): string[] {
    const { name, low, high, lowLow, lowLimit, highLimit, highHigh, unit = '' } = module
    const limits = [
      ['lowLow', 'useLowLow', 'alarmLowLow', lowLow, 'below', 'Acknowledgement'],
      ['low', 'useLow', 'alarmLow', lowLimit, 'below', 'No Acknowledgement'],
      ['high', 'useHigh', 'alarmHigh', highLimit, 'above', 'No Acknowledgement'],
      ['highHigh', 'useHighHigh', 'alarmHighHigh', highHigh, 'above', 'Acknowledgement'],
    ] as const
    const given = limits.flatMap(([, , , value]) => value ?? [])
    if (given.some((value, i) => i > 0 && value <= given[i - 1]!))
      this.#context.faults.push({
        path: at,
        message: 'the limits must rise: lowLow, lowLimit, highLimit, highHigh',
        value: given,
      })
    if (low >= high)
      this.#context.faults.push({ path: `${at}/high`, message: `must be above low (${low})`, value: high })
    for (const [member, use, alarm, value, side, alarmClass] of limits) {
      if (value === undefined) continue
      this.#initial.push(`#${name}.limits.${member} := ${real(value)};`, `#${name}.limits.${use} := TRUE;`)
      this.#alarm(module, `${name}.${alarm}`, `${side} ${value} ${unit}`.trim(), alarmClass)
    }
    if (given.length > 0)
      this.#initial.push(`#${name}.limits.hysteresis := ${real(module.hysteresis ?? (high - low) / 100)};`)
    this.#alarm(module, `${name}.alarmSignal`, 'signal is disturbed')
    return call(module, [
      ['raw', this.#signal(module.input, module, 'Input', 'Int', 'in', `${at}/input`)],
      ['low', real(low)],
      ['high', real(high)],
    ])
  }

  #interlock({ name, conditions }: Interlock, at: string): string[] {
    const all = conditions.map(({ when, text }, i) => ({
      text: text.replace(/[\r\n]+/g, ' '),
      scl: this.#expression(when, `${at}/conditions/${i}/when`),
    }))
    const first = all.flatMap(({ scl, text }, i) => [
      `${i === 0 ? 'IF' : 'ELSIF'} NOT (${scl}) THEN`,
      `   #${name}.first := ${i + 1};   // ${text}`,
    ])
    const lines = all.map(({ scl, text }, i) => `${i === 0 ? '  ' : '  AND'} (${scl})   // ${text}`)
    return [
      `#${name}.ok := #${name}.bypass OR (`,
      ...lines.map((line) => ` ${line}`),
      ');',
      '// Which condition failed first.',
      `IF #${name}.ok THEN`,
      `   #${name}.first := 0;`,
      `ELSIF #${name}.first = 0 THEN`,
      ...indent([...first, 'END_IF;']),
      'END_IF;',
    ]
  }

  #sequence(module: Sequence, at: string): string[] {
    const { name } = module
    this.#statics.push(
      systemInstance(`${name}Time`, 'TON_TIME', 'Time of the active step'),
      systemInstance(`${name}Timeout`, 'Program_Alarm', 'A step lasts too long'),
    )
    this.#constants.push(...sequenceConstants(module))
    this.#alarm(module, `${name}Timeout`, 'a step lasts longer than it may')
    return sequenceLines(module, at, {
      automatic: this.#automatic,
      expression: (text, place) => this.#expression(text, place),
    })
  }

  #pidLoop(module: NonNullable<Unit['pidLoops']>[number], at: string): string[] {
    const { name, setpoint, processValue, enable, gain, outputLow, outputHigh } = module
    const [low, high] = [outputLow ?? 0, outputHigh ?? 100]
    if (low >= high)
      this.#context.faults.push(
        outputLow === undefined
          ? { path: `${at}/outputHigh`, message: `must be above outputLow (${low})`, value: high }
          : { path: `${at}/outputLow`, message: `must be below outputHigh (${high})`, value: low },
      )
    const set =
      typeof setpoint === 'string' ? [`#${name}.setpoint := ${this.#expression(setpoint, `${at}/setpoint`)};`] : []
    if (typeof setpoint === 'number') this.#initial.push(`#${name}.setpoint := ${real(setpoint)};`)
    return [
      ...set,
      ...call(module, [
        ['enable', enable && this.#expression(enable, `${at}/enable`)],
        ['processValue', this.#expression(processValue, `${at}/processValue`)],
        ['gain', gain === undefined ? undefined : real(gain)],
        ['integralTime', module.integralTime],
        ['derivativeTime', module.derivativeTime],
        ['outputLow', outputLow === undefined ? undefined : real(outputLow)],
        ['outputHigh', outputHigh === undefined ? undefined : real(outputHigh)],
      ]),
    ]
  }

  /** Interlock and acknowledgement, which all drives have. */
  #released(interlock: string | undefined, at: string): [string, string | undefined][] {
    return [
      ['interlock', interlock && this.#expression(interlock, `${at}/interlock`)],
      ['acknowledge', '#acknowledge'],
    ]
  }

  /** A feedback with the input that says whether it is wired. */
  #feedback(input: string, has: string, signal: Signal | undefined, module: Module, suffix: string, at: string) {
    if (signal === undefined) return []
    return [
      [input, this.#signal(signal, module, suffix, 'Bool', 'in', at)],
      [has, 'TRUE'],
    ] as [string, string][]
  }

  #motor(module: NonNullable<Unit['motors']>[number], at: string): string[] {
    const { name, trip, running, run } = module
    this.#driveAlarms(module, trip, running)
    return [
      ...call(module, [
        ['automatic', this.#automatic],
        ['start', this.#command(module, 'start', module.start, `${at}/start`)],
        ...this.#released(module.interlock, at),
        ...this.#feedback('runningFeedback', 'hasFeedback', running, module, 'Running', `${at}/running`),
        ['trip', trip && this.#signal(trip, module, 'Trip', 'Bool', 'in', `${at}/trip`)],
        ['feedbackTime', module.feedbackTime],
      ]),
      `${this.#signal(run, module, 'Run', 'Bool', 'out', `${at}/run`)} := #${name}.run;`,
    ]
  }

  #driveAlarms(module: Module, trip: Signal | undefined, feedback: Signal | undefined): void {
    if (trip !== undefined) this.#alarm(module, `${module.name}.alarmTrip`, 'motor protection has tripped')
    if (feedback !== undefined) this.#alarm(module, `${module.name}.alarmFeedback`, 'no feedback')
  }

  #reversingMotor(module: NonNullable<Unit['reversingMotors']>[number], at: string): string[] {
    const { name, trip, runningForward, runningReverse, forward, reverse } = module
    this.#driveAlarms(module, trip, runningForward ?? runningReverse)
    const feedback = (way: 'Forward' | 'Reverse', signal: Signal | undefined) => {
      const input = way.toLowerCase()
      const place = `${at}/running${way}`
      return this.#feedback(`${input}Feedback`, `has${way}Feedback`, signal, module, `Running${way}`, place)
    }
    return [
      ...call(module, [
        ['automatic', this.#automatic],
        ['startForward', this.#command(module, 'forward', module.startForward, `${at}/startForward`)],
        ['startReverse', this.#command(module, 'reverse', module.startReverse, `${at}/startReverse`)],
        ...this.#released(module.interlock, at),
        ...feedback('Forward', runningForward),
        ...feedback('Reverse', runningReverse),
        ['trip', trip && this.#signal(trip, module, 'Trip', 'Bool', 'in', `${at}/trip`)],
        ['feedbackTime', module.feedbackTime],
        ['pauseTime', module.pauseTime],
      ]),
      `${this.#signal(forward, module, 'Forward', 'Bool', 'out', `${at}/forward`)} := #${name}.forward;`,
      `${this.#signal(reverse, module, 'Reverse', 'Bool', 'out', `${at}/reverse`)} := #${name}.reverse;`,
    ]
  }

  #valve(module: NonNullable<Unit['valves']>[number], at: string): string[] {
    const { name, open, opened, closed } = module
    if (opened !== undefined || closed !== undefined)
      this.#alarm(module, `${name}.alarmTravel`, 'limit switch not reached')
    return [
      ...call(module, [
        ['automatic', this.#automatic],
        ['openCommand', this.#command(module, 'open', module.openWhen, `${at}/openWhen`)],
        ...this.#released(module.interlock, at),
        ...this.#feedback('opened', 'hasOpened', opened, module, 'Opened', `${at}/opened`),
        ...this.#feedback('closed', 'hasClosed', closed, module, 'Closed', `${at}/closed`),
        ['travelTime', module.travelTime],
      ]),
      `${this.#signal(open, module, 'Open', 'Bool', 'out', `${at}/open`)} := #${name}.open;`,
    ]
  }

  #analogOutput(module: NonNullable<Unit['analogOutputs']>[number], at: string): string[] {
    const { name, low, high, value, output } = module
    if (low >= high)
      this.#context.faults.push({ path: `${at}/high`, message: `must be above low (${low})`, value: high })
    return [
      ...call(module, [
        ['automatic', this.#automatic],
        ['value', value && this.#expression(value, `${at}/value`)],
        ['low', real(low)],
        ['high', real(high)],
      ]),
      `${this.#signal(output, module, 'Output', 'Int', 'out', `${at}/output`)} := #${name}.raw;`,
    ]
  }

  #alarmGroup(module: AlarmGroup, at: string): string[] {
    const { unit, faulty, faults } = this.#context
    const { name, alarms = [], modules, horn, lamp } = module
    const all = moduleLists.flatMap((list) => (unit[list] ?? []) as readonly Module[])
    // Of two with one name, which is told as a fault, the first.
    const byName = new Map(all.toReversed().map((one) => [one.name.toLowerCase(), one]))
    const members = (modules ?? all.map((one) => one.name)).flatMap((wanted, i) => {
      const known = byName.get(wanted.toLowerCase())
      if (known !== undefined && faulty.has(known.name.toLowerCase())) return [`#${known.name}.fault`]
      if (modules !== undefined)
        faults.push({
          path: `${at}/modules/${i}`,
          message: known === undefined ? 'there is no such module in the unit' : 'is a module without a fault',
          value: wanted,
        })
      return []
    })
    const own = alarms.map(({ name: alarm, text, when }, i) => {
      const member = `${name}_${alarm}`
      this.#statics.push(systemInstance(member, 'Program_Alarm', text.replace(/[\r\n]+/g, ' ')))
      this.alarms.push({ instance: `"${unitData(unit)}".${member}`, text })
      const scl = this.#expression(when, `${at}/alarms/${i}/when`)
      return { member, scl }
    })
    const timeouts = (unit.sequences ?? []).map((sequence) => `#${sequence.name}.timeout`)
    const bits = [...members, ...(modules === undefined ? timeouts : []), ...own.map(({ scl }) => scl)]
    if (bits.length > mostAlarms)
      faults.push({ path: at, message: `a group has at most ${mostAlarms} alarms, this one ${bits.length}` })
    return [
      ...bits.map((bit, i) => `#${name}.alarms[${i + 1}] := ${bit};`),
      ...own.map(({ member }, i) => `#${member}(SIG := #${name}.alarms[${bits.length - own.length + i + 1}]);`),
      ...call(module, [['acknowledge', '#acknowledge']]),
      ...(horn === undefined
        ? []
        : [`${this.#signal(horn, module, 'Horn', 'Bool', 'out', `${at}/horn`)} := #${name}.horn;`]),
      ...(lamp === undefined
        ? []
        : [`${this.#signal(lamp, module, 'Lamp', 'Bool', 'out', `${at}/lamp`)} := #${name}.lamp;`]),
    ]
  }
}

/** Length of the array of EM_AlarmGroup. */
const mostAlarms = 64

/** The call of a module: one parameter on a line. */
function call({ name }: Module, parameters: readonly (readonly [string, string | undefined])[]): string[] {
  const given = parameters.filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return [`#${name}();`]
  const pad = ' '.repeat(name.length + 2)
  return given.map(
    ([parameter, value], i) =>
      `${i === 0 ? `#${name}(` : pad}${parameter} := ${value}${i === given.length - 1 ? ');' : ','}`,
  )
}
