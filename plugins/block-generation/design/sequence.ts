/** Sequences of a design as SCL: a CASE over the active step. */

import type { Sequence, SequenceStep } from './model.ts'
import { userRegion } from './regions.ts'
import { declared, indent } from './sources.ts'

/** Name of the constant with the number of a step; without a step that of the idle sequence. */
export const stepConstant = (sequence: Pick<Sequence, 'name'>, step?: Pick<SequenceStep, 'name'>): string =>
  `${sequence.name}_${step?.name ?? 'IDLE'}`.toUpperCase()

export function sequenceConstants(sequence: Sequence): string[] {
  return [
    declared(stepConstant(sequence), 'Int', `${sequence.name} does nothing`, '0'),
    ...sequence.steps.map((step, i) =>
      declared(stepConstant(sequence, step), 'Int', step.comment ?? '', String(i + 1)),
    ),
  ]
}

export interface SequenceContext {
  /** Operand of the automatic mode. */
  readonly automatic: string
  readonly expression: (text: string, at: string) => string
}

export function sequenceLines(sequence: Sequence, at: string, { automatic, expression }: SequenceContext): string[] {
  const { name, steps, start, hold, abort } = sequence
  const [first] = steps
  const state = `#${name}`
  const own = (text: string | undefined, field: string) =>
    text === undefined ? undefined : expression(text, `${at}/${field}`)
  const startText = own(start, 'start')
  const holdText = own(hold, 'hold')
  const abortText = own(abort, 'abort')
  const timed = steps.flatMap((step) =>
    step.maximumTime === undefined
      ? []
      : [`(${state}.step = #${stepConstant(sequence, step)} AND #${name}Time.ET >= ${step.maximumTime})`],
  )
  return [
    '// Time since the active step began',
    `#${name}Time(IN := ${state}.step = ${state}.lastStep,`,
    `${' '.repeat(name.length + 6)}PT := T#24d);`,
    `${state}.lastStep := ${state}.step;`,
    `${state}.held := NOT ${automatic}${holdText === undefined ? '' : ` OR (${holdText})`};`,
    `IF ${state}.abort${abortText === undefined ? '' : ` OR (${abortText})`} THEN`,
    `   ${state}.step := #${stepConstant(sequence)};`,
    `ELSIF NOT ${state}.held THEN`,
    ...indent([
      `CASE ${state}.step OF`,
      ...indent([
        `#${stepConstant(sequence)}:`,
        ...indent([
          `IF ${state}.start${startText === undefined ? '' : ` OR ((${startText}) AND NOT ${state}.lastStart)`} THEN`,
          `   ${state}.step := #${stepConstant(sequence, first)};`,
          `   ${state}.done := FALSE;`,
          'END_IF;',
        ]),
        '',
        ...steps.flatMap((step, i) => stepLines(sequence, step, `${at}/steps/${i}`, expression)),
      ]),
      'ELSE',
      `   ${state}.step := #${stepConstant(sequence)};`,
      'END_CASE;',
    ]),
    'END_IF;',
    ...(startText === undefined ? [] : [`${state}.lastStart := ${startText};`]),
    `${state}.start := FALSE;`,
    `${state}.abort := FALSE;`,
    `${state}.running := ${state}.step <> #${stepConstant(sequence)};`,
    `${state}.timeout := ${timed.length === 0 ? 'FALSE' : timed.join('\n                  OR ')};`,
    `#${name}Timeout(SIG := ${state}.timeout);`,
  ].flatMap((line) => line.split('\n'))
}

function stepLines(
  sequence: Sequence,
  step: SequenceStep,
  at: string,
  expression: SequenceContext['expression'],
): string[] {
  const { name } = sequence
  const goTo = (target: SequenceStep | undefined): string[] => [
    `#${name}.step := #${stepConstant(sequence, target)};`,
    ...(target === undefined ? [`#${name}.done := TRUE;`] : []),
  ]
  const next = step.next ?? []
  const ways = (next.length === 0 ? [{}] : next).map((way, i) => {
    const { to, when, after } = way as NonNullable<SequenceStep['next']>[number]
    const target =
      to === undefined ? undefined : sequence.steps.find((one) => one.name.toLowerCase() === to.toLowerCase())
    const parts = [
      ...(when === undefined ? [] : [expression(when, `${at}/next/${i}/when`)]),
      ...(after === undefined ? [] : [`#${name}Time.ET >= ${after}`]),
    ]
    const condition = parts.length > 1 ? `(${parts[0]}) AND ${parts[1]}` : parts[0]
    return { condition, lines: goTo(target) }
  })
  const lines =
    ways[0]?.condition === undefined
      ? (ways[0]?.lines ?? [])
      : [
          ...ways.flatMap(({ condition = 'TRUE', lines: inner }, i) => [
            `${i === 0 ? 'IF' : 'ELSIF'} ${condition} THEN`,
            ...indent(inner),
          ]),
          'END_IF;',
        ]
  return [
    `#${stepConstant(sequence, step)}:${step.comment === undefined ? '' : `   // ${step.comment.replace(/[\r\n]+/g, ' ')}`}`,
    ...indent([...userRegion(`${name}.${step.name}`), ...lines]),
    '',
  ]
}
