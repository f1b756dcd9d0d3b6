/** The error of pipelines beside those of the core. */
import { type ProblemDefinition, problemsOf } from '../../core/index.ts'

export const pipelineProblems = {
  pipeline_failed: {
    status: 422,
    title: 'A step of the pipeline failed',
    meaning:
      'An operation of a step was refused, or its result says that something is wrong: errors of a compilation, tests that did not pass. `execution` is the whole execution with all steps; it is in the history too.',
    remedy: 'Mend what the step says, then run the pipeline again.',
    example: 'Pipeline "Nightly": step 2 (Test) failed: 1 of 4 failed.',
  },
} satisfies Record<string, ProblemDefinition>

export const failure = problemsOf(pipelineProblems)
