/** Read Var and Write Var: all items of a PDU are read at one scan boundary, and written at one. */
import { onProgram, otherProgram } from '../controller/active-program.ts'
import type { Controller, LoadedProgram, Snapshot } from '../controller/contract.ts'
import { jobError, jobFunction, type ReturnCode, returnCode } from './codes.ts'
import { packedSize, packItems, readItems, unpackItems } from './items.ts'
import { answerHeader, jobAnswer, jobFault, type RequestPdu } from './pdu.ts'
import { type Place, placeOf } from './places.ts'
import type { S5Layouts } from './s5-words.ts'

/** The environment of a read or write. */
export interface VariableContext {
  readonly controller: Controller
  readonly layouts: S5Layouts
  /** The negotiated length of a PDU in bytes. */
  readonly pduLength: number
}

const isPlace = (place: Place | ReturnCode): place is Place => typeof place !== 'number'

/** The places of items and their bytes. When a program is loaded meanwhile, those of the new one. */
function readItemsOf(
  { controller, layouts }: VariableContext,
  items: NonNullable<ReturnType<typeof readItems>>,
): Promise<{ readonly places: (Place | ReturnCode)[]; readonly snapshot: Snapshot }> {
  return onProgram(controller, async (program) => {
    const places = items.map((item) => placeOf(item, program, layouts))
    const ranges = places.filter(isPlace).map(({ range }) => range)
    const snapshot = ranges.length > 0 ? await controller.read(ranges) : { bytes: [], cycle: 0, time: 0 }
    if (controller.program !== program) throw otherProgram()
    return { places, snapshot }
  })
}

/** Answers Read Var. */
export async function readVariables(request: RequestPdu, context: VariableContext): Promise<Buffer> {
  const { parameters, reference } = request
  const count = parameters[1] ?? 0
  const items = count > 0 ? readItems(parameters.subarray(2), count) : undefined
  if (!items) return jobFault(reference, jobError.notImplemented, jobFunction.readVariables)
  const sizes = items
    .map((item) => placeOf(item, context.controller.program, context.layouts))
    .map((place) => (isPlace(place) ? place.size : 0))
  if (answerHeader + 2 + packedSize(sizes) > context.pduLength)
    return jobFault(reference, jobError.pduSize, jobFunction.readVariables)
  const { places, snapshot } = await readItemsOf(context, items)
  let next = 0
  const values = places.map((place) => {
    if (!isPlace(place)) return { type: 0, data: place }
    const bytes = snapshot.bytes[next++]
    return { type: place.type, data: bytes ? place.data(bytes, snapshot) : returnCode.notAvailable }
  })
  return jobAnswer(reference, Buffer.from([jobFunction.readVariables, count]), packItems(values))
}

/** Answers Write Var. Items that cannot be written get their own return codes; the others are written. */
export function writeVariables(request: RequestPdu, { controller, layouts }: VariableContext): Promise<Buffer> {
  return onProgram(controller, (program) => writeInto(request, controller, program, layouts))
}

async function writeInto(
  { parameters, reference, data }: RequestPdu,
  controller: Controller,
  program: LoadedProgram | undefined,
  layouts: S5Layouts,
): Promise<Buffer> {
  const count = parameters[1] ?? 0
  const items = count > 0 ? readItems(parameters.subarray(2), count) : undefined
  const places = items?.map((item) => placeOf(item, program, layouts))
  const values =
    places &&
    unpackItems(
      data,
      places.map((place) => (isPlace(place) ? place : undefined)),
    )
  if (!places || !values) return jobFault(reference, jobError.notImplemented, jobFunction.writeVariables)
  const results = places.map((place, i) => {
    if (!isPlace(place)) return place
    const value = values[i] ?? returnCode.typeInconsistent
    return typeof value === 'number' ? value : place.writes(value)
  })
  const writes = results.flatMap((result) => (typeof result === 'number' ? [] : result))
  if (writes.length > 0) await controller.write(writes)
  const codes = results.map((result) => (typeof result === 'number' ? result : returnCode.success))
  return jobAnswer(reference, Buffer.from([jobFunction.writeVariables, count]), Buffer.from(codes))
}
