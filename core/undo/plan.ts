/**
 * What taking back commands would do: worked out from what they changed and from the state as it is now
 * (docs/design.md#undo). An entry goes back to what it was before the first of the commands, if it still is what the
 * last of them made of it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Collection, Ownership } from '../contract/collection.ts'
import { indexValues } from '../contract/collection.ts'
import { mostFaults, problem } from '../contract/problems.ts'
import { type UndoEntry, type UndoObstacle, type UndoView, undoCheck } from '../contract/undo-check.ts'
import { apartOf, contentOf, isProjectState } from '../contract/undone.ts'
import { iso } from '../log/job.ts'
import type { State } from '../state/state.ts'
import { type Step, takenBack } from './steps.ts'

export interface UndoPlan {
  /** Oldest first. */
  readonly steps: readonly Step[]
  readonly entries: readonly UndoEntry[]
  /** Number of the entries that are content: without what only goes with them. */
  readonly changed: number
  /** What is no content and went with an owner that comes back. Its contents may be gone: then it stays away. */
  readonly attached: readonly UndoEntry[]
}

/** JSON equality: a value from the log has no fields that are undefined. */
function same(a: unknown, b: unknown, apart: readonly string[]): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  const plain = (value: unknown) => JSON.parse(JSON.stringify(contentOf(value, apart)))
  return isDeepStrictEqual(plain(a), plain(b))
}

/**
 * Plans to take back some steps.
 *
 * @param steps oldest first; not empty
 * @param all every step that is known, oldest first
 * @throws GatewayError `cannot_undo`, `undo_conflict`
 */
export function planUndo(state: State, steps: readonly Step[], all: readonly Step[]): UndoPlan {
  requireUndoable(steps, all)
  const obstacles: UndoObstacle[] = []
  const whole = new Map<string, Map<string, { readonly before: unknown; after: unknown }>>()
  for (const { changes } of steps)
    for (const [id, change] of changes) {
      const apart = apartOf(definitionOf(state, id))
      const entries = whole.get(id) ?? new Map<string, { readonly before: unknown; after: unknown }>()
      whole.set(id, entries)
      for (const key of change.keys()) {
        const known = entries.get(key)
        if (known === undefined) entries.set(key, { before: change.before(key), after: change.after(key) })
        else {
          if (!same(known.after, change.before(key), apart))
            obstacles.push({ collection: id, key, reason: 'was changed in between' })
          known.after = change.after(key)
        }
      }
    }
  const entries: UndoEntry[] = []
  for (const [id, changed] of whole) {
    const definition = definitionOf(state, id)
    const apart = apartOf(definition)
    const now = state.read(definition)
    for (const [key, { before, after }] of changed) {
      const present = now.get(key)
      if (same(present, before, apart)) continue
      if (same(present, after, apart)) entries.push({ collection: id, key, value: contentOf(before, apart) })
      else obstacles.push({ collection: id, key, reason: present === undefined ? 'is gone' : 'was changed' })
    }
  }
  const owned = ownership(state, entries)
  refuse(state, [...obstacles, ...owned.obstacles], steps, all)
  const attached = attachedTo(state, steps, entries)
  return { steps, entries: [...entries, ...owned.removed], changed: entries.length, attached }
}

/** Number of entries that a step made something else of: others it only wrote again. */
export function changedBy(state: State, { changes }: Step): number {
  return [...changes].reduce((sum, [id, change]) => {
    const apart = apartOf(definitionOf(state, id))
    return sum + change.keys().filter((key) => !same(change.before(key), change.after(key), apart)).length
  }, 0)
}

/** What went with owners that come back. */
function attachedTo(state: State, steps: readonly Step[], entries: readonly UndoEntry[]): UndoEntry[] {
  const back = new Set(
    entries.flatMap(({ collection, key, value }) => (value === undefined ? [] : `${collection} ${key}`)),
  )
  const found = new Map<string, UndoEntry>()
  for (const { attached, changes } of steps) {
    const wentHere = ({ owner: { keptIn = '' } }: Ownership, id: string) =>
      back.has(`${keptIn} ${id}`) && changes.get(keptIn)?.keys().includes(id) && !changes.get(keptIn)?.after(id)
    for (const [collection, change] of attached) {
      const definition = definitionOf(state, collection)
      const { owners, indexes } = definition
      for (const key of change.keys()) {
        const value = change.before(key)
        if (value === undefined || change.after(key) !== undefined || state.read(definition).has(key)) continue
        const went = owners.some(
          (one) =>
            one.index !== undefined && indexValues(indexes[one.index]!, value, key).some((id) => wentHere(one, id)),
        )
        if (went) found.set(`${collection} ${key}`, { collection, key, value })
      }
    }
  }
  return [...found.values()]
}

/**
 * Runs the checks of the plugins.
 *
 * @param read the state with the undo
 * @throws GatewayError `undo_conflict`
 */
export function checkUndo(state: State, { steps, entries }: UndoPlan, all: readonly Step[], ctx: UndoView): void {
  const obstacles = ctx.extensions(undoCheck).flatMap((check) => [...check(ctx, entries)])
  refuse(state, obstacles, steps, all)
}

function definitionOf(state: State, id: string): Collection<unknown> {
  // What a step changed is of loaded plugins.
  return state.definition(id)!
}

