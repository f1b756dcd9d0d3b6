/** The JSON Schema of designs. */

import type { SchemaBuilder } from '../../../core/index.ts'

const text = (t: SchemaBuilder, description: string) => t.Optional(t.String({ description, maxLength: 2000 }))
const expression = (t: SchemaBuilder, description: string) =>
  t.Optional(
    t.String({
      minLength: 1,
      maxLength: 2000,
      description: `${description} SCL expression of modules and tags: Level.value > 20.0 AND NOT Pump.fault AND "Key".`,
    }),
  )
const duration = (t: SchemaBuilder, description: string) =>
  t.Optional(t.String({ pattern: '^[tT](?:[iI][mM][eE])?#[0-9_dhmsDHMS.]+$', description: `${description} As T#3s.` }))
const name = (t: SchemaBuilder) =>
  t.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,59}$', description: 'Letters, digits and _.' })

const wire = (t: SchemaBuilder, description: string) =>
  t.Union(
    [
      t.String({ minLength: 1, maxLength: 200 }),
      t.Object({
        tag: t.Optional(t.String({ minLength: 1, maxLength: 125 })),
        address: t.Optional(t.String({ minLength: 2, maxLength: 20 })),
        comment: text(t, 'Of the tag.'),
      }),
    ],
    {
      description: `${description} An address (%I0.0: a tag is made), the name of a tag that is there, or { tag, address }.`,
    },
  )
const signal = (t: SchemaBuilder, description: string) => t.Optional(wire(t, description))

const base = (t: SchemaBuilder) => ({ name: name(t), comment: text(t, 'What it is, for people.') })
const interlock = (t: SchemaBuilder) =>
  expression(t, 'Released: TRUE when it may work; the name of an interlock, or an expression.')

export const designSchema = (t: SchemaBuilder) =>
  t.Object({
    name: name(t),
    comment: text(t, 'What it is, for people.'),
    tags: t.Optional(
      t.Array(
        t.Object({
          name: t.String({ minLength: 1, maxLength: 125 }),
          address: t.String({ minLength: 2, maxLength: 20, description: '%I0.0 makes a Bool, %IW64 an Int.' }),
          comment: text(t, 'Of the tag.'),
        }),
        { maxItems: 1000, description: 'Tags to make for what expressions name: buttons and switches of no module.' },
      ),
    ),
    units: t.Array(
      t.Object({
        ...base(t),
        modes: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              automatic: signal(t, 'Input: automatic mode is asked for.'),
              manual: signal(t, 'Input: manual mode is asked for.'),
              permit: expression(t, 'Permits automatic mode.'),
            }),
            { maxItems: 1, description: 'At most one. Without it the unit is always in automatic mode.' },
          ),
        ),
        analogInputs: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              input: wire(t, 'Input word.'),
              low: t.Number({ description: 'Value at 0 %.' }),
              high: t.Number({ description: 'Value at 100 %.' }),
              unit: text(t, 'bar, °C …'),
              lowLow: t.Optional(t.Number({ description: 'Alarm below.' })),
              lowLimit: t.Optional(t.Number({ description: 'Warning below.' })),
              highLimit: t.Optional(t.Number({ description: 'Warning above.' })),
              highHigh: t.Optional(t.Number({ description: 'Alarm above.' })),
              hysteresis: t.Optional(
                t.Number({ minimum: 0, description: 'Of the limits. Default: 1 % of the range.' }),
              ),
            }),
          ),
        ),
        interlocks: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              conditions: t.Array(
                t.Object({
                  text: t.String({ minLength: 1, maxLength: 200, description: 'For people.' }),
                  when: t.String({ minLength: 1, maxLength: 2000, description: 'Expression: TRUE is right.' }),
                }),
                { minItems: 1, maxItems: 100 },
              ),
            }),
          ),
        ),
        sequences: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              start: expression(t, 'Starts it in automatic mode.'),
              hold: expression(t, 'Stops its transitions while TRUE.'),
              abort: expression(t, 'Ends it.'),
              steps: t.Array(
                t.Object({
                  name: name(t),
                  comment: text(t, 'What happens.'),
                  on: t.Optional(t.Array(t.String(), { description: 'What it commands: Agitator, Conveyor.reverse.' })),
                  maximumTime: duration(t, 'Longest time, then there is an alarm.'),
                  next: t.Optional(
                    t.Array(
                      t.Object({
                        to: t.Optional(t.String({ description: 'Step. Without it the sequence is done.' })),
                        when: expression(t, 'Condition. Default: always.'),
                        after: duration(t, 'And the step has lasted so long.'),
                      }),
                      { description: 'The first that is fulfilled is taken. None: the sequence is done here.' },
                    ),
                  ),
                }),
                { minItems: 1, maxItems: 500 },
              ),
            }),
          ),
        ),
        pidLoops: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              processValue: t.String({ minLength: 1, maxLength: 2000, description: 'Expression: Level.value.' }),
              setpoint: t.Union([t.Number(), t.String({ minLength: 1, maxLength: 2000 })], {
                description: 'A number, which an operator changes, or an expression.',
              }),
              enable: expression(t, 'Controls while TRUE.'),
              gain: t.Optional(
                t.Number({ description: 'Negative: the output falls when the error rises. Default 1.' }),
              ),
              integralTime: duration(t, 'Default T#20s; T#0s: no integral part.'),
              derivativeTime: duration(t, 'Default T#0s.'),
              outputLow: t.Optional(t.Number({ description: 'Default 0.' })),
              outputHigh: t.Optional(t.Number({ description: 'Default 100.' })),
            }),
          ),
        ),
        motors: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              run: wire(t, 'Output: contactor.'),
              running: signal(t, 'Input: contactor is closed.'),
              trip: signal(t, 'Input: motor protection has tripped (TRUE).'),
              start: expression(t, 'Runs in automatic mode, besides what sequences want.'),
              interlock: interlock(t),
              feedbackTime: duration(t, 'Longest time from command to feedback. Default T#3s.'),
            }),
          ),
        ),
        reversingMotors: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              forward: wire(t, 'Output: contactor forward.'),
              reverse: wire(t, 'Output: contactor reverse.'),
              runningForward: signal(t, 'Input: it runs forward.'),
              runningReverse: signal(t, 'Input: it runs in reverse.'),
              trip: signal(t, 'Input: motor protection has tripped (TRUE).'),
              startForward: expression(t, 'Runs forward in automatic mode.'),
              startReverse: expression(t, 'Runs in reverse in automatic mode.'),
              interlock: interlock(t),
              feedbackTime: duration(t, 'Longest time from command to feedback. Default T#3s.'),
              pauseTime: duration(t, 'Between the directions. Default T#1s.'),
            }),
          ),
        ),
        valves: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              open: wire(t, 'Output: opens.'),
              opened: signal(t, 'Input: limit switch open.'),
              closed: signal(t, 'Input: limit switch closed.'),
              openWhen: expression(t, 'Opens in automatic mode, besides what sequences want.'),
              interlock: interlock(t),
              travelTime: duration(t, 'Longest time of travel. Default T#10s.'),
            }),
          ),
        ),
        analogOutputs: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              output: wire(t, 'Output word.'),
              low: t.Number({ description: 'Value at 0 %.' }),
              high: t.Number({ description: 'Value at 100 %.' }),
              unit: text(t, 'bar, % …'),
              value: expression(t, 'In automatic mode: a number.'),
            }),
          ),
        ),
        alarmGroups: t.Optional(
          t.Array(
            t.Object({
              ...base(t),
              alarms: t.Optional(
                t.Array(
                  t.Object({
                    name: name(t),
                    text: t.String({ minLength: 1, maxLength: 500 }),
                    when: t.String({ minLength: 1, maxLength: 2000, description: 'Expression.' }),
                  }),
                  { maxItems: 32 },
                ),
              ),
              modules: t.Optional(t.Array(t.String(), { description: 'Whose faults are in it. Default: all.' })),
              horn: signal(t, 'Output: a new alarm, until it is acknowledged.'),
              lamp: signal(t, 'Output: flashes until acknowledged, then is lit.'),
              acknowledge: signal(t, 'Input: push button.'),
            }),
          ),
        ),
      }),
      { minItems: 1, maxItems: 200 },
    ),
  })

