/** Constants in fields: defaults, limits, safe values and times. */
import type { DataType } from '../../../plc/model/data-type.ts'
import { assignedValue, type Environment } from '../expressions/evaluate.ts'
import { type Expression, parseCondition } from '../expressions/expression.ts'
import { compileValue } from '../expressions/typing.ts'
import { Unpredictable, type Value } from '../expressions/value.ts'
import type { FaultCollector } from '../model/faults.ts'
import type { SpecRow } from './csv.ts'
import { reportExpression } from './fields.ts'

const noNames = { cmTypes: new Map() }

/** Whether values of a type can have limits. */
export function isOrdered({ family, name }: DataType): boolean {
  return family === 'integer' || family === 'real' || (family === 'duration' && name !== 'S5Time')
}

/** The constant as SCL writes it for a type; the text was checked when the spec was loaded. */
export function constantScl(text: string, type: DataType): string {
  const { scl, faults } = compileValue(text, type, noNames)
  if (faults[0]) throw new Error(`${text}: ${faults[0].message}`)
  return scl
}

/** Reads a constant of a type; undefined when it is wrong (the fault is reported). */
export function readConstant(
  row: SpecRow,
  column: string,
  text: string,
  type: DataType,
  faults: FaultCollector,
): Value | undefined {
  const parsed = parseCondition(text)
  if ('expression' in parsed && !isConstant(parsed.expression)) {
    const message = `${column} is ${text}; it must be a constant of type ${type.name}.`
    faults.add(row, 'type_mismatch', message, { column, value: text, allowed: `a constant of type ${type.name}` })
    return undefined
  }
  const found = compileValue(text, type, noNames).faults
  reportExpression(row, column, found, faults)
  return found.length > 0 ? undefined : constantValue(text, type)
}

/** The value of a constant; undefined when it is unknown. */
export function constantValue(text: string, type: DataType): Value | undefined {
  const parsed = parseCondition(text)
  if ('fault' in parsed) return undefined
  try {
    return assignedValue(parsed.expression, type, noEnvironment, { left: 1000 })
  } catch (error) {
    if (error instanceof Unpredictable) return undefined
    throw error
  }
}

const noEnvironment: Environment = {
  typeOf: () => {
    throw new Unpredictable('a constant has no variables')
  },
  valueOf: () => {
    throw new Unpredictable('a constant has no variables')
  },
}

function isConstant(node: Expression): boolean {
  if (node.kind === 'variable') return false
  if (node.kind === 'unary') return isConstant(node.operand)
  return node.kind !== 'binary' || (isConstant(node.left) && isConstant(node.right))
}

/** The usual safe value of a type: off, zero; undefined for types that have none. */
export function defaultConstant({ family, name }: DataType): string | undefined {
  if (family === 'bool') return 'FALSE'
  if (family === 'integer' || family === 'bits') return '0'
  if (family === 'real') return '0.0'
  if (family === 'duration') return `${name === 'LTime' ? 'LT' : name === 'Time' ? 'T' : 'S5T'}#0ms`
  return undefined
}
