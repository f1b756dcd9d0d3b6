/** The identity that a controller reports to S7 clients. */
export interface S7Identity {
  /** Order number of the CPU, for example `6ES7 516-3AN02-0AB0`. */
  readonly orderNumber: string
  /** For example `CPU 1516-3 PN/DP`. */
  readonly typeName: string
  /** For example `V3.1.4`. */
  readonly firmware: string
  /** Name of the station. */
  readonly stationName: string
  readonly serialNumber: string
}
