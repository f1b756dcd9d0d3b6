/** Names of data types by the numbers that members carry. */
import type { StoredObject } from './object.ts'
import type { TiaStore } from './store.ts'

/** Families of controllers whose types are looked up. */
const families = /^S7(1200|1500|300|400|Plus|Classic)/i

/** Names of the elementary and system types of a project by their number. */
export class DataTypes {
  readonly #names = new Map<number, string>()
  readonly #versions = new Map<string, string>()

  constructor(store: TiaStore) {
    for (const object of store.objects) {
      if (object.has('IDataTypeContent')) this.#addType(object)
      if (isLibraryElement(object)) {
        const version = object.text('IPlcHeaderData', 'HeaderVersion')
        if (version && object.name !== '') this.#versions.set(object.name, version)
      }
    }
  }
  #addType(object: StoredObject): void {
    const id = object.value('IDataTypeContent', 'DataTypeID')
    const scope = String(object.value('IDataTypeContent', 'Scope') ?? object.text('IDataTypeContent', 'Scope') ?? '')
    if (typeof id === 'number' && families.test(scope) && !this.#names.has(id)) this.#names.set(id, object.name)
  }

  /** @param reference `RID` of a member */
  name(reference: number): string | undefined {
    return this.#names.get(reference & 0xffff)
  }
  /** Version of a system type or of a block of the instruction library, as the project has it. */
  version(name: string): string | undefined {
    return this.#versions.get(name)
  }
}

/** Blocks and types that TIA Portal adds by itself, because an instruction or a member needs them. */
export function isLibraryElement(object: StoredObject): boolean {
  return (
    object.has('IPlcHeaderData') &&
    (object.type === 'SystemDatatypeData' ||
      object.value('ICoreAttributes', 'Protection') === 'SystemKnowHowProtection')
  )
}
