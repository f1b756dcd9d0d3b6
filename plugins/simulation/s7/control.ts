/** PLC control and PLC stop: start and stop a controller as a programming device does. */
import type { Controller } from '../controller/contract.ts'
import { jobError, jobFunction } from './codes.ts'
import { jobAnswer, jobFault, type RequestPdu } from './pdu.ts'

const programService = 'P_PROGRAM'
/** Codes of answers when the controller is already in the state. */
const already = { started: 0x02, stopped: 0x07 } as const

/** A text preceded by its length; `undefined` when it is cut off. */
function textAt(bytes: Buffer, at: number): string | undefined {
  const length = bytes[at]
  if (length === undefined || at + 1 + length > bytes.length) return undefined
  return bytes.toString('latin1', at + 1, at + 1 + length)
}

/**
 * Answers PLC control. The only service is starting: without an argument a warm restart, with `C ` a cold restart,
 * which also sets retentive data to start values and is possible only in STOP. An S7-1500 has only warm restarts; a
 * memory reset before the start has the effect of a cold restart.
 * @throws GatewayError `invalid_operating_state`
 */
export async function controlJob({ parameters, reference }: RequestPdu, controller: Controller): Promise<Buffer> {
  // Function, seven constant bytes, length of the argument, argument, name of the service.
  const argumentLength = parameters.length >= 10 ? parameters.readUInt16BE(8) : undefined
  const service = argumentLength === undefined ? undefined : textAt(parameters, 10 + argumentLength)
  if (argumentLength === undefined || service !== programService)
    return jobFault(reference, jobError.notImplemented, jobFunction.control)
  const argument = parameters.toString('latin1', 10, 10 + argumentLength).trim()
  if (argument !== '' && argument !== 'C') return jobFault(reference, jobError.notImplemented, jobFunction.control)
  if (controller.state === 'Run' || controller.state === 'Startup')
    return jobAnswer(reference, Buffer.from([jobFunction.control, already.started]))
  if (argument === 'C') await controller.change('memoryReset')
  const reached = await controller.change(controller.state === 'Hold' ? 'continue' : 'run')
  return reached === 'Run'
    ? jobAnswer(reference, Buffer.from([jobFunction.control]))
    : jobFault(reference, jobError.failed, jobFunction.control)
}

/** The service at the end of the parameters of PLC stop; clients differ in the number of zero bytes before it. */
const stopService = `${String.fromCharCode(programService.length)}${programService}`

/**
 * Answers PLC stop.
 * @throws GatewayError `invalid_operating_state`
 */
export async function stopJob({ parameters, reference }: RequestPdu, controller: Controller): Promise<Buffer> {
  if (!parameters.toString('latin1').endsWith(stopService))
    return jobFault(reference, jobError.notImplemented, jobFunction.stop)
  if (controller.state === 'Stop') return jobAnswer(reference, Buffer.from([jobFunction.stop, already.stopped]))
  await controller.change('stop')
  return jobAnswer(reference, Buffer.from([jobFunction.stop]))
}
