/** Writes the client for Python: one module without dependencies. */
import { readFile } from 'node:fs/promises'
import { type ClientDocument, type ClientField, type ClientFiles, type ClientOperation, grouped } from './document.ts'
import { pascal, snake, UniqueNames } from './names.ts'
import { docstring, PythonTypes, pythonName, pythonText } from './python-types.ts'

/** Names of the hand-written layer and of what it imports; types get others. */
const ownNames =
  'Any Callable Dict Generator Generic List Literal Optional TypedDict TypeVar Union Gantry GantryProblem GantryUnreachable Job JobCancelled JobTimeout Progress CallOptions ServerEvent UNSET T'.split(
    ' ',
  )

/** Members of the class `Gantry` that no group gets. */
const ownMembers = ['call', 'start', 'stream', 'job', 'url', 'key', 'headers', 'timeout']

const marker = '# --- types and operations of the gateway ---\n'

/** The file of the module. @throws Error when the hand-written layer has lost its marker */
export async function pythonClient(document: ClientDocument): Promise<ClientFiles> {
  const runtime = await readFile(new URL('./assets/runtime.py', import.meta.url), 'utf8')
  const [before, after] = runtime.split(marker)
  if (before === undefined || after === undefined) throw new Error('runtime.py has no marker')
  const groups = [...grouped(document.operations)]
  const classes = new UniqueNames(ownNames)
  const members = new UniqueNames(ownMembers)
  const named = groups.map(([name, operations]) => ({
    name,
    operations,
    className: classes.take(`${pascal(name)}Operations`),
    member: members.take(pythonName(snake(name)), '_'),
  }))
  const types = new PythonTypes(document, [...ownNames, ...named.map(({ className }) => className)])
  // Types of inputs are declared while the methods are written.
  const texts = named.map(({ name, className, operations }) => {
    const about = document.tags.get(name) || `Operations whose ids begin with "${name}".`
    return `class ${className}:
    ${docstring(about, '    ')}

    def __init__(self, calls: _Calls) -> None:
        self._calls = calls
${methodsOf(operations, types)}`
  })
  const gantry = `class Gantry(_Calls):
    """A gateway: its operations by groups.

    url: e.g. http://127.0.0.1:9000
    key: API key
    timeout: seconds in which an answer has to begin; a job is waited for without an end
    """

    def __init__(
        self,
        url: str = 'http://127.0.0.1:9000',
        key: Optional[str] = None,
        *,
        headers: Optional[Dict[str, str]] = None,
        timeout: float = 300.0,
    ) -> None:
        super().__init__(url, key, headers=headers, timeout=timeout)
${named.map(({ member, className }) => `        self.${member} = ${className}(self)\n`).join('')}`
  const parts = [types.text.trimEnd(), ...texts.map((text) => text.trimEnd()), gantry.trimEnd()]
  return new Map([['gantry_client.py', `${before}${parts.join('\n\n\n')}\n${after}`]])
}

function methodsOf(operations: readonly ClientOperation[], types: PythonTypes): string {
  const names = new UniqueNames()
  // Names of operations come first: those of extra methods give way.
  const named = operations.map((operation) => ({
    operation,
    name: names.take(pythonName(snake(operation.rest)), '_'),
  }))
  return named
    .map(({ operation, name }) => {
      const parameters = parametersOf(operation, types)
      const main = method(operation, name, operation.kind, parameters, types)
      return operation.alsoStreams
        ? main + method(operation, names.take(`${name}_events`, '_'), 'stream', parameters, types)
        : main
    })
    .join('')
}

interface PythonParameter {
  readonly field: ClientField
  readonly name: string
  readonly type: string
}

function parametersOf({ id, fields }: ClientOperation, types: PythonTypes): PythonParameter[] {
  const names = new UniqueNames(['self', 'options'])
  return fields.map((field) => ({
    field,
    name: names.take(pythonName(snake(field.name)), '_'),
    type: types.typeOf(field.schema, `${pascal(id)}${pascal(field.name)}`),
  }))
}

function method(
  operation: ClientOperation,
  name: string,
  kind: ClientOperation['kind'],
  parameters: readonly PythonParameter[],
  types: PythonTypes,
): string {
  const { id, result, summary, description, access } = operation
  const answer = result ? types.component(result) : operation.kind === 'job' ? 'Any' : 'str'
  const [returns, call] =
    kind === 'stream'
      ? ['Generator[ServerEvent, None, None]', 'stream']
      : kind === 'job'
        ? [`Job[${answer}]`, 'start']
        : [answer, 'call']
  const signature = parameters.map(
    ({ field, name: parameter, type }) => `        ${parameter}: ${type}${field.required ? '' : ' = UNSET'},\n`,
  )
  const places = (place: ClientField['in']) =>
    `{${parameters
      .filter(({ field }) => field.in === place)
      .map(({ field, name: parameter }) => `${pythonText(field.name)}: ${parameter}`)
      .join(', ')}}`
  const fields = parameters
    .filter(({ field }) => field.description !== '')
    .map(({ field, name: parameter }) => `${parameter}: ${field.description}`)
  const text = [summary, description, fields.join('\n'), `Operation ${id}${access ? `; access: ${access}` : ''}.`]
    .filter((part) => part !== '')
    .join('\n\n')
  const body = operation.hasBody ? `,\n            body=${places('body')}` : ''
  return `
    def ${name}(
        self,
        *,
${signature.join('')}        options: Optional[CallOptions] = None,
    ) -> ${returns}:
        ${docstring(text, '        ')}
        return self._calls.${call}(
            ${pythonText(operation.method.toUpperCase())},
            ${pythonText(operation.path)},
            path=${places('path')},
            query=${places('query')}${body},
            options=options,${kind === 'command' ? '\n            command=True,' : ''}
        )
`
}
