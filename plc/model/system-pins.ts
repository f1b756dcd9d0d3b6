/** Data types of the parameters of system blocks and instructions, for formats that leave them out beside a literal. */

import { functionBlocks } from './system-function-blocks.ts'

/**
 * Parameters of instructions without an instance that have one type in every program (TIA Portal help of each
 * instruction); those that take several types, or are typed by a template, are left out.
 */
const functions = `
MOVE_BLK_VARIANT COUNT:UDInt SRC_INDEX:DInt DEST_INDEX:DInt
SCALE IN:Int HI_LIM:Real LO_LIM:Real BIPOLAR:Bool
UNSCALE IN:Real HI_LIM:Real LO_LIM:Real BIPOLAR:Bool
SEL G:Bool
DPRD_DAT LADDR:HW_IO
DPWR_DAT LADDR:HW_IO
DeviceStates LADDR:HW_IOSYSTEM MODE:UInt
ModuleStates LADDR:HW_DEVICE MODE:UInt
GET_DIAG MODE:UInt LADDR:HW_ANY
LED LADDR:HW_IO LED:UInt
SET_CINT CYCLE:UDInt PHASE:UDInt
SRT_DINT DTIME:Time SIGN:Word
ATTACH ADD:Bool
D_ACT_DP REQ:Bool MODE:USInt
WR_DPARM REQ:Bool
CREATE_DB REQ:Bool ATTRIB:Byte
DELETE_DB REQ:Bool
READ_DBL REQ:Bool
WRIT_DBL REQ:Bool
`

/** Data types by the upper-case name of a parameter, by the upper-case name of the block. */
const pins: ReadonlyMap<string, ReadonlyMap<string, string>> = readPins()

function readPins(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>()
  for (const line of `${functionBlocks}\n${functions}`.split('\n')) {
    const [name = '', ...entries] = line.trim().split(' ')
    const types = new Map<string, string>()
    for (const entry of entries) {
      // `i.REQ:Bool`, `i.ON:Bool=TRUE`; statics (s.) and hidden members (h.) are no parameters.
      const [, pin, type] = /^(?:(?:i|o|io)\.)?(\w+):([^=]+)/.exec(entry) ?? []
      if (pin !== undefined && type !== undefined) types.set(pin.toUpperCase(), type.replaceAll('_of_', ' of '))
    }
    if (name !== '') found.set(name.toUpperCase(), types)
  }
  return found
}

/**
 * Returns the data type of a parameter of a system block or instruction, case ignored; `undefined` when it is not
 * known, or depends on the CPU: blocks of motion control have LReal on a S7-1500 and Real on a S7-1200.
 */
export function systemPinType(block: string, pin: string): string | undefined {
  const type = pins.get(block.toUpperCase())?.get(pin.toUpperCase())
  return type === 'LReal' && /^MC_/i.test(block) ? undefined : type
}
