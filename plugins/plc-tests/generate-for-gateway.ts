/** Tests from the design spec or a trace of the gateway. */
import { defined, problem, type QueryContext } from '../../core/index.ts'
import { loadedModel, phaseScripts } from '../design-spec/index.ts'
import { recordedTrace, traceValues } from '../simulation/index.ts'
import { mostScans, phaseTests } from './generate/from-phase.ts'
import { TraceError, traceTest } from './generate/from-trace.ts'
import type { MadeFile } from './generate/yaml.ts'

export interface GenerateInput {
  readonly from: 'design-spec' | 'trace'
  readonly phases?: readonly string[]
  readonly instanceName?: string
  readonly inputs?: readonly string[]
}

/** @throws GatewayError */
export async function generatedTests(ctx: QueryContext, given: GenerateInput): Promise<MadeFile[]> {
  const { from, phases, instanceName, inputs } = given
  if (from === 'design-spec') {
    const model = await loadedModel(ctx)
    if (!model) throw problem('conflict', 'No design spec is loaded. Load one first.')
    const scripts = await phaseScripts(model, phases, mostScans)
    return scripts.map((one) => phaseTests(one, model.sourceName))
  }
  if (instanceName === undefined)
    throw problem('invalid_input', '/instanceName: name the controller that recorded the trace.', {
      errors: [{ path: '/instanceName', message: 'is needed from a trace: the controller that recorded it' }],
    })
  const { name, columns, samples } = await recordedTrace(ctx, instanceName)
  const areas = new Map(columns.map(({ tag }) => [tag.name, tag.area]))
  const trace = {
    tags: columns.map(({ tag }) => tag.name),
    // A trace records scalars only; the values of tags may be structures too.
    samples: samples.map((one) => ({ cycle: one.cycle, time: one.time, values: traceValues(one, columns) as never })),
  }
  try {
    return [traceTest(trace, { name, isInput: (tag) => areas.get(tag) === 'I', ...defined({ inputs }) })]
  } catch (error) {
    if (!(error instanceof TraceError)) throw error
    throw problem('unacceptable_content', `The trace of "${name}": ${error.message}`)
  }
}
