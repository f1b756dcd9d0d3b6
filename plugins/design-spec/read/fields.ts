/** Reads single fields of rows: names, data types, expressions with their positions. */
import { defined, nearest } from '../../../core/index.ts'
import { type DataType, dataTypeNames, parseElementaryType } from '../../../plc/model/data-type.ts'
import type { ExpressionFault } from '../expressions/lexer.ts'
import type { FaultCollector } from '../model/faults.ts'
import { NAME_RULE, nameFault } from '../model/names.ts'
import type { SpecRow } from './csv.ts'

/** The text of a field, without blanks around it; '' when the row does not have the column. */
export function cellOf(row: SpecRow, column: string): string {
  return (row.values[column] ?? '').trim()
}

/** Returns a name that is not empty and is allowed in the controller; '' when it is missing (the fault is reported). */
export function readName(row: SpecRow, column: string, prefix: string, faults: FaultCollector): string {
  const name = cellOf(row, column)
  if (name === '') {
    faults.add(row, 'value_missing', `${column} is empty.`, { column, allowed: NAME_RULE })
    return ''
  }
  const reason = nameFault(name, prefix)
  if (reason !== undefined)
    faults.add(row, 'name_invalid', `${column} ${name} is no valid name: ${reason}.`, {
      column,
      value: name,
      allowed: NAME_RULE,
    })
  return name
}

/** Reads DataType; undefined when it is wrong (the fault is reported). */
export function readDataType(row: SpecRow, faults: FaultCollector): DataType | undefined {
  const text = cellOf(row, 'DataType')
  const type = parseElementaryType(text)
  if (type !== undefined) return type
  if (text === '') {
    faults.add(row, 'value_missing', 'DataType is empty.', { column: 'DataType', allowed: dataTypeNames })
    return undefined
  }
  const suggestion = nearest(text, dataTypeNames) ?? foreignType(text)
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  faults.add(row, 'data_type_unknown', `${text} is no elementary data type of the controller.${hint}`, {
    column: 'DataType',
    value: text,
    allowed: dataTypeNames,
    suggestion,
  })
  return undefined
}

/** Maps names that other languages use to the data types of the controller. */
function foreignType(text: string): string | undefined {
  const names: Readonly<Record<string, string>> = {
    boolean: 'Bool',
    bit: 'Bool',
    float: 'Real',
    single: 'Real',
    double: 'LReal',
    integer: 'Int',
    short: 'Int',
    int16: 'Int',
    int32: 'DInt',
    int64: 'LInt',
    uint16: 'UInt',
    uint32: 'UDInt',
    uint64: 'ULInt',
    long: 'LInt',
    timespan: 'Time',
    datetime: 'DTL',
    text: 'String',
  }
  const key = text.toLowerCase()
  return Object.hasOwn(names, key) ? names[key] : undefined
}

/** Reports the faults of an expression in a field, with the character. */
export function reportExpression(
  row: SpecRow,
  column: string,
  found: readonly ExpressionFault[],
  faults: FaultCollector,
): void {
  for (const fault of found) {
    const message = `${fault.message} (character ${fault.at + 1})`
    faults.add(row, fault.code, message, {
      column,
      position: fault.at + 1,
      value: fault.value,
      ...defined({ allowed: fault.allowed }),
      suggestion: fault.suggestion,
    })
  }
}
