/** Data types that are allowed for tags and user constants. */

import { type CommandContext, nearest } from '../../core/index.ts'
import { parseDataType } from '../../plc/formats/source/declarations.ts'
import { dataTypeNames, parseElementaryType } from '../../plc/model/data-type.ts'
import type { Device } from '../devices/index.ts'
import { findType, typesOf } from '../types/index.ts'

/** Identifiers of hardware and blocks, spelled as in SimaticML: integers with a special meaning. */
const hardwareTypes =
  'AOM_IDENT CONN_ANY CONN_OUC CONN_PRG CONN_R_ID DB_ANY DB_DYN DB_WWW EVENT_ANY EVENT_ATT EVENT_HWINT HW_ANY HW_DEVICE HW_DPMASTER ' +
  'HW_DPSLAVE HW_HSC HW_IEPORT HW_INTERFACE HW_IO HW_IOSYSTEM HW_MODULE HW_PTO HW_PWM HW_SUBMODULE OB_ANY OB_ATT OB_CYCLIC OB_DELAY ' +
  'OB_DIAG OB_HWINT OB_PCYCLE OB_STARTUP OB_TIMEERROR OB_TOD PIP PORT RTM'
const others = new Map(
  ['Timer', 'Counter', ...hardwareTypes.split(' ')].map((name): [string, string] => [name.toLowerCase(), name]),
)
/** Types that only parameters have. */
const parameterTypes = new Set(['void', 'variant', 'any', 'pointer', 'struct', 'block_fb', 'block_fc', 'block_db'])

/** The result of checking a data type. */
export type CheckedType =
  | { readonly dataType: string }
  | {
      /** The fault, as a text that follows the name of the type. */
      readonly fault: string
      /** True when the form is right, but no type has the name. */
      readonly isUnknown: boolean
    }

/** Checks data types against those of the PLC. Results are cached, because tables repeat a few types. */
export class DataTypes {
  readonly #ctx: Pick<CommandContext, 'read'>
  readonly #device: Pick<Device, 'id'>
  readonly #checked = new Map<string, CheckedType>()

  constructor(ctx: Pick<CommandContext, 'read'>, device: Pick<Device, 'id'>) {
    this.#ctx = ctx
    this.#device = device
  }

  /** Returns the type in TIA Portal's spelling (a PLC data type in quotes), or its fault. */
  async check(text: string): Promise<CheckedType> {
    let checked = this.#checked.get(text)
    if (!checked) {
      checked = await this.#look(text)
      this.#checked.set(text, checked)
    }
    return checked
  }

  async #look(text: string): Promise<CheckedType> {
    const type = findType(this.#ctx, this.#device.id, text.trim())
    if (type && !parseElementaryType(text)) return { dataType: `"${type.name}"` }
    const dataType = parseDataType(text)
    if (dataType === undefined)
      return { fault: 'is not a data type; e.g. Bool, Int, Real, "UDT_Motor"', isUnknown: false }
    const [, array = '', element = ''] = /^(array\[.*\] of )?(.*)$/i.exec(dataType) ?? []
    if (parameterTypes.has(element.toLowerCase()))
      return { fault: 'cannot be the data type of a tag or constant', isUnknown: true }
    const known = this.#known(element)
    return known === undefined ? { fault: this.#unknown(element), isUnknown: true } : { dataType: array + known }
  }

  /** The element type with this name; undefined when there is none. */
  #known(name: string): string | undefined {
    if (name.startsWith('"')) {
      const type = findType(this.#ctx, this.#device.id, name.slice(1, -1))
      if (type !== undefined) return `"${type.name}"`
    }
    // A type of a namespace, as the compiler reads it: _.unit.Type, unit.Type, "unit.Type".
    if (name.includes('.')) {
      const last = findType(this.#ctx, this.#device.id, name.replace(/"$/, '').split('.').at(-1) ?? '')
      return last && name
    }
    if (name.startsWith('"')) return undefined
    if (/^w?string\[.*\]$/i.test(name)) {
      const length = /\[(.*)\]/.exec(name)?.[1] ?? ''
      return parseElementaryType(name) || !/^\d+$/.test(length.trim()) ? name : undefined
    }
    return parseElementaryType(name) ? name : others.get(name.toLowerCase())
  }

  #unknown(name: string): string {
    const types = typesOf(this.#ctx, this.#device.id).map((type) => type.name)
    const plain = name.replace(/^"|"$/g, '')
    const near = nearest(plain, name.startsWith('"') ? types : [...dataTypeNames, ...others.values(), ...types])
    const what = name.startsWith('"') ? 'is not a PLC data type of this PLC' : 'is not a data type'
    const shown = near !== undefined && types.includes(near) ? `'"${near}"'` : `"${near}"`
    return `${what}${near === undefined ? '; e.g. Bool, Int, Real, "UDT_Motor"' : `; did you mean ${shown}?`}`
  }
}
