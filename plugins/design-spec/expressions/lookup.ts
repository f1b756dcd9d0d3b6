/** Finds the variables and parameters that expressions name; an unknown name is reported with the nearest one. */
import { nearest } from '../../../core/index.ts'
import { foldName, sclName } from '../model/names.ts'
import { type Named, namesIn, type Scope, type ScopeCmType, type ScopeVariable, someNames } from '../model/scope.ts'
import type { VariableNode } from './expression.ts'
import type { ExpressionFault } from './lexer.ts'

/** A variable of a control module, or a parameter of the phase, which has no module. */
export interface Found {
  readonly cmType?: ScopeCmType
  readonly variable: ScopeVariable
  /** `Valve.Open`, as declared. */
  readonly name: string
  /** The same in SCL: `#Valve.Open`. */
  readonly scl: string
}

/** Finds what an expression names, or says why it cannot be found. */
export function findVariable(node: VariableNode, scope: Scope): Found | { readonly fault: ExpressionFault } {
  if (node.cmType === '') return findParameter(node, scope)
  const cmType = scope.cmTypes.get(foldName(node.cmType))
  if (!cmType) return { fault: unknownModule(node, scope) }
  const variable = cmType.variables.get(foldName(node.variable))
  if (!variable) {
    const suggestion = propose(node.variable, cmType.variables, scope)
    const message = `${cmType.name} has no variable ${node.variable}.${hint(suggestion && `${cmType.name}.${suggestion}`)}`
    const place = { at: node.variableAt, value: node.variable }
    return {
      fault: { code: 'variable_unknown', ...place, message, allowed: someNames(cmType.variables), suggestion },
    }
  }
  const name = `${cmType.name}.${variable.name}`
  return { cmType, variable, name, scl: `#${sclName(cmType.name)}.${sclName(variable.name)}` }
}

function findParameter(
  { variable: name, at, variableAt }: VariableNode,
  scope: Scope,
): Found | { fault: ExpressionFault } {
  const parameters = scope.parameters ?? new Map<string, ScopeVariable>()
  const variable = parameters.get(foldName(name))
  if (variable) return { variable, name: variable.name, scl: `#${sclName(variable.name)}` }
  const form = '<CmType>.<Variable>'
  if (parameters.size === 0 || scope.cmTypes.has(foldName(name))) {
    const message = `A variable is written ${form}; "." is missing behind "${name}".`
    return { fault: { code: 'expression_syntax', at: variableAt, value: name, message, allowed: form } }
  }
  const suggestion = propose(name, parameters, scope)
  const message = `The phase has no parameter ${name}.${hint(suggestion)} A variable of a module is written ${form}.`
  const fault = { code: 'parameter_unknown', at, value: name, message, allowed: someNames(parameters) } as const
  return { fault: { ...fault, suggestion } }
}

function unknownModule({ cmType, at }: VariableNode, scope: Scope): ExpressionFault {
  const unit = scope.elsewhere?.get(foldName(cmType))
  const suggestion = unit === undefined ? propose(cmType, scope.cmTypes, scope) : undefined
  const where = unit === undefined ? hint(suggestion) : ` It belongs to the unit type ${unit}.`
  const message = `The unit has no control-module type ${cmType}.${where}`
  return { code: 'cm_type_unknown', at, value: cmType, message, allowed: someNames(scope.cmTypes), suggestion }
}

function hint(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
}

function propose(name: string, known: Named, { proposals }: Scope): string | undefined {
  if (proposals !== undefined && proposals.left-- <= 0) return undefined
  return nearest(name, namesIn(known))
}
