/** PLC data types as a part of the linked program (cross-references). */
import { documentOf, type ProgramContributor, work } from '../program-objects/index.ts'
import { type PlcType, requireTypeOf, typesOf } from './type.ts'

function pathOf({ folder }: PlcType): string {
  return folder === '' ? 'PLC data types' : `PLC data types/${folder}`
}

/** Adds the members of PLC data types to the cross-references. */
export const typeProgramContributor: ProgramContributor = {
  objects: (ctx, device) =>
    typesOf(ctx, device.id).map((type) => ({
      category: 'type',
      name: type.name,
      typeName: 'PLC data type',
      path: pathOf(type),
      stored: { ...type, kind: 'UDT' },
    })),
  symbols: (ctx, device) =>
    typesOf(ctx, device.id).map((type) => ({
      kind: 'type',
      name: type.name,
      typeName: 'PLC data type',
      path: pathOf(type),
    })),
  async replaceText(ctx, device, object, text) {
    const type = requireTypeOf(ctx, device, object.name)
    const document = { ...(await documentOf(ctx, { ...type, kind: 'UDT' })), text }
    const edited = await work(ctx, 'editDocument', { document, edit: {} }, type.size)
    const { typeTarget } = await import('./store.ts')
    await typeTarget.store(ctx, device, edited, { overwrite: true })
  },
}
