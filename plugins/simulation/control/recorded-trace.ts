/** What a trace of a virtual controller recorded. */
import type { TraceSample } from '../controller/contract.ts'
import { problem } from '../problems.ts'
import { type Access, requireOn } from '../running/runtime.ts'
import { requireProgram, type TraceColumn, traceColumns } from '../tags/index.ts'

export interface RecordedTrace {
  /** Name of the instance as it is stored. */
  readonly name: string
  readonly columns: readonly TraceColumn[]
  /** Oldest first. */
  readonly samples: readonly TraceSample[]
}

/** @throws GatewayError when nothing is recorded */
export async function recordedTrace(ctx: Access, name: string | undefined): Promise<RecordedTrace> {
  const { instance, controller, entry } = await requireOn(ctx, name)
  if (entry.traced.length === 0)
    throw problem('conflict', `Nothing is recorded of instance "${instance.name}": start a trace first.`, {
      suggestion: `POST /api/simulation/instances/${instance.name}/trace`,
    })
  const { columns } = traceColumns(requireProgram(controller), entry.traced)
  return { name: instance.name, columns, samples: await controller.trace() }
}
