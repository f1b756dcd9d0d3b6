/**
 * A block as text to read: its external source, or its declarations and a text for each network. It costs a language
 * model a tenth of the SimaticML and the graphs that `content` gives.
 */

import { statementsText } from '../formats/source/statements-write.ts'
import { readableDeclarations, sourceTextOf } from '../formats/source/write.ts'
import { conditionText } from '../languages/ladder/condition-text.ts'
import { networkExpression } from '../languages/ladder/expression.ts'
import { textIn } from '../model/multilingual-text.ts'
import type { ImportedObject, Network } from '../model/object.ts'
import type { Condition, SequenceNode, SequenceProgram, Step, Transition } from '../model/sequence.ts'

/** Exactly one of `sourceText` and `networks` is there. */
export interface ContentText {
  readonly sourceText?: string
  /** Declarations as in a source: `VAR_INPUT … END_VAR`. */
  readonly declarations?: string
  readonly networks?: readonly NetworkText[]
}

/** Title and comment are absent when empty. */
export interface NetworkText {
  readonly number: number
  readonly title?: string
  readonly comment?: string
  readonly language: string
  /**
   * Statements; for LAD and FBD structured text (plc/languages/ladder/expression.ts), for GRAPH {@link sequenceText}.
   */
  readonly text: string
}

/** Returns the text of an object. Texts in several languages are those of `culture`, else of their first one. */
export function contentText(object: ImportedObject, culture?: string): ContentText {
  const sourceText = sourceTextOf(object)
  if (sourceText !== undefined) return { sourceText }
  return {
    declarations: readableDeclarations(object.kind, object.interface),
    networks: object.networks.map((network) => networkText(network, culture)),
  }
}

function networkText(network: Network, culture: string | undefined): NetworkText {
  const { number, language } = network
  const title = textIn(network.title, culture)
  const comment = textIn(network.comment, culture)
  return {
    number,
    ...(title === '' ? {} : { title }),
    ...(comment === '' ? {} : { comment }),
    language,
    text: codeOf(network),
  }
}

function codeOf({ text, graph, statements, chart, language }: Network): string {
  if (text !== undefined) return text
  if (graph !== undefined) return networkExpression(graph, { language }).statements.join('\n')
  if (statements !== undefined) return statementsText(statements)
  return chart === undefined ? '' : sequenceText(chart)
}

/**
 * The sequences of a GRAPH block: steps with their actions, transitions with their conditions, then what leads where.
 * `S` is a step, `T` a transition, `B` a branch; `=>` is a jump.
 */
export function sequenceText({ before, sequences, after }: SequenceProgram): string {
  const permanent = (word: string, operations: SequenceProgram['before']) =>
    operations
      .map((operation) => codeOf({ ...operation, number: 0, parts: [] }))
      .filter((text) => text !== '')
      .map((text) => `${word}\n${indented(text)}`)
  return [
    ...permanent('BEFORE', before),
    ...sequences.flatMap(({ steps, transitions, connections }, index) => [
      `SEQUENCE ${index + 1}`,
      ...steps.map(stepText),
      ...transitions.map(transitionText),
      ...connections.map(({ from, to, link }) => `${nodeText(from)} ${link === 'Jump' ? '=>' : '->'} ${nodeText(to)}`),
    ]),
    ...permanent('AFTER', after),
  ].join('\n')
}

function stepText({
  number,
  name,
  isInitial,
  maximumTime,
  warningTime,
  actions,
  interlock,
  supervision,
}: Step): string {
  const notes = [
    isInitial ? 'initial' : '',
    maximumTime === undefined ? '' : `maximum ${maximumTime}`,
    warningTime === undefined ? '' : `warning ${warningTime}`,
  ].filter((note) => note !== '')
  return [
    `S${number} "${name}"${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
    ...conditionLines('INTERLOCK', interlock),
    ...conditionLines('SUPERVISION', supervision),
    ...actions
      .filter(({ text }) => text !== '')
      .map(
        ({ event, qualifier, needsInterlock, text }) =>
          `   ${[event, needsInterlock ? `${qualifier}C` : qualifier, text].filter((part) => part !== '').join(' ')}`,
      ),
  ].join('\n')
}

function transitionText(transition: Transition): string {
  return `T${transition.number} "${transition.name}": ${conditionText(transition)}`
}

/** Nothing for a condition that is always true: an interlock or a supervision without elements. */
function conditionLines(word: string, condition: Condition | undefined): string[] {
  const text = condition === undefined ? '' : conditionText(condition)
  return text === '' || text === 'TRUE' ? [] : [`   ${word} ${text}`]
}

function nodeText(node: SequenceNode): string {
  if (node.kind === 'end') return 'END'
  const place = node.kind === 'branch' ? (node.in ?? node.out) : undefined
  return `${node.kind.charAt(0).toUpperCase()}${node.number}${place === undefined ? '' : `.${place}`}`
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `   ${line}`)
    .join('\n')
}
