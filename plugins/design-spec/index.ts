/** Design specs: CSV to an ISA-88 model to one SCL function block per phase. */
import { codeTables, definePlugin, extend, type QueryContext } from '../../core/index.ts'
import { projectSection } from '../projects/index.ts'
import { checked, specPart, watchStart } from './load/copy.ts'
import { specCodes } from './model/faults.ts'
import type { DesignModel } from './model/model.ts'
import { specOperations } from './operations.ts'
import { phaseOperations } from './phase-operations.ts'
import { currentSpec, specSlice } from './spec.ts'
import { verifyOperations } from './verify/verify-operations.ts'

export { type CmType, type DesignModel, type Phase, type UnitType, unitTypesOf } from './model/model.ts'

/** The model of the loaded design spec; undefined when none is loaded. */
export async function loadedModel(ctx: Pick<QueryContext, 'read' | 'blobs'>): Promise<DesignModel | undefined> {
  const spec = currentSpec(ctx)
  return spec && (JSON.parse(await ctx.blobs.text(spec.model)) as DesignModel)
}

/** A model with the scripts that drive its phases through every row of the state table. */
export async function phaseScripts(model: DesignModel, names: readonly string[] | undefined, maxScans: number) {
  const { scriptsOf } = await import('./verify/scripts.ts')
  return scriptsOf(model, names, maxScans)
}

/** Reads a design spec. */
export async function readDesignSpec(fileName: string, content: Uint8Array) {
  return (await import('./read/parse.ts')).parseDesignSpec(content, fileName)
}

export type { PhaseScript, ScriptItem } from './verify/script.ts'

export default definePlugin({
  name: 'design-spec',
  version: '1.0.0',
  description:
    'Design specs: load a CSV, show the ISA-88 model, generate, import and check the block of a phase, report the check.',
  requires: ['projects', 'devices', 'blocks', 'simulation'],
  slice: specSlice,
  operations: [...specOperations, ...phaseOperations, ...verifyOperations],
  extensions: [extend(projectSection, specPart), extend(codeTables, specCodes)],
  docs: [
    {
      name: 'design-spec',
      title: 'Design specs',
      // The page already has the title.
      text: async () => (await import('./docs.ts')).designSpecDocumentation().replace(/^# .*\n+/, ''),
    },
  ],
  start: watchStart,
  stop: checked,
})
