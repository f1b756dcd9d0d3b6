/** PLC data types (UDT): list, read, create, change, import and export; folders. */
import { definePlugin } from '../../core/index.ts'
import { typeSlice } from './type.ts'

export {
  findType,
  type PlcType,
  requireType,
  requireTypeOf,
  typeChanged,
  typeCreated,
  typeDeleted,
  typeFolders,
  types,
  typesOf,
} from './type.ts'

export default definePlugin({
  name: 'types',
  version: '1.0.0',
  description: 'PLC data types (UDT): list, read, create, change, import and export; folders.',
  requires: ['projects', 'devices', 'blocks'],
  slice: typeSlice,
})
