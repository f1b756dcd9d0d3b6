/** PDUs of the S7 protocol: header, parameters, data. */
import { dataType, jobError, pduKind, returnCode } from './codes.ts'
import { MalformedFrame } from './transport.ts'

const protocol = 0x32
const requestHeader = 10
/** Length of the header of an answer; two bytes longer than that of a request, for the error. */
export const answerHeader = 12

/** A request: a job or user data. */
export interface RequestPdu {
  readonly kind: number
  readonly reference: number
  readonly parameters: Buffer
  readonly data: Buffer
}

/**
 * Reads a request: a job or user data.
 * @throws MalformedFrame when it is neither, or its lengths contradict the frame
 */
export function readRequest(bytes: Buffer): RequestPdu {
  if (bytes.length < requestHeader) throw new MalformedFrame(`PDU of ${bytes.length} bytes`)
  if (bytes[0] !== protocol) throw new MalformedFrame(`protocol 0x${bytes[0]!.toString(16)} instead of 0x32`)
  const kind = bytes[1]!
  if (kind !== pduKind.job && kind !== pduKind.userData) throw new MalformedFrame(`PDU kind ${kind} is no request`)
  const parameterLength = bytes.readUInt16BE(6)
  const dataLength = bytes.readUInt16BE(8)
  if (requestHeader + parameterLength + dataLength !== bytes.length)
    throw new MalformedFrame(
      `${parameterLength} bytes of parameters and ${dataLength} of data in a PDU of ${bytes.length} bytes`,
    )
  const data = requestHeader + parameterLength
  return {
    kind,
    reference: bytes.readUInt16BE(4),
    parameters: bytes.subarray(requestHeader, data),
    data: bytes.subarray(data),
  }
}

const nothing = Buffer.alloc(0)

function pdu(kind: number, reference: number, error: number | undefined, parameters: Buffer, data: Buffer): Buffer {
  const header = Buffer.alloc(error === undefined ? requestHeader : answerHeader)
  header[0] = protocol
  header[1] = kind
  header.writeUInt16BE(reference, 4)
  header.writeUInt16BE(parameters.length, 6)
  header.writeUInt16BE(data.length, 8)
  if (error !== undefined) header.writeUInt16BE(error, 10)
  return Buffer.concat([header, parameters, data])
}

/** Makes the answer to a successful job. */
export function jobAnswer(reference: number, parameters: Buffer, data: Buffer = nothing): Buffer {
  return pdu(pduKind.acknowledgeData, reference, jobError.none, parameters, data)
}

/**
 * Makes the answer to a failed job: it repeats the function, because clients check it before the error, and has no
 * items.
 */
export function jobFault(reference: number, error: number, jobFunction: number): Buffer {
  return pdu(pduKind.acknowledgeData, reference, error, Buffer.from([jobFunction, 0]), nothing)
}

/** A request in user data. */
export interface UserDataRequest {
  readonly group: number
  readonly function: number
  /** A request for the next part of an answer repeats the number of the answer. */
  readonly sequence: number
  /** True when the request says that it is for a next part. Some clients do not set it. */
  readonly isContinuation: boolean
  readonly payload: Buffer
}

/** Reads the request in user data; `undefined` when there is none or it is damaged. */
export function readUserData({ parameters, data }: RequestPdu): UserDataRequest | undefined {
  if (parameters.length < 8 || parameters.readUIntBE(0, 3) !== 0x000112) return undefined
  const kindAndGroup = parameters[5]!
  if (kindAndGroup >> 4 !== 4) return undefined
  // Requests without data have the four bytes of a data header, or nothing at all.
  if (data.length > 0 && data.length < 4) return undefined
  const length = data.length === 0 ? 0 : data.readUInt16BE(2)
  if (length > data.length - 4 && data.length > 0) return undefined
  return {
    group: kindAndGroup & 0x0f,
    function: parameters[6]!,
    sequence: parameters[7]!,
    isContinuation: parameters[4] === 0x12,
    payload: data.length === 0 ? nothing : data.subarray(4, 4 + length),
  }
}

/** Bytes of a user data answer in addition to its payload. */
export const userDataOverhead = requestHeader + 12 + 4

/** An answer in user data. */
export interface UserDataAnswer {
  readonly sequence: number
  /** Identifies the parts of one answer; 0 when there is only one. */
  readonly unit: number
  readonly hasMore: boolean
  readonly error: number
  readonly payload: Buffer | undefined
}

/**
 * Creates a user data answer.
 * @param payload when absent, the data are "not available" if there is an error, and empty otherwise
 */
export function userDataAnswer(
  reference: number,
  request: Pick<UserDataRequest, 'group' | 'function'>,
  { sequence, unit, hasMore, error, payload }: UserDataAnswer,
): Buffer {
  const parameters = Buffer.alloc(12)
  parameters.writeUIntBE(0x000112, 0, 3)
  parameters[3] = 8
  parameters[4] = 0x12
  parameters[5] = 0x80 | request.group
  parameters[6] = request.function
  parameters[7] = sequence
  parameters[8] = unit
  parameters[9] = hasMore ? 1 : 0
  parameters.writeUInt16BE(error, 10)
  const header = Buffer.alloc(4)
  if (payload) {
    header[0] = returnCode.success
    header[1] = dataType.octets
    header.writeUInt16BE(payload.length, 2)
  } else header[0] = error === 0 ? returnCode.success : returnCode.notAvailable
  return pdu(pduKind.userData, reference, undefined, parameters, Buffer.concat([header, payload ?? nothing]))
}
