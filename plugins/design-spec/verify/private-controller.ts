/** A controller for one check: in stepped time, with a memory card in its own temporary folder. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobHash } from '../../../plc/compiler/program-file.ts'
import {
  type Controller,
  createController,
  loadPackage,
  requireProgram,
  resolveTag,
  writeValue,
} from '../../simulation/index.ts'
import { type Scratch, selector } from './scratch.task.ts'

/** Runs a program: the controller is in Run when `work` is called, and is deleted after it. */
export async function withPrivateController<T>(
  program: NonNullable<Scratch['program']>,
  work: (controller: Controller) => Promise<T>,
): Promise<T> {
  const storage = await mkdtemp(join(tmpdir(), 'gantry-phases-'))
  const controller = await createController({
    name: 'Verification',
    storage,
    maximumCycleTimeMs: 1000,
    minimumCycleTimeMs: 1,
    time: { mode: 'stepped', cycleTimeMs: 1 },
    startTime: Date.UTC(2026, 0, 1),
    utcOffsetMinutes: 0,
    retentiveFlags: 0,
    startup: 'Stop',
    pendingAlarms: 1000,
    connections: [],
    cyclicInterrupts: {},
  })
  try {
    await controller.change('powerOn')
    const blobs = new Map(program.blobs.map(({ hash, bytes }) => [hash, bytes]))
    const load = loadPackage({ program: program.hash }, blobs, blobHash)
    await controller.load(load, { inRun: false, reinitialize: true })
    await controller.change('run')
    return await work(controller)
  } finally {
    await controller.dispose()
    await rm(storage, { recursive: true, force: true })
  }
}

/** Lets the program call only the phase with this number. */
export async function choosePhase(controller: Controller, number: number): Promise<void> {
  const tag = resolveTag(requireProgram(controller), `"${selector.block}"."${selector.member}"`)
  await controller.write(writeValue(tag, number))
}
