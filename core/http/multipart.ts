/** `multipart/form-data`: file parts stream into blobs, the other parts become fields of the input. */

import type { FastifyRequest } from 'fastify'
import { nearest } from '../../lib/nearest.ts'
import { shortened } from '../../lib/shortened.ts'
import type { StagedBlob, Store } from '../../store/index.ts'
import { isStoreError } from '../../store/index.ts'
import { isGatewayError, problem } from '../contract/problems.ts'

/** The content of a form. */
export interface Form {
  /** Files (`{ fileName, blob, size }`) and JSON parts. */
  readonly body: Record<string, unknown>
  /** Text parts, to be converted to the types in the schema. */
  readonly strings: Record<string, unknown>
  readonly staged: readonly StagedBlob[]
}

export interface FormOptions {
  readonly store: Store
  /** Names of the operation's upload fields. */
  readonly uploads: readonly string[]
  readonly uploadBytes: number
  readonly bodyBytes: number
}

/** More parts than any operation has fields. */
const maxParts = 200

/**
 * The upload field of a part's name; the case of the first letter is ignored, as everywhere
 * (docs/design.md#names-and-unknown-properties).
 */
function uploadField(name: string, uploads: readonly string[]): string | undefined {
  const lower = name.slice(0, 1).toLowerCase() + name.slice(1)
  return uploads.find((upload) => upload === name || upload === lower)
}

/**
 * Reads a form. File parts are staged as they arrive, never completely in memory.
 *
 * @throws GatewayError `malformed_body`, `payload_too_large`, `invalid_input` (unknown file part, two files for one
 * field)
 */
export async function readForm(request: FastifyRequest, options: FormOptions): Promise<Form> {
  const { uploadBytes, bodyBytes, uploads } = options
  const most = uploadBytes * Math.max(1, uploads.length) + bodyBytes
  const announced = request.headers['content-length']
  if (Number(announced) > most) {
    throw problem(
      'payload_too_large',
      `The form has ${announced} bytes; at most ${most} are taken (limits.uploadBytes).`,
    )
  }
  const body: Record<string, unknown> = {}
  const strings: Record<string, unknown> = {}
  const staged: StagedBlob[] = []
  try {
    const limits = { parts: maxParts, fileSize: Number.POSITIVE_INFINITY, fieldSize: bodyBytes, fieldNameSize: 200 }
    for await (const part of request.parts({ limits })) {
      const name = part.fieldname
      const upload = uploadField(name, uploads)
      if (part.type === 'file') {
        if (upload === undefined) throw unknownFile(name, uploads)
        if (upload in body)
          throw problem('invalid_input', `/${upload}: only one file is taken; the form has more than one.`)
        const blob = await options.store.blobs.stageStream(part.file, uploadBytes)
        staged.push(blob)
        body[upload] = { fileName: part.filename || upload, blob: blob.hash, size: blob.size }
      } else if (part.valueTruncated) {
        throw problem(
          'payload_too_large',
          `Part "${shortened(name, longestName)}" has more than ${bodyBytes} bytes (limits.bodyBytes).`,
        )
      } else if (upload !== undefined && typeof part.value === 'string') {
        if (upload in body)
          throw problem('invalid_input', `/${upload}: only one file is taken; the form has more than one.`)
        // A file sent as a plain field (`curl -F file='…'`): the text is its content.
        body[upload] = { fileName: upload, content: part.value }
      } else if (part.mimetype === 'application/json') put(body, name, part.value)
      else put(strings, name, part.value)
    }
  } catch (error) {
    // The rest is read and dropped, so that the connection can be used again.
    request.raw.unpipe().resume()
    throw formError(error, uploadBytes)
  }
  return { body, strings, staged }
}

/** Sets a field; a name that comes twice makes a list. */
function put(fields: Record<string, unknown>, name: string, value: unknown) {
  const before = fields[name]
  fields[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
}

function unknownFile(name: string, uploads: readonly string[]) {
  const path = `/${shortened(name, longestName)}`
  if (uploads.length === 0) return problem('invalid_input', `${path}: this operation takes no files.`)
  const near = nearest(name, uploads)
  return problem(
    'invalid_input',
    `${path}: unknown file part${near ? ` (did you mean "${near}"?)` : ''}; taken: ${uploads.join(', ')}.`,
    {
      errors: [{ path, message: 'unknown file part', allowed: uploads }],
      ...(near ? { suggestion: near } : {}),
    },
  )
}

/** Longest name of a part that is told whole. */
const longestName = 60

function formError(error: unknown, uploadBytes: number): unknown {
  if (isGatewayError(error)) return error
  if (isStoreError(error)) {
    return error.code === 'blob_too_large'
      ? problem('payload_too_large', `A file part has more than ${uploadBytes} bytes (limits.uploadBytes).`)
      : error
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (statusCode === 413) return problem('payload_too_large', `The form has more than ${maxParts} parts.`)
  switch (code) {
    case 'FST_PROTO_VIOLATION':
      return problem('malformed_body', 'A part has a name that is never taken ("__proto__", "constructor" …).')
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return problem('malformed_body', 'A part of type application/json holds no JSON.')
    case 'FST_MP_PREMATURE_CLOSE':
      return problem('malformed_body', 'The connection ended before the form was whole.')
    default:
      // busboy's errors are plain and their messages are fixed texts ("Unexpected end of multipart data").
      return problem('malformed_body', `The form cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}
