/**
 * Answers user data requests: system status lists, blocks, clock, password. Long answers are sent in parts, each of
 * which the client requests.
 */
import { isGatewayError } from '../../../core/index.ts'
import { blockInformation, listBlocks, listBlocksOfKind } from './block-functions.ts'
import { userDataError, userDataGroup } from './codes.ts'
import { dateAndTime, readDateAndTime } from './date-and-time.ts'
import { type RequestPdu, readUserData, type UserDataRequest, userDataAnswer, userDataOverhead } from './pdu.ts'
import type { S7Function } from './rights.ts'
import { type StatusContext, systemStatusList } from './system-status.ts'

/** Content of an answer, or the code of an error. */
type Content = Buffer | number

const nothing = Buffer.alloc(0)

function readStatusList({ payload }: UserDataRequest, context: StatusContext): Content {
  if (payload.length !== 4) return userDataError.notImplemented
  const content = systemStatusList(payload.readUInt16BE(0), payload.readUInt16BE(2), context)
  if (content === 'unknownList') return userDataError.unknownList
  return content === 'unknownIndex' ? userDataError.unknownListIndex : content
}

/** Reserved byte, century, then DATE_AND_TIME. The time is the system time, which is UTC. */
function readClock({ controller }: StatusContext): Buffer {
  const { time } = controller
  const century = Math.floor(new Date(time).getUTCFullYear() / 100)
  return Buffer.concat([Buffer.from([0, (Math.floor(century / 10) << 4) | (century % 10)]), dateAndTime(time)])
}

async function setClock({ payload }: UserDataRequest, { controller }: StatusContext): Promise<Content> {
  const time = readDateAndTime(payload.subarray(2))
  if (payload.length !== 10 || time === undefined) return userDataError.invalidValue
  await controller.setTime(time)
  return nothing
}

/** A status list whose content is protected: the diagnostics buffer. */
const diagnosticsList = 0xa0

function readList(request: UserDataRequest, context: StatusContext): Content {
  const list = request.payload.length === 4 ? request.payload.readUInt16BE(0) & 0xff : 0
  if (list === diagnosticsList && !context.session.may('Diagnostics buffer (status list 16#A0)'))
    return userDataError.protectionLevel
  return readStatusList(request, context)
}

/** The answer when the connection has the right to it. */
function guarded(what: S7Function, answer: Answerer): Answerer {
  return (request, context) => (context.session.may(what) ? answer(request, context) : userDataError.protectionLevel)
}
const blocks = 'List of blocks and their attributes'
/** What the groups answer to a password: nothing, or an error. */
const ended = (error: number): Content => (error === userDataError.none ? nothing : error)

type Answerer = (request: UserDataRequest, context: StatusContext) => Content | Promise<Content>

/** Functions by group and number. */
const functions = new Map<number, Answerer>(
  (
    [
      [userDataGroup.block, 1, guarded(blocks, (_request, { controller }) => listBlocks(controller.program))],
      [
        userDataGroup.block,
        2,
        guarded(blocks, ({ payload }, { controller }) => listBlocksOfKind(controller.program, payload)),
      ],
      [
        userDataGroup.block,
        3,
        guarded(blocks, ({ payload }, { controller }) => blockInformation(controller.program, payload)),
      ],
      [userDataGroup.cpu, 1, readList],
      [userDataGroup.security, 1, async ({ payload }, { session }) => ended(await session.present(payload))],
      [userDataGroup.security, 2, (_request, { session }) => ended(session.clear())],
      [userDataGroup.time, 1, guarded('Read the clock', (_request, context) => readClock(context))],
      [userDataGroup.time, 2, guarded('Set the clock', setClock)],
      // The same function; some CPUs answer in another format.
      [userDataGroup.time, 3, guarded('Read the clock', (_request, context) => readClock(context))],
      [userDataGroup.time, 4, guarded('Set the clock', setClock)],
    ] as [number, number, Answerer][]
  ).map(([group, code, answer]) => [(group << 8) | code, answer]),
)

interface Remainder {
  readonly group: number
  readonly function: number
  readonly rest: Buffer
}

/** Maximum number of long answers with parts that the client has not requested yet; then the oldest is deleted. */
const mostRemainders = 8

/** Answers the user data requests of one connection. */
export class UserDataAnswers {
  readonly #remainders = new Map<number, Remainder>()
  #sequence = 0

  /**
   * Answers one request.
   * @param pduLength the negotiated length
   */
  async answer(pdu: RequestPdu, context: StatusContext, pduLength: number): Promise<Buffer> {
    const request = readUserData(pdu)
    if (!request) {
      const code = { group: (pdu.parameters[5] ?? 0) & 0x0f, function: pdu.parameters[6] ?? 0 }
      return userDataAnswer(pdu.reference, code, {
        sequence: 0,
        unit: 0,
        hasMore: false,
        error: userDataError.notImplemented,
        payload: undefined,
      })
    }
    const next = this.#takeRemainder(request)
    if (next || request.isContinuation)
      return this.#send(pdu, request, next?.rest ?? userDataError.noMoreData, pduLength, request.sequence)
    const answerer = functions.get((request.group << 8) | request.function)
    return this.#send(pdu, request, await this.#contentOf(request, answerer, context), pduLength, undefined)
  }

  async #contentOf(request: UserDataRequest, answerer: Answerer | undefined, context: StatusContext): Promise<Content> {
    if (!answerer) return userDataError.notImplemented
    try {
      return await answerer(request, context)
    } catch (cause) {
      if (!isGatewayError(cause)) throw cause
      return userDataError.wrongState
    }
  }

  /**
   * Clients request the next part with the number of the answer and no content; some do not mark it as a continuation.
   */
  #takeRemainder(request: UserDataRequest): Remainder | undefined {
    const found = this.#remainders.get(request.sequence)
    if (found?.group !== request.group || found.function !== request.function || request.payload.length > 0)
      return undefined
    this.#remainders.delete(request.sequence)
    return found
  }

  #send(
    { reference }: RequestPdu,
    request: UserDataRequest,
    content: Content,
    pduLength: number,
    continued: number | undefined,
  ): Buffer {
    if (typeof content === 'number')
      return userDataAnswer(reference, request, {
        sequence: request.sequence,
        unit: 0,
        hasMore: false,
        error: content,
        payload: undefined,
      })
    const room = pduLength - userDataOverhead
    const hasMore = content.length > room
    // 1 to 255: 0 is the number of requests that are not a continuation.
    if (continued === undefined && hasMore) this.#sequence = (this.#sequence % 255) + 1
    const sequence = continued ?? (hasMore ? this.#sequence : request.sequence)
    if (hasMore) {
      const { group, function: code } = request
      this.#remainders.delete(sequence)
      this.#remainders.set(sequence, { group, function: code, rest: content.subarray(room) })
      const oldest = this.#remainders.keys().next().value
      if (this.#remainders.size > mostRemainders && oldest !== undefined) this.#remainders.delete(oldest)
    }
    return userDataAnswer(reference, request, {
      sequence,
      unit: hasMore || continued !== undefined ? sequence : 0,
      hasMore,
      error: 0,
      payload: content.length > 0 ? content.subarray(0, room) : undefined,
    })
  }
}
