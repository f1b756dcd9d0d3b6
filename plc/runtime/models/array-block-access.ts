/**
 * ReadFromArrayDBL and WriteToArrayDBL (TIA Portal help): an element of an array data block in load memory. The
 * simulated controller has no separate load memory: the element is that of the data block itself, and a job ends in the
 * call that starts it.
 */
import { type ArrayBlockCodes, copyElement } from '../routines/any-blocks.ts'
import type { Model } from './instance-view.ts'

const reads: ArrayBlockCodes = { noBlock: 0x8231, noArray: 0x8235, types: 0x80b4, index: 0x8382, noValue: 0x8750 }
const writes: ArrayBlockCodes = { ...reads, noValue: 0x8450 }

function access(isRead: boolean): Model {
  return (instance) => {
    const request = instance.is('REQ')
    const isStarted = request && !instance.is('REQ_OLD')
    let error = 0
    if (isStarted) {
      const [number, index] = [instance.number('DB'), instance.number('INDEX')]
      const value = instance.behind('VALUE')?.cell
      error =
        number === 0 ? 0x8230 : copyElement(instance.context, [number, index], value, isRead, isRead ? reads : writes)
      if (error !== 0) instance.context.fail()
    }
    // ERROR is an Int.
    instance.setAll({ REQ_OLD: request, BUSY: false, DONE: isStarted && error === 0, ERROR: (error << 16) >> 16 })
  }
}

/** Models by name in upper case. */
export const arrayBlockModels: Readonly<Record<string, Model>> = {
  READFROMARRAYDBL: access(true),
  WRITETOARRAYDBL: access(false),
}
