/** The errors of online work beside those of the core. */
import { type CodeTable, type ProblemDefinition, problemsOf } from '../../core/index.ts'
import { securityProblems } from '../security/index.ts'
import { simulationProblems } from '../simulation/index.ts'

export const onlineProblems = {
  device_unreachable: {
    status: 409,
    title: 'The device cannot be reached',
    meaning:
      'A device is reachable when a virtual controller that is powered on has the IP address of one of its interfaces. `addresses` names the addresses that were looked for, `instances` the virtual controllers there are.',
    remedy:
      'Power on an instance with the address of the device, create one, or send `ipAddress` to reach the controller at another address.',
    example: 'Device "PLC_1" cannot be reached: no instance has the address 192.168.0.1.',
  },
  program_not_compiled: {
    status: 409,
    title: 'The program is not compiled',
    meaning:
      'Only a program that is compiled, and has not changed since, can be downloaded. `errors` names what is not.',
    remedy: 'Compile the device, or send `compile: true` with the download.',
    example: 'The program of "PLC_1" has changed since it was compiled.',
  },
  values_would_be_lost: {
    status: 409,
    title: 'A download in RUN would re-initialise values',
    meaning:
      'While the CPU runs, a download keeps the values of all members that are still there by name and type. `errors` names those that it cannot keep, because the member is gone or of another type.',
    remedy:
      'Send `reinitializeChanged: true` to let these values become start values, `reinitialize: true` to let those of all data blocks, or take a snapshot of the values first.',
    example: 'The download would re-initialise values of "PLC_1" while it runs: "Data".limit.',
  },
  program_has_errors: {
    status: 422,
    title: 'The program has errors',
    meaning: 'A program with errors of the compiler cannot be downloaded. `errors` has the first of them.',
    remedy: 'Correct the errors and compile the device.',
    example: 'The program of "PLC_1" has 2 errors: PLC_1/Program blocks/Main/Network 1: "x" is not declared.',
  },
  simulation_support_off: {
    status: 409,
    title: 'The project does not support simulation',
    meaning: 'A program can be loaded into a virtual controller only when the project says that it may be.',
    remedy: 'POST /api/projects/actions/simulation-support { "enabled": true }.',
    example: 'Project "Line" does not support simulation.',
  },
  incompatible_cpu: {
    status: 409,
    title: 'The controller is of another family',
    meaning: 'A program is compiled for one family of controllers and cannot be loaded into another.',
    remedy: 'Create an instance with the CPU type of the device.',
    example: 'Device "PLC_1" is an S7-1200 (CPU 1214C DC/DC/DC), instance "Sim" an S7-1500 (CPU 1515-2 PN).',
  },
  memory_exceeded: {
    status: 422,
    title: 'The memory of the CPU is too small',
    meaning:
      'The program takes more code work memory, data work memory or load memory than the CPU of the controller has. `errors` has each kind with `value` (needed) and `allowed` (available), in bytes.',
    remedy:
      'Make the program smaller, or use a larger CPU. GET /api/devices/{deviceName}/program/memory lists what each block takes.',
    example:
      'The program of "PLC_1" does not fit into its CPU (CPU 1511-1 PN), data work memory: 1953.2 kB are needed, the CPU has 1024 kB.',
  },
  device_offline: {
    status: 409,
    title: 'The device is offline',
    meaning: 'Live values, modifying and forcing need an online connection of the device with its controller.',
    remedy: 'POST /api/devices/{deviceName}/online.',
    example: 'Device "PLC_1" is offline: its tables have no values, and nothing can be modified or forced.',
  },
} as const satisfies Record<string, ProblemDefinition>

/** Codes of the entries of `errors` that only a transfer has. */
export const transferCodes: CodeTable = {
  title: 'Faults of a transfer',
  codes: () =>
    new Map([
      [
        'know-how-protected',
        {
          severity: 'fault',
          title: 'The block is know-how protected',
          meaning:
            'The transfer would replace a protected block by another one, or remove it; its content could not be had back.',
          remedy:
            'Leave the block out, or keep a copy of it and delete it first; `message` says what would happen to it.',
        },
      ],
    ]),
}

/** Makes an error of this plugin, of virtual controllers or of the core. */
export const problem = problemsOf({ ...simulationProblems, ...securityProblems, ...onlineProblems })
