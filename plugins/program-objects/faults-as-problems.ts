/** Errors of the PLC library as problems of the gateway. */
import { notFound, problem } from '../../core/index.ts'
import { FormatError, UnknownNameError } from '../../plc/model/fault.ts'

/** Runs a function. A fault of the PLC library becomes a 422, an unknown name a 404. */
export function faultsAsProblems<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnknownNameError) throw notFound(error.kind, error.unknownName, error.known)
    if (error instanceof FormatError) throw faultyText(what, error)
    throw error
  }
}

function faultyText(what: string, { faults }: FormatError) {
  const [first] = faults
  const hasPlace = first !== undefined && first.code !== 'edit' && first.code !== 'unsupported'
  const field = first?.path?.startsWith('/') === true ? `${first.path}, ` : ''
  const at = hasPlace ? `${field}line ${first.line}, column ${first.column}: ` : ''
  const errors = faults.map(({ offset: _offset, code, line, column, ...fault }) =>
    code === 'edit' || code === 'unsupported' ? { code, ...fault } : { code, line, column, ...fault },
  )
  return problem('unacceptable_content', `${what}: ${at}${first?.message ?? 'cannot be read'}`, { errors })
}
