/** The codes in the diagnostics buffer of a virtual controller, for `GET /api/errors/{code}` and the manual. */
import type { CodeDefinition, CodeTable } from '../../../core/index.ts'

const row = (severity: string, title: string, meaning: string, remedy: string): CodeDefinition => ({
  severity,
  title,
  meaning,
  remedy,
})
const nothing = 'Nothing: it is told.'

const codes: Readonly<Record<string, CodeDefinition>> = {
  'power-on': row('information', 'Power on', 'The controller was switched on.', nothing),
  'power-off': row('information', 'Power off', 'The controller was switched off.', nothing),
  'mode-change': row(
    'information',
    'The operating state has changed',
    'The controller went to STOP, STARTUP or RUN, or virtual time was stopped or goes on.',
    nothing,
  ),
  'memory-reset': row('information', 'Memory reset', 'All data have their start values.', nothing),
  'program-loaded': row('information', 'A program was loaded', 'A download has ended.', nothing),
  'stop-instruction': row(
    'information',
    'The program has stopped the controller',
    'An instruction STP ran.',
    'Look at the place in the program that the entry names.',
  ),
  'io-access-error': row(
    'warning',
    'The program accessed I/O that is not there',
    'It read or wrote past the process image (%IW4:P) where no module is configured, or whose module was pulled. A read gives 0, what is written is lost; OB 122 is called when the program has one.',
    'Plug the module, or correct the address.',
  ),
  'event-lost': row(
    'warning',
    'An interrupt was lost',
    'An organization block was due again before it had ended or begun.',
    'Give it a longer interval, or make it shorter.',
  ),
  'cycle-time-exceeded': row(
    'warning or error',
    'The cycle took too long',
    'A cycle took longer than the maximum cycle time. OB 80 runs; without it, or at twice the time, the controller goes to STOP.',
    'Look for a loop without end, or raise `maximumCycleTimeMs`.',
  ),
  'programming-error': row(
    'error',
    'The program accessed something that is not there',
    'An index is outside its array, a reference is NULL, or a data block does not exist. OB 121 runs; without it the controller goes to STOP.',
    'Correct the block at the line that the entry names.',
  ),
  'user-message': row('information', 'A message of the program', 'The instruction Gen_UsrMsg entered a text.', nothing),
  communication: row(
    'warning',
    'A connection could not be used',
    'A partner is not allowed, a port is taken, or a connection of the configuration is not complete. The blocks of the connection have the cause in STATUS.',
    'Look at `connections` of the instance and `allowedPartners` of the runtime.',
  ),
  supervision: row(
    'warning',
    'A supervision is not watched',
    'An operand of a ProDiag supervision is not in the program, or its kind is not evaluated.',
    'Correct the supervision that the entry names.',
  ),
  'nesting-depth': row(
    'error',
    'Calls are nested too deep',
    'Blocks call one another without end, or deeper than the stack allows.',
    'Correct the calls; the check of the program names recursive ones (`recursive-call`).',
  ),
  'internal-fault': row(
    'error',
    'The program ended unexpectedly',
    'The compiled program ended in a way that no program should: an error of Gantry.',
    'Keep the program and report it.',
  ),
  'controller-ended': row(
    'error',
    "The controller's thread ended",
    'The thread of the controller ended without being told to, and is started again in STOP.',
    'Look at the message and the log; start it with `simulation.run`.',
  ),
  'password-wrong': row(
    'warning',
    'A wrong password was presented',
    'A client that went online, loaded or called over S7 presented a password that is none of the controller. Each one in a row delays the next answer longer.',
    'Find out who it was: the entry names the key or the address.',
  ),
  'memory-card-damaged': row(
    'error',
    'The memory card cannot be read',
    'A file of the controller in the data directory is damaged or missing.',
    'Download the program again.',
  ),
  'retentive-data-lost': row(
    'warning or error',
    'Retentive data were lost or could not be saved',
    'The file of retentive data is damaged, or the disk refused it; retentive data have their start values.',
    'Look at the space and the rights of the data directory.',
  ),
}

export const diagnosticsBufferCodes: CodeTable = {
  title: 'Entries of the diagnostics buffer',
  codes: () => new Map(Object.entries(codes)),
}
