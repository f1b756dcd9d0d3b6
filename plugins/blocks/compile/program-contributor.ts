/** Blocks as a part of the linked program. */

import type { CommandContext, QueryContext } from '../../../core/index.ts'
import { defined } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import {
  documentOf,
  oncePer,
  type ProgramContributor,
  type ProgramObject,
  type ProgramSymbol,
  work,
} from '../../program-objects/index.ts'
import { type Block, blocksOf, findBlock, requireBlockOf } from '../block.ts'

function pathOf({ folder }: Block): string {
  return folder === '' ? 'Program blocks' : `Program blocks/${folder}`
}

function typeNameOf({ kind, number, language }: Block): string {
  return kind.endsWith('DB') ? `${kind} ${number}` : `${kind} ${number} (${language})`
}

/** The kind and place of a block, for people. */
export function placeOfBlock(block: Block): Pick<ProgramObject, 'typeName' | 'path'> {
  return { typeName: typeNameOf(block), path: pathOf(block) }
}

const objectOf = oncePer(
  (block: Block): ProgramObject => ({
    category: 'block',
    name: block.name,
    typeName: typeNameOf(block),
    path: pathOf(block),
    ...defined({ unit: block.unit }),
    stored: block,
  }),
)
const symbolOf = oncePer(
  (block: Block): ProgramSymbol => ({
    kind: 'block',
    name: block.name,
    typeName: typeNameOf(block),
    path: pathOf(block),
  }),
)

export const blockProgramContributor: ProgramContributor = {
  objects(ctx: Pick<QueryContext, 'read'>, device: Device): ProgramObject[] {
    return blocksOf(ctx, device.id).map(objectOf)
  },
  find(ctx: Pick<QueryContext, 'read'>, device: Pick<Device, 'id'>, name: string): ProgramObject | undefined {
    const block = findBlock(ctx, device.id, name)
    return block && objectOf(block)
  },
  symbols(ctx: Pick<QueryContext, 'read'>, device: Device): ProgramSymbol[] {
    return blocksOf(ctx, device.id).map(symbolOf)
  },
  async replaceText(ctx: CommandContext, device: Device, object: ProgramObject, text: string): Promise<void> {
    const { storeEdited } = await import('../store.ts')
    const block = requireBlockOf(ctx, device, object.name)
    const document = { ...(await documentOf(ctx, block)), text }
    const edited = await work(ctx, 'editDocument', { document, edit: {} }, block.size)
    await storeEdited(ctx, device, block, edited)
  },
}
