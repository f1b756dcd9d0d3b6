/** PLC data types as a part of the linked program (cross-references). */
import { defined } from '../../core/index.ts'
import {
  documentOf,
  oncePer,
  type ProgramContributor,
  type ProgramObject,
  type ProgramSymbol,
  work,
} from '../program-objects/index.ts'
import { findType, type PlcType, requireTypeOf, typesOf } from './type.ts'

function pathOf({ folder }: PlcType): string {
  return folder === '' ? 'PLC data types' : `PLC data types/${folder}`
}

const objectOf = oncePer(
  (type: PlcType): ProgramObject => ({
    category: 'type',
    name: type.name,
    typeName: 'PLC data type',
    path: pathOf(type),
    ...defined({ unit: type.unit }),
    stored: { ...type, kind: 'UDT' },
  }),
)
const symbolOf = oncePer(
  (type: PlcType): ProgramSymbol => ({
    kind: 'type',
    name: type.name,
    typeName: 'PLC data type',
    path: pathOf(type),
  }),
)

export const typeProgramContributor: ProgramContributor = {
  objects: (ctx, device) => typesOf(ctx, device.id).map(objectOf),
  find(ctx, device, name) {
    const type = findType(ctx, device.id, name)
    return type && objectOf(type)
  },
  symbols: (ctx, device) => typesOf(ctx, device.id).map(symbolOf),
  async replaceText(ctx, device, object, text) {
    const type = requireTypeOf(ctx, device, object.name)
    const document = { ...(await documentOf(ctx, { ...type, kind: 'UDT' })), text }
    const edited = await work(ctx, 'editDocument', { document, edit: {} }, type.size)
    const { typeTarget } = await import('./store.ts')
    await typeTarget.store(ctx, device, edited, { overwrite: true })
  },
}
