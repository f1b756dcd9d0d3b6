/**
 * Numbers of the S7 protocol (0x32 over ISO-on-TCP). Siemens does not publish them; they are facts on which public
 * descriptions agree: Wireshark's dissector `packet-s7comm`, the documentation of Snap7, the error list of the STEP 7
 * help.
 */

/** Kinds of PDUs ("remote operating service control"). */
export const pduKind = { job: 1, acknowledge: 2, acknowledgeData: 3, userData: 7 } as const

/** Functions of jobs. */
export const jobFunction = {
  setupCommunication: 0xf0,
  readVariables: 0x04,
  writeVariables: 0x05,
  requestDownload: 0x1a,
  downloadBlock: 0x1b,
  downloadEnded: 0x1c,
  startUpload: 0x1d,
  upload: 0x1e,
  endUpload: 0x1f,
  control: 0x28,
  stop: 0x29,
} as const

/** Groups of user data functions. */
export const userDataGroup = { block: 3, cpu: 4, security: 5, time: 7 } as const

/** Errors of a whole job: class and code. */
export const jobError = {
  none: 0,
  /** The current state does not allow the service. */
  wrongState: 0x8001,
  /** Not implemented on the module, or a fault in the frame. */
  notImplemented: 0x8104,
  /** The same number is what CPUs without the permission "PUT/GET" answer to reads and writes. */
  notPermitted: 0x8104,
  /** The function is not permitted in the current protection level. */
  protectionLevel: 0xd241,
  /** The function cannot be performed. */
  failed: 0x8404,
  /** The data do not fit into the negotiated PDU. */
  pduSize: 0x8500,
} as const

/** Errors in the parameters of user data answers. */
export const userDataError = {
  none: 0,
  notImplemented: jobError.notImplemented,
  wrongState: jobError.wrongState,
  failed: jobError.failed,
  protectionLevel: jobError.protectionLevel,
  unknownBlockSyntax: 0xd201,
  blockNotFound: 0xd209,
  noBlockOfType: 0xd20e,
  unknownList: 0xd401,
  unknownListIndex: 0xd402,
  noMoreData: 0xd406,
  wrongPassword: 0xd602,
  noPasswordToClear: 0xd604,
  noPasswordToSet: 0xd605,
  invalidValue: 0xdc01,
} as const

/** Status of each item of a read or write, and of each data part of user data. */
export const returnCode = {
  /** Used in requests. */
  reserved: 0x00,
  accessDenied: 0x03,
  addressError: 0x05,
  typeNotSupported: 0x06,
  typeInconsistent: 0x07,
  notAvailable: 0x0a,
  success: 0xff,
} as const
/** A status code of {@link returnCode}. */
export type ReturnCode = (typeof returnCode)[keyof typeof returnCode]

/** Areas of items. */
export const area = {
  peripheral: 0x80,
  inputs: 0x81,
  outputs: 0x82,
  flags: 0x83,
  dataBlock: 0x84,
  instanceDataBlock: 0x85,
  counter: 0x1c,
  timer: 0x1d,
} as const

/** Types of items. */
export const itemType = {
  bit: 1,
  byte: 2,
  char: 3,
  word: 4,
  int: 5,
  dword: 6,
  dint: 7,
  real: 8,
  date: 9,
  timeOfDay: 10,
  time: 11,
  s5Time: 12,
  dateAndTime: 15,
  counter: 0x1c,
  timer: 0x1d,
} as const

/** Bytes of one element of a type. Bits, timers and counters are handled separately. */
export const itemTypeSize: ReadonlyMap<number, number> = new Map<number, number>([
  [itemType.byte, 1],
  [itemType.char, 1],
  [itemType.word, 2],
  [itemType.int, 2],
  [itemType.dword, 4],
  [itemType.dint, 4],
  [itemType.real, 4],
  [itemType.date, 2],
  [itemType.timeOfDay, 4],
  [itemType.time, 4],
  [itemType.s5Time, 2],
  [itemType.dateAndTime, 8],
])

/** Type marks of data. Lengths of `bit`, `byte` and `int` count bits, those of the others bytes. */
export const dataType = { none: 0, bit: 3, byte: 4, int: 5, dint: 6, real: 7, octets: 9 } as const
