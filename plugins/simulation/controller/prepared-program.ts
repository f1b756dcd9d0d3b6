/**
 * A program in the controller's thread: its module with memory, interrupts, process image, and its organization blocks
 * by class.
 */
import { createHost, type HostOptions, type ProgramHost } from '../../../plc/runtime/host.ts'
import { instanceKey } from '../../../plc/runtime/instance-names.ts'
import type { ControllerOptions } from './contract.ts'
import { HardwareInterrupts } from './hardware-interrupts.ts'
import { memoryCopy } from './memory-copy.ts'
import type { RunnableProgram } from './messages.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'
import { ProcessImage } from './process-image.ts'
import { ProgramMemory } from './program-memory.ts'
import { Schedule } from './schedule.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A program that is ready to run in this thread. */
export interface PreparedProgram {
  readonly program: RunnableProgram
  readonly host: ProgramHost
  readonly memory: ProgramMemory
  readonly image: ProcessImage
  hardware: HardwareInterrupts
  readonly schedule: Schedule
  /** Startup blocks, by ascending number. */
  readonly startup: readonly OrganizationBlockPlan[]
  readonly cyclic: readonly OrganizationBlockPlan[]
  readonly timeError: OrganizationBlockPlan | undefined
  readonly programmingError: OrganizationBlockPlan | undefined
}

/** What the program reports while it runs; `running`: the organization block that runs. */
type Reports = Pick<
  HostOptions,
  'onFault' | 'onLook' | 'roundsBetweenLooks' | 'onStop' | 'onRetrigger' | 'cycleTimes' | 'startedBlocks'
> & { readonly running: () => OrganizationBlockPlan | undefined }

/**
 * Prepares a program to run.
 * @param reports called with what the program reports while it runs
 */
export function prepareProgram(
  program: RunnableProgram,
  options: ControllerOptions,
  time: VirtualTime,
  reports: Reports,
): PreparedProgram {
  const memory = new ProgramMemory(program)
  const schedule = new Schedule(program.organizationBlocks, options, time)
  const copy = memoryCopy(program.memory, program.linked.pages)
  const image = new ProcessImage(memory.bytes, copy, program.linked, options, program.organizationBlocks)
  const host = createHost(
    // The module is compiled already.
    { ...program.linked, wasm: [] },
    {
      ...reports,
      clock: time,
      module: program.module,
      memory: program.memory,
      interrupts: schedule,
      image: {
        updateOf: (partition) => image.partitions.updateOf(partition, reports.running()),
        readInputs: (partition) => image.readInputs(partition),
        writeOutputs: (partition) => image.writeOutputs(partition),
      },
      blockOfNumber: (number) => program.numbers.get(number),
      hasOrganizationBlock: (number) => program.organizationBlocks.some((one) => one.number === number),
      instancePath: (functionBlock, address) => program.instancePaths.get(instanceKey(functionBlock, address)),
    },
  )
  const of = (eventClass: string) =>
    program.organizationBlocks.filter((one) => one.eventClass === eventClass).sort((a, b) => a.number - b.number)
  return {
    program,
    host,
    memory,
    schedule,
    image,
    hardware: new HardwareInterrupts(memory.bytes, program.linked.areas.PI, options),
    startup: of('Startup'),
    cyclic: of('ProgramCycle'),
    timeError: of('TimeErrorInterrupt')[0],
    programmingError: of('ProgrammingError')[0],
  }
}
