/**
 * Codes of diagnostics about sequence programs (GRAPH). Each example shows a piece of a sequence program as it is
 * drawn.
 */
import type { DiagnosticCode } from './diagnostic-code.ts'

/** Diagnostic codes by name. */
export const sequenceCodes = {
  'chart-structure': {
    severity: 'error',
    title: 'Steps and transitions do not follow each other',
    explanation:
      'A sequence is steps and transitions in turn. A transition has a step before it; several steps are joined by a simultaneous branch only, and connections do not lead in a circle without a step.',
    fails: 'transition Trans2 -> step Step1, and nothing leads to Trans2',
    passes: 'step Step2 -> transition Trans2 -> step Step1',
  },
  'chart-data': {
    severity: 'error',
    title: 'A step has no data',
    explanation:
      'The interface of a GRAPH function block has a static for each step, of the name of the step. Its bits and times lie there: Step1.X, Step1.T.',
    fails: 'step Step1; VAR END_VAR',
    passes: 'step Step1; VAR Step1 : G7_StepPlus_V6; END_VAR',
  },
  'unsupported-action': {
    severity: 'error',
    title: 'The action cannot be carried out',
    explanation:
      'The action of a step lacks an operand, names a step, timer or counter that is none, or has a qualifier that cannot stand there: D and L stand without an event, calls and assignments with N.',
    fails: 'S1  D  #valve, T#5s',
    passes: 'D  #valve, T#5s',
  },
} satisfies Readonly<Record<string, DiagnosticCode>>
