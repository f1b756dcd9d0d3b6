import { createHash } from 'node:crypto'
import { defined } from '../../../core/index.ts'
import { compileSources } from '../../../plc/compiler/compile-sources.ts'
import { generatePhase } from '../generate/generate.ts'
import type { DesignModel } from '../model/model.ts'
import { foldName } from '../model/names.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import type { PhaseScript } from './script.ts'

/** The data block and member that select the phase to call. */
export const selector = { block: 'Verification', member: 'Phase' } as const

/** An error that prevents compiling a phase. */
export interface ScratchError {
  readonly code: string
  readonly object: string
  readonly message: string
  readonly line?: number
  readonly column?: number
}

/** A phase of the scratch program; `number` is its value of {@link selector}. */
export interface ScratchPhase {
  readonly phase: string
  readonly blockName: string
  /** SHA-256 of its source text. */
  readonly blockHash: string
  readonly number: number
  readonly instance: string
  readonly script: PhaseScript
}

/** A compiled program that contains the phases, and the phases that do not compile. */
export interface Scratch {
  /** Absent when no phase compiles. */
  readonly program?: {
    readonly hash: string
    readonly blobs: readonly { readonly hash: string; readonly bytes: Uint8Array }[]
  }
  readonly phases: readonly ScratchPhase[]
  readonly refused: readonly {
    readonly phase: string
    readonly blockName: string
    readonly errors: ScratchError[]
  }[]
}

interface Sources {
  readonly name: string
  readonly blockName: string
  readonly scl: string
  readonly udts: readonly { readonly name: string; readonly scl: string }[]
}

/**
 * Generates phases of a model (JSON), compiles them to one program and plans their checks. A phase that does not
 * compile is left out and listed in `refused`.
 * @param input.phases names as in the model
 */
export async function makeScratch(input: {
  readonly model: string
  readonly phases: readonly string[]
  readonly maxScans: number
}): Promise<Scratch> {
  const model = JSON.parse(input.model) as DesignModel
  const sources = input.phases.map((name) => ({ name, ...generatePhase(model, name) }))
  return scratchOf(sources, (name) => planPhase(checkedPhase(model, name), input.maxScans))
}

/** The same for given sources, so that tests can check damaged blocks. */
export async function scratchOf(
  sources: readonly Sources[],
  scriptOf: (phase: string) => PhaseScript,
): Promise<Scratch> {
  const refused: { phase: string; blockName: string; errors: ScratchError[] }[] = []
  let left = [...sources]
  while (left.length > 0) {
    const result = compileSources(sourceText(left))
    if (result.ok) {
      const phases = left.map(({ name, blockName, scl }, i) => {
        const number = i + 1
        const blockHash = createHash('sha256').update(scl).digest('hex')
        return { phase: name, blockName, blockHash, number, instance: instanceName(number), script: scriptOf(name) }
      })
      return { program: result.program, phases, refused }
    }
    const errors: ScratchError[] = [
      ...result.faults.map(({ code, message, line, column }) => ({ code, object: '', message, line, column })),
      ...result.errors.map(({ code, object, message, line, column }) => {
        return {
          code,
          object,
          message,
          ...defined({ line, column }),
        }
      }),
    ]
    const before = left.length
    left = left.filter((one) => {
      const own = errors.filter(({ object }) => isOf(one, object))
      if (own.length > 0) refused.push({ phase: one.name, blockName: one.blockName, errors: own })
      return own.length === 0
    })
    // Errors that belong to no phase would occur again.
    if (left.length === before) {
      refused.push(...left.map(({ name: phase, blockName }) => ({ phase, blockName, errors })))
      left = []
    }
  }
  return { phases: [], refused }
}

function isOf({ blockName, udts }: Sources, object: string): boolean {
  const key = foldName(object)
  return foldName(blockName) === key || udts.some(({ name }) => foldName(name) === key)
}

function instanceName(number: number): string {
  return `Instance ${number}`
}

/** Types, blocks, an instance of each, and an organization block that calls the selected one without parameters. */
function sourceText(phases: readonly Sources[]): string {
  const udts = new Map(phases.flatMap((one) => one.udts.map(({ name, scl }) => [foldName(name), scl] as const)))
  return [
    ...udts.values(),
    ...phases.map(({ scl }) => scl),
    ...phases.map(({ blockName }, i) => dataBlock(instanceName(i + 1), [`"${blockName}"`])),
    dataBlock(selector.block, ['VAR', `  "${selector.member}" : Int;`, 'END_VAR']),
    'ORGANIZATION_BLOCK "Main"',
    "{ S7_Optimized_Access := 'TRUE' }",
    'VERSION : 0.1',
    'BEGIN',
    `  CASE "${selector.block}"."${selector.member}" OF`,
    ...phases.map((_, i) => `    ${i + 1}: "${instanceName(i + 1)}"();`),
    '  END_CASE;',
    'END_ORGANIZATION_BLOCK',
    '',
  ].join('\n')
}

function dataBlock(name: string, content: readonly string[]): string {
  const lines = [`DATA_BLOCK "${name}"`, "{ S7_Optimized_Access := 'TRUE' }", 'VERSION : 0.1', ...content]
  return [...lines, 'BEGIN', 'END_DATA_BLOCK', ''].join('\n')
}
