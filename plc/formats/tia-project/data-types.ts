/** Names of data types by the numbers that members carry. */
import type { StoredObject } from './object.ts'
import type { TiaStore } from './store.ts'

/** Families of controllers whose types are looked up. */
const families = /^S7(1200|1500|300|400|Plus|Classic)/i

/** Timers and counters are code in place and have had one version only; old projects do not store it. */
const instructionsOfOneVersion = new Set(['TP', 'TON', 'TOF', 'TONR', 'CTU', 'CTD', 'CTUD'])

/** Names of the elementary and system types of a project by their number. */
export class DataTypes {
  readonly #names = new Map<number, string>()
  readonly #versions = new Map<string, string>()
  /** Versions of instructions by the number of their library entry, and by name where there is one only. */
  readonly #instructions = new Map<string, string>()
  readonly #instructionNames = new Map<string, string | undefined>()

  constructor(store: TiaStore) {
    for (const object of store.objects) {
      if (object.has('IDataTypeContent')) this.#addType(object)
      if (isLibraryElement(object)) {
        const version = object.text('IPlcHeaderData', 'HeaderVersion')
        if (version && object.name !== '') this.#versions.set(object.name, version)
      }
    }
    for (const instruction of store.ofType('IECPLInstructionData')) this.#addInstruction(store, instruction)
  }
  #addInstruction(store: TiaStore, instruction: StoredObject): void {
    const version = this.versionOfInstruction(instruction)
    if (version === undefined) return
    const { name } = instruction
    const entry = store.first(instruction, 'AggregatingFolder')?.name
    if (entry) this.#instructions.set(entry.toLowerCase(), version)
    const isOther = this.#instructionNames.has(name) && this.#instructionNames.get(name) !== version
    this.#instructionNames.set(name, isOther ? undefined : version)
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
  /** Version of an entry of the instruction library. */
  versionOfInstruction(instruction: StoredObject): string | undefined {
    const major = instruction.value('ICoreLibTypeAttributes', 'MajorVersion')
    const minor = instruction.value('ICoreLibTypeAttributes', 'MinorVersion')
    return typeof major === 'number' && typeof minor === 'number' ? `${major}.${minor}` : undefined
  }
  /**
   * Version of an instruction; that of the block behind it is another one.
   * @param entry number of its entry in the library, where the code names it
   */
  instructionVersion(name: string, entry?: string): string | undefined {
    return (
      (entry === undefined ? undefined : this.#instructions.get(entry.toLowerCase())) ??
      this.#instructionNames.get(name) ??
      (instructionsOfOneVersion.has(name) ? '1.0' : undefined)
    )
  }
}

/** Blocks and types that TIA Portal adds by itself, because an instruction or a member needs them. */
function isLibraryElement(object: StoredObject): boolean {
  return (
    object.has('IPlcHeaderData') &&
    (object.type === 'SystemDatatypeData' ||
      object.value('ICoreAttributes', 'Protection') === 'SystemKnowHowProtection')
  )
}