/** A tank with filling, mixing, heating and discharge: every type of module once. */
export const designExample = {
  name: 'Mixing',
  comment: 'Mixing plant',
  tags: [
    { name: 'LidClosed', address: '%I0.7', comment: 'Lid of the tank is closed' },
    { name: 'StartBatch', address: '%I1.0', comment: 'Push button: start a batch' },
    { name: 'Unblock', address: '%I1.1', comment: 'Push button: turn the discharge screw back' },
  ],
  units: [
    {
      name: 'Tank',
      comment: 'Mixing tank',
      modes: [{ name: 'Mode', automatic: '%I0.0', manual: '%I0.1' }],
      analogInputs: [
        {
          name: 'Level',
          comment: 'Level of the tank',
          input: '%IW64',
          low: 0,
          high: 100,
          unit: '%',
          lowLow: 5,
          highLimit: 90,
          highHigh: 95,
        },
        { name: 'Temperature', input: '%IW66', low: 0, high: 150, unit: '°C', highHigh: 95 },
      ],
      interlocks: [
        {
          name: 'AgitatorReleased',
          conditions: [
            { text: 'Level above the blades', when: 'Level.value > 20.0' },
            { text: 'Lid is closed', when: '"LidClosed"' },
          ],
        },
      ],
      sequences: [
        {
          name: 'Batch',
          start: '"StartBatch"',
          steps: [
            {
              name: 'Fill',
              on: ['Inlet'],
              maximumTime: 'T#10m',
              next: [{ to: 'Mix', when: 'Level.value >= 80.0' }],
            },
            { name: 'Mix', on: ['Agitator'], next: [{ to: 'Empty', after: 'T#20s' }] },
            { name: 'Empty', on: ['Outlet', 'Discharge.forward'], next: [{ when: 'Level.value < 6.0' }] },
          ],
        },
      ],
      pidLoops: [
        {
          name: 'Heating',
          processValue: 'Temperature.value',
          setpoint: 60,
          enable: 'Agitator.running',
          gain: 2,
          integralTime: 'T#30s',
        },
      ],
      motors: [{ name: 'Agitator', run: '%Q0.0', running: '%I0.2', trip: '%I0.3', interlock: 'AgitatorReleased' }],
      reversingMotors: [
        { name: 'Discharge', forward: '%Q0.1', reverse: '%Q0.2', startReverse: '"Unblock"', pauseTime: 'T#2s' },
      ],
      valves: [
        { name: 'Inlet', open: '%Q0.3', opened: '%I0.4', closed: '%I0.5', travelTime: 'T#5s' },
        { name: 'Outlet', open: '%Q0.4' },
      ],
      analogOutputs: [{ name: 'Steam', output: '%QW64', low: 0, high: 100, value: 'Heating.output' }],
      alarmGroups: [
        {
          name: 'Alarms',
          alarms: [{ name: 'Overflow', text: 'Tank is about to overflow', when: 'Level.aboveHighHigh AND Inlet.open' }],
          horn: '%Q0.5',
          lamp: '%Q0.6',
          acknowledge: '%I0.6',
        },
      ],
    },
  ],
}
