/** Checks a code block and lowers it to the intermediate form. */

import { defined } from '../../../lib/optional.ts'
import { flowGraph } from '../../flow/graph.ts'
import type { BlockCode, Statement } from '../../ir/ir.ts'
import type { BlockProbes } from '../../program/probes.ts'
import type { Diagnostic, Program, ProgramBlock, ProgramNetwork } from '../../program/program.ts'
import type { TemporaryPlace } from '../../program/temporary-place.ts'
import { BlockContext } from './block-context.ts'
import { type BlockFacts, factsOf, findFacts } from './checks/block-facts.ts'
import { checkDeadStores } from './checks/dead-stores.ts'
import { checkDoubleCoils } from './checks/double-coils.ts'
import { factInstanceCalls } from './checks/instance-calls-across.ts'
import { factMemory } from './checks/memory-facts.ts'
import { checkPathAssignments } from './checks/path-assignments.ts'
import { checkRepeatedInstances } from './checks/repeated-instances.ts'
import { checkTimerCalls } from './checks/timer-calls.ts'
import { checkRegisters } from './checks/unassigned-results.ts'
import { factStatics } from './checks/unused-statics.ts'
import { checkUnusedTemporaries } from './checks/unused-temporaries.ts'
import { checkValueRanges } from './checks/value-ranges.ts'
import { JumpTargets } from './jumps.ts'
import { lowerLogicNetwork } from './ladder.ts'
import { lowerScl } from './scl.ts'
import { lowerSequenceProgram } from './sequence.ts'
import { labelsOfStatements, lowerStatements } from './statement-list.ts'

export interface LoweredBlock {
  /** Absent when there are errors. */
  readonly code?: BlockCode
  /** Places of its temporaries; present with the code. */
  readonly temporaries?: readonly TemporaryPlace[]
  readonly diagnostics: readonly Diagnostic[]
  /** Facts for the rules over the whole program. */
  readonly facts: BlockFacts
  /** Present with the code when the execution is recorded. */
  readonly probes?: BlockProbes
}

/**
 * Lowers a block of the program; one fault does not hide the next.
 * @param isProbed whether the code records its execution
 */
export function lowerBlock(program: Program, block: ProgramBlock, isProbed = false): LoweredBlock {
  const context = new BlockContext(program, block, isProbed)
  const body = lowerNetworks(context, block.networks)
  const { diagnostics, locals, sites, signature, frameSize, prologue } = context
  const found = findFacts(body, sites)
  checkDoubleCoils(context, found.outputs)
  const facts = withOwn(factsOf(found), context, body)
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics, facts }
  // Code that is left out because of errors would look unused.
  checkUnusedTemporaries(context)
  if (body.length > 0 && !context.isPartial) checkFlow(context, body)
  if (body.length > 0 && !context.isPartial) checkRegisters(context, [...prologue, ...body, ...context.epilogue])
  checkRepeatedInstances(context)
  if (block.kind !== 'OB' && block.kind !== 'FB' && block.kind !== 'FC') return { diagnostics, facts }
  const code: BlockCode = {
    name: block.name,
    kind: block.kind,
    locals,
    signature,
    frameSize,
    body: context.wholeBody(body),
    sites,
  }
  const probes = context.probes?.all
  const whole = context.isPartial || isProbed ? facts : { ...facts, memory: factMemory(context, code.body) }
  return { code, temporaries: context.temporaryPlaces(), diagnostics, facts: whole, ...defined({ probes }) }
}

/** The rules over the ways through the block. */
function checkFlow(context: BlockContext, body: readonly Statement[]): void {
  const { places } = context.watch
  // What gives the frame its zeros assigns nothing in the eyes of the source.
  const zeros = new Set(context.prologue.filter(({ kind }) => kind !== 'setLocal'))
  const whole = context.wholeBody(body).filter((one) => !zeros.has(one))
  const graph = flowGraph(whole, (branching) => places.has(branching))
  checkPathAssignments(context, graph)
  checkDeadStores(context, graph)
  checkTimerCalls(context, graph)
  checkValueRanges(context, body)
}

/** Adds the facts that only the context knows; those without content are left out. */
function withOwn(facts: BlockFacts, context: BlockContext, body: readonly Statement[]): BlockFacts {
  const instances = factInstanceCalls(context)
  const statics = factStatics(context, body)
  const { members } = context.watch
  return {
    ...facts,
    ...(instances.length === 0 ? {} : { instances }),
    ...(statics.length === 0 ? {} : { statics }),
    ...(members.size === 0 ? {} : { members: [...members].sort() }),
  }
}

/** Lowers networks in order; jumps of each reach the labels of all. */
function lowerNetworks(context: BlockContext, networks: readonly ProgramNetwork[]): Statement[] {
  const names = networks.flatMap(({ graph, statements = [] }) => [
    ...(graph?.labels ?? []).map(({ name }) => name),
    ...labelsOfStatements(statements),
  ])
  if (names.length > 0) context.watch.hasJumps = true
  const jumps = new JumpTargets(context, names)
  for (const network of networks) {
    context.network = network.number
    for (const { name, uId } of network.graph?.labels ?? []) {
      const place = uId === undefined ? {} : { uId }
      if (!jumps.begin(name)) context.report('duplicate-label', place, `Label ${name} stands here twice.`)
      if (/^\d/.test(name)) context.report('wrong-label', place, `Label ${name} begins with a digit.`)
    }
    jumps.add(probed(context, network))
    jumps.add(lowerNetwork(context, network, jumps))
  }
  return jumps.finish()
}

/** What records that a network ran: statements of SCL and STL are recorded themselves. */
function probed({ probes, watch }: BlockContext, { graph }: ProgramNetwork): Statement[] {
  if (!probes) return []
  if (watch.hasJumps || !graph) probes.run = undefined
  if (!graph) return []
  const entered = probes.enter()
  probes.here('statement', {})
  return entered
}

function lowerNetwork(context: BlockContext, network: ProgramNetwork, jumps: JumpTargets): Statement[] {
  const { language, text, graph, statements, chart } = network
  if (language === 'SCL' && text !== undefined) return lowerScl(context, text)
  if (graph) return lowerLogicNetwork(context, graph, { jumps: jumps.targets })
  if (statements) return lowerStatements(context, network, jumps)
  if (chart) return lowerSequenceProgram(context, chart)
  if (text !== undefined) context.report('unsupported-language', {}, `Networks in ${language} cannot be compiled yet.`)
  return []
}
