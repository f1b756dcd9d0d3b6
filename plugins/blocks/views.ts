/** The wire form of blocks, with schemas. */

import type { SchemaBuilder } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import { textIn } from '../program-objects/index.ts'
import type { Block } from './block.ts'
import type { CompileStatus } from './compile/status.ts'

/** A row of the block list. */
export function blockView(block: Block, status: CompileStatus, culture?: string) {
  return {
    name: block.name,
    type: block.kind,
    isFolder: false as const,
    number: block.number,
    autoNumber: block.autoNumber,
    programmingLanguage: block.language,
    folder: block.folder,
    size: block.size,
    format: block.format,
    ...status,
    isKnowHowProtected: block.isKnowHowProtected,
    title: textIn(block.title, culture),
    comment: textIn(block.comment, culture),
    author: block.author,
    family: block.family,
    version: block.version,
    ...defined({ memoryLayout: block.memoryLayout, secondaryType: block.secondaryType, instanceOf: block.instanceOf }),
    createdAt: new Date(block.createdAt).toISOString(),
    modifiedDate: new Date(block.modifiedAt).toISOString(),
  }
}

/** Schema of the compile status in lists of blocks and types. */
export const compileStatusFields = (t: SchemaBuilder) => ({
  isConsistent: t.Boolean({
    description: 'Compiled without errors, and neither it nor the interface of anything it uses has changed since.',
  }),
  compileStatus: t.String({
    description:
      'success, warning or error: result of the last compilation, which still holds; outdated: something has changed since; notCompiled.',
  }),
})

/** Schema of `blockView`. */
export const blockFields = (t: SchemaBuilder) => ({
  name: t.String(),
  type: t.String({ description: 'OB, FB, FC, GlobalDB, InstanceDB or ArrayDB.' }),
  isFolder: t.Boolean(),
  number: t.Integer(),
  autoNumber: t.Boolean({ description: 'The number was chosen automatically.' }),
  programmingLanguage: t.String({ description: 'SCL, LAD, FBD, STL, GRAPH, DB …' }),
  folder: t.String({ description: 'A/B; empty: directly below the program blocks.' }),
  size: t.Integer({ description: 'Bytes of the stored text.' }),
  format: t.String({ description: 'simaticml or source: the form the block is kept in.' }),
  ...compileStatusFields(t),
  needsCompilation: t.Boolean({ description: 'The opposite of isConsistent.' }),
  isKnowHowProtected: t.Boolean(),
  title: t.String(),
  comment: t.String(),
  author: t.String(),
  family: t.String(),
  version: t.String(),
  memoryLayout: t.Optional(t.String({ description: 'Optimized or Standard.' })),
  secondaryType: t.Optional(t.String({ description: 'Event class of an OB, e.g. ProgramCycle.' })),
  instanceOf: t.Optional(t.String({ description: 'FB or type of an instance data block.' })),
  createdAt: t.DateTime(),
  modifiedDate: t.DateTime(),
})
