/** Files in inputs of JSON clients: `{ fileName, content }`, `{ fileName, contentBase64 }`, or a blob that is there. */
import { problem } from '../contract/problems.ts'
import { type InputReader, plainNames } from './validation.ts'

/** A file of an input. */
export type GivenFile = { readonly field: string; readonly fileName: unknown } & (
  | { readonly bytes: Buffer; readonly blob?: never }
  | { readonly bytes?: never; readonly blob: string }
)

/**
 * The files in an input, by field. Names count in any case; a file without a name is called like its field.
 * @throws GatewayError `invalid_input` for one without a content
 */
export function filesIn({ uploads }: Pick<InputReader, 'uploads'>, input: Readonly<Record<string, unknown>>) {
  const files: GivenFile[] = []
  for (const [field, given] of Object.entries(input)) {
    if (!uploads.some((name) => name.toLowerCase() === field.toLowerCase())) continue
    // The schema refuses it.
    if (given === null || typeof given !== 'object') continue
    const { fileName = field, content, contentBase64, blob } = plainNames(given as Record<string, unknown>)
    if (typeof content === 'string') files.push({ field, fileName, bytes: Buffer.from(content, 'utf8') })
    else if (typeof contentBase64 === 'string')
      files.push({ field, fileName, bytes: Buffer.from(contentBase64, 'base64') })
    else if (typeof blob === 'string') files.push({ field, fileName, blob })
    else {
      const fault = { path: `/${field}/content`, message: 'is missing, and contentBase64 too', code: 'missing' }
      throw problem('invalid_input', `${fault.path}: ${fault.message}.`, { errors: [fault] })
    }
  }
  return files
}

/** A file whose content was never sent. */
export function noBlob(field: string, blob: string) {
  return problem('invalid_input', `/${field}: there is no blob ${blob}.`)
}