/** @throws GatewayError `cannot_undo` */
function requireUndoable(steps: readonly Step[], all: readonly Step[]) {
  const final = steps.filter((step) => step.final !== undefined)
  const [first] = final
  if (first) {
    const more = final.length > 1 ? ` (and ${final.length - 1} more commands)` : ''
    throw problem('cannot_undo', `Job ${first.jobId} (${first.command}) cannot be taken back: ${first.final}${more}`, {
      errors: final.slice(0, mostFaults).map((step) => ({
        path: `/jobs/${step.jobId}`,
        message: `${step.command}: ${step.final}`,
      })),
    })
  }
  const oldest = all.indexOf(steps[0]!)
  const barrier = all.findLast((step, at) => at > oldest && step.isBarrier)
  if (barrier)
    throw problem(
      'cannot_undo',
      `Job ${steps[0]!.jobId} (${steps[0]!.command}) cannot be taken back any more: ${barrier.final} (job ${barrier.jobId}, ${barrier.command})`,
    )
}

/**
 * What owners ask for: what later work put into something that goes stands in the way; what is no content goes with
 * it. What comes back needs its owner.
 */
function ownership(state: State, entries: readonly UndoEntry[]) {
  const obstacles: UndoObstacle[] = []
  const removed: UndoEntry[] = []
  const [gone, back] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  for (const { collection, key, value } of entries) {
    const map = value === undefined ? gone : back
    map.set(collection, (map.get(collection) ?? new Set<string>()).add(key))
  }
  for (const [id, keys] of gone)
    for (const kind of state.reductions.ownersIn(id))
      for (const { collection, index } of state.reductions.ownedBy(kind)) {
        if (index === undefined) continue
        for (const owner of keys)
          for (const key of state.read(collection).findKeys(index, owner)) {
            if (gone.get(collection.id)?.has(key)) continue
            if (isProjectState(collection)) obstacles.push({ collection: collection.id, key, reason: 'is in it' })
            else removed.push({ collection: collection.id, key, value: undefined })
          }
      }
  for (const { collection: id, key, value } of entries) {
    if (value === undefined) continue
    const { owners, indexes } = definitionOf(state, id)
    for (const { owner, index } of owners) {
      if (owner.keptIn === undefined || index === undefined) continue
      const definition = state.definition(owner.keptIn)
      if (!definition) continue
      for (const ownerId of indexValues(indexes[index]!, value, key))
        if (!back.get(definition.id)?.has(ownerId) && !state.read(definition).has(ownerId))
          obstacles.push({ collection: definition.id, key: ownerId, reason: 'is gone' })
    }
  }
  return { obstacles, removed }
}

/** So many obstacles are looked at for their names and jobs. */
const mostTold = 1000

/** @throws GatewayError `undo_conflict` that names the later jobs */
function refuse(state: State, obstacles: readonly UndoObstacle[], steps: readonly Step[], all: readonly Step[]): void {
  if (obstacles.length === 0) return
  const own = new Set(steps.map(({ jobId }) => jobId))
  const later = all.slice(all.indexOf(steps[0]!) + 1).filter(({ jobId }) => !own.has(jobId))
  const lastChange = lastChanges(later)
  // Entries with a name before those that only index them; each once.
  const distinct = new Map(obstacles.map((one) => [`${one.collection}/${one.key}`, one]))
  const told = [...distinct.values()]
    .slice(0, mostTold)
    .map((one) => ({ ...one, name: nameOf(state, one, steps), step: lastChange(one.collection, one.key) }))
    .sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined))
  const errors = told.slice(0, mostFaults).map(({ collection, key, name, reason, step }) => ({
    path: `/${collection}/${key}`,
    message: `${kindOf(collection)} "${name ?? ownKey(key)}" ${reason}${step ? `, by job ${step.jobId} (${step.command})` : ''}`,
  }))
  const jobs = [...new Set(told.flatMap(({ step }) => (step ? [step] : [])))]
  const more = distinct.size > 1 ? ` (and ${distinct.size - 1} more)` : ''
  const [job] = jobs
  throw problem('undo_conflict', `Later work stands in the way: ${errors[0]!.message}${more}.`, {
    errors,
    extra: {
      laterJobs: jobs
        .slice(0, mostFaults)
        .map(({ jobId, command, actor, time }) => ({ jobId, command, actor, time: iso(time) })),
    },
    ...(job ? { suggestion: `POST /api/history/undo { "jobId": "${job.jobId}" } first.` } : {}),
  })
}

/** The latest step that changed an entry; one that is taken back only when there is no other. */
function lastChanges(later: readonly Step[]) {
  const taken = takenBack(later)
  const newest = [...later].reverse()
  const inOrder = [
    ...newest.filter(({ jobId, kind }) => kind === 'command' && !taken.has(jobId)),
    ...newest.filter(({ jobId, kind }) => kind !== 'command' || taken.has(jobId)),
  ]
  return (collection: string, key: string): Step | undefined =>
    inOrder.find(({ changes }) => {
      const change = changes.get(collection)
      return change !== undefined && change.before(key) !== change.after(key)
    })
}

/** A key without the id of the owner that most begin with. */
function ownKey(key: string): string {
  return key.slice(key.indexOf('/') + 1)
}

/** `block`, `master copy`: from the id of a collection, `blocks.blocks`, `libraries.master-copies`. */
function kindOf(collection: string): string {
  const last = collection.slice(collection.lastIndexOf('.') + 1)
  return last.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')
}

function nameOf(state: State, { collection, key }: UndoObstacle, steps: readonly Step[]): string | undefined {
  const values = [
    state.read(definitionOf(state, collection)).get(key),
    ...steps.flatMap(({ changes }) => [changes.get(collection)?.after(key), changes.get(collection)?.before(key)]),
  ]
  for (const value of values) {
    const { name } = (typeof value === 'object' && value !== null ? value : {}) as { name?: unknown }
    if (typeof name === 'string') return name
  }
  return undefined
}
