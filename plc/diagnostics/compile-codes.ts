/**
 * Codes of diagnostics about compilation as a whole and about the hardware configuration. Examples of hardware are
 * settings.
 */
import type { DiagnosticCode } from './diagnostic-code.ts'

const plain = 'FUNCTION "Scale" : Void\nBEGIN\n  ;\nEND_FUNCTION\n'

const publishing = (value: string) =>
  plain.replace('Void\n', `Void\n{ S7_Optimized_Access := 'TRUE'; Published := '${value}' }\n`)

/** Diagnostic codes by name. */
export const compileCodes = {
  'protected-block': {
    severity: 'error',
    title: 'The block is know-how protected',
    explanation: 'The code of a protected block is not in its export, so it cannot be compiled.',
    fails: plain.replace('BEGIN', 'KNOW_HOW_PROTECT\nBEGIN'),
    passes: plain,
  },
  'unreadable-object': {
    severity: 'error',
    title: 'The text of an object cannot be read',
    explanation: 'The stored text of a block or type is no valid SimaticML or source any more. Import it again.',
    fails: plain.replace('END_FUNCTION', ''),
    passes: plain,
  },
  'compiler-failure': {
    severity: 'error',
    title: 'The compiler failed',
    explanation:
      'A mistake of the compiler, not of the block. The other blocks are compiled nevertheless. No program is known that has it.',
    fails: '',
    passes: plain,
  },
  'code-too-deep': {
    severity: 'error',
    title: 'The block is nested too deep to be compiled',
    explanation:
      'An expression, a network or a call has thousands of operations inside each other: inputs of one call, contacts in series. Divide it; the other blocks are compiled nevertheless.',
    // Too long for an example: test/depth.int.test.ts has them.
    fails: '',
    passes: plain,
  },
  unpublished: {
    severity: 'error',
    title: 'The software unit does not publish the object',
    explanation:
      'Blocks, types and data blocks of a software unit are for the unit itself, unless they are published. In a unit whose objects say whether they are (`Published` in a source), one that says nothing is not.',
    fails: `NAMESPACE Oven\n${publishing('TRUE').replace('"Scale"', '"Heat"')}${plain.replace('  ;', '  "Heat"();')}END_NAMESPACE\n${plain.replace('"Scale"', '"Main"').replace('  ;', '  _.Oven.Scale();')}`,
    passes: `NAMESPACE Oven\n${publishing('TRUE')}END_NAMESPACE\n${plain.replace('"Scale"', '"Main"').replace('  ;', '  _.Oven.Scale();')}`,
  },
  'unsupported-language': {
    severity: 'error',
    title: 'Networks of this language cannot be compiled',
    explanation:
      'The block is kept, shown and exported, but there is no code for networks in its language. The message names it.',
    fails: '',
    passes: plain,
  },
  'memory-exceeded': {
    severity: 'error',
    title: 'The memory of the CPU is too small',
    explanation:
      'The program takes more code work memory, data work memory or load memory than the CPU of the device has. `GET /api/devices/{deviceName}/program/memory` lists what each block takes.',
    fails: 'CPU 1511-1 PN (6ES7 511-1AK02-0AB0, 1 MB of data): data : Array[0..1999999] of Byte',
    passes: 'CPU 1515-2 PN (6ES7 515-2AM02-0AB0, 3 MB of data): data : Array[0..1999999] of Byte',
  },
  'type-of-cpu': {
    severity: 'error',
    title: 'The CPU does not have the data type',
    explanation:
      'S7-1200 has neither LWord, LInt, ULInt, LTime, LTime_Of_Day and LDT nor S5Time, Date_And_Time, Any and Pointer. LReal and DTL it has. S7-300 and S7-400 have no unsigned numbers, none of 8 and 64 bits, no LReal, DTL, WString and Variant. A constant of such a type and a conversion to it are errors too. It is a warning where only LInt holds both sides of an operation and the CPU does not have it.',
    fails: 'CPU 1214C DC/DC/DC (6ES7 214-1AG40-0XB0): total : ULInt',
    passes: 'CPU 1511-1 PN (6ES7 511-1AK02-0AB0): total : ULInt',
  },
  'instruction-of-cpu': {
    severity: 'error',
    title: 'The CPU does not have the instruction',
    explanation:
      'The TIA Portal help names the CPUs that have an instruction; S7-1200 has none of those whose page is for S7-1500 alone, e.g. DRUM, WAIT, JOIN and Program_Alarm.',
    fails: 'CPU 1214C DC/DC/DC (6ES7 214-1AG40-0XB0): TIME_TCK()',
    passes: 'CPU 1511-1 PN (6ES7 511-1AK02-0AB0): TIME_TCK()',
  },
  'hardware-unplaced': {
    severity: 'error',
    title: 'The device has no place',
    explanation: 'The device lies in the parking lot.',
    fails: 'unplaced: true',
    passes: 'unplaced: false',
  },
  'hardware-ip-address': {
    severity: 'error',
    title: 'The IP address is not possible',
    explanation:
      'An IP address is four numbers from 0 to 255; neither the address of the subnet itself nor its broadcast address.',
    fails: 'ipAddress: 192.168.0.255, subnetMask: 255.255.255.0',
    passes: 'ipAddress: 192.168.0.1, subnetMask: 255.255.255.0',
  },
  'hardware-subnet-mask': {
    severity: 'error',
    title: 'The subnet mask is not possible',
    explanation: 'A mask is a row of ones, then zeros.',
    fails: 'subnetMask: 255.0.255.0',
    passes: 'subnetMask: 255.255.255.0',
  },
  'hardware-router': {
    severity: 'error',
    title: 'The router is not in the subnet',
    explanation: 'A router lies in the subnet of the interface that uses it.',
    fails: 'ipAddress: 192.168.0.1, subnetMask: 255.255.255.0, routerAddress: 10.0.0.1',
    passes: 'ipAddress: 192.168.0.1, subnetMask: 255.255.255.0, routerAddress: 192.168.0.254',
  },
  'hardware-duplicate-ip': {
    severity: 'error',
    title: 'Two interfaces of a subnet have one address',
    explanation: 'Every interface in a subnet has an IP address of its own.',
    fails: 'PLC_1: 192.168.0.1, HMI_1: 192.168.0.1',
    passes: 'PLC_1: 192.168.0.1, HMI_1: 192.168.0.2',
  },
  'hardware-duplicate-name': {
    severity: 'error',
    title: 'Two interfaces of a subnet have one PROFINET name',
    explanation: 'PROFINET finds devices by their names.',
    fails: 'IO_1: valves, IO_2: valves',
    passes: 'IO_1: valves-1, IO_2: valves-2',
  },
  'hardware-io-system': {
    severity: 'warning',
    title: 'An IO system has no controller, or two',
    explanation:
      'An IO system belongs to one controller; its devices are addressed by it. Two controllers are an error.',
    fails: 'IO_1: device of "PROFINET IO-System"',
    passes: 'PLC_1: controller of "PROFINET IO-System", IO_1: device of it',
  },
  'hardware-no-ip': {
    severity: 'warning',
    title: 'An interface has no IP address',
    explanation:
      'An interface that is connected to an Ethernet subnet has an IP address in the project, unless the program or DHCP sets it. For the controller of an IO system it is an error.',
    fails: 'X1: subnet: PN/IE_1',
    passes: 'X1: subnet: PN/IE_1, ipAddress: 192.168.0.1',
  },
  'hardware-no-controller': {
    severity: 'warning',
    title: 'An IO device has no controller',
    explanation: 'Nothing reads or writes the inputs and outputs of an IO device that is assigned to no controller.',
    fails: 'IO_1: in no IO system',
    passes: 'IO_1: device of "PROFINET IO-System", whose controller is PLC_1',
  },
  'hardware-address-overlap': {
    severity: 'error',
    title: 'Two modules share I/O addresses',
    explanation:
      'The modules of a controller and those of its IO devices have different bytes of inputs, and different bytes of outputs, within the range of the CPU.',
    fails: 'DI_1: inputs 0 to 3, DI_2: inputs 2 to 3',
    passes: 'DI_1: inputs 0 to 3, DI_2: inputs 4 to 5',
  },
  'hardware-missing-module': {
    severity: 'error',
    title: 'A module is missing',
    explanation:
      'A station of S7-1500, S7-1200 or ET 200 has no empty slot between its modules; an ET 200SP ends with a server module (a warning) and has a BusAdapter.',
    fails: 'ET 200SP: modules in slots 1 and 3',
    passes: 'ET 200SP: modules in slots 1 and 2, server module in slot 3',
  },
  'hardware-base-unit': {
    severity: 'error',
    title: 'The BaseUnit does not fit',
    explanation:
      'A module of ET 200SP needs a BaseUnit of a certain type, and the first one of a station opens a potential group.',
    fails: 'slot 1: potentialGroup: left',
    passes: 'slot 1: potentialGroup: new, slot 2: potentialGroup: left',
  },
  'hardware-firmware': {
    severity: 'warning',
    title: 'The firmware of a module is not known',
    explanation: 'The catalog knows versions of the module, and the configured one is not among them.',
    fails: 'IM 155-6 PN ST: V0.1',
    passes: 'IM 155-6 PN ST: V4.2',
  },
} satisfies Readonly<Record<string, DiagnosticCode>>
