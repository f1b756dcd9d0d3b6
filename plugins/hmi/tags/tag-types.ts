/** Data types of internal HMI tags: what certainly is none is refused. */
import { nearest } from '../../../core/index.ts'
import { dataTypeNames, parseElementaryType } from '../../../plc/model/data-type.ts'

/** Types that HMI tags have and PLC tags do not. */
const hmiTypes = ['DateTime', 'Raw', 'StringChar', 'TextRef', 'Double', 'Float', 'Short', 'Long', 'UShort', 'ULong']

/**
 * The fault in the data type of an internal tag, or undefined. HMI devices, libraries and drivers of other controllers
 * have types of their own, so a name that is like none of the known ones passes.
 *
 * @param userTypes names of the PLC data types of the project
 */
export function tagTypeFault(dataType: string, userTypes: readonly string[]): string | undefined {
  const element = dataType.trim().replace(/^array\s*\[[^\]]*\]\s*of\s+/i, '')
  const known = [...hmiTypes, ...userTypes].some((name) => name.toLowerCase() === element.toLowerCase())
  if (known || parseElementaryType(element) !== undefined) return undefined
  const length = /^w?string\s*\[(.*)\]$/i.exec(element)
  if (length) return `"${dataType}" has no length of a text: String[1..254], WString[1..16382]`
  if (!/^[a-z]\w*$/i.test(element))
    return /[;:={}<>]/.test(element) ? `"${dataType}" is no data type; e.g. Bool, Int, Real, String[20]` : undefined
  const near = nearest(element, [...dataTypeNames, ...hmiTypes, ...userTypes])
  return near === undefined ? undefined : `"${dataType}" is no data type ("${near}" is one)`
}
