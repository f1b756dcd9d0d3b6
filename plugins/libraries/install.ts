/**
 * Puts objects of a library into a device. What is in the way is found for all of them before anything is stored; for
 * each there is a choice: replace what is there, another name, or leave what is there.
 */
import { type CommandContext, defined, type Fault, problem } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import {
  type Choice,
  kindNamed,
  kindsOf,
  type LibraryKind,
  type LibraryObject,
  type Obstacle,
  type StoredIn,
} from './kinds.ts'

/** An object that is wanted on the device. */
export interface Wanted {
  readonly object: LibraryObject
  /** Folder for it; an object that is there already stays where it is. */
  readonly folder: string
  /** Its name on the device, when it is not its own. */
  readonly newName?: string
  /** What has its name on the device may be replaced without a choice of the client. */
  readonly mayReplace?: boolean
  /** It is what has the name on the device: another name is no way out. */
  readonly keepsName?: boolean
}

/** What the client chose to do about what is in the way. */
export interface Choices {
  readonly onConflict?: Choice | undefined
  /** For single objects, by their names in the library. */
  readonly choices?: readonly { readonly name: string; readonly choice: Choice }[] | undefined
}

/** The outcome of an object. `kept`: the present one stays, and the object was not stored. */
export interface Installed {
  readonly kind: string
  readonly type: string
  readonly name: string
  /** Its name in the library, when it got another one. */
  readonly originalName?: string
  readonly folder: string
  readonly number?: number
  readonly action: 'created' | 'replaced' | 'unchanged' | 'kept'
  readonly isDependency: boolean
}

/** Parallel to what was wanted; `stored` is absent for what was kept. */
export interface InstalledAs {
  readonly shown: Installed
  readonly stored?: Pick<StoredIn, 'id' | 'document'>
}

interface Plan {
  readonly wanted: Wanted
  readonly kind: LibraryKind
  name: string
  number: number | undefined
  decision: 'store' | 'overwrite' | 'keep'
  object: LibraryObject
  isThere: boolean
}

/** New names can make other objects differ from those that are there; beyond so many rounds nobody follows. */
const mostRounds = 25

/**
 * Stores the objects.
 * @param names of objects that stay as they are, with what they are called on the device
 * @throws GatewayError `conflict` naming everything that is in the way and has no choice; nothing is stored then
 */
export async function install(
  ctx: CommandContext,
  device: Device,
  wanted: readonly Wanted[],
  options: Choices,
  names: readonly (readonly [name: string, onDevice: string])[] = [],
): Promise<{ readonly objects: readonly InstalledAs[]; readonly warnings: readonly string[] }> {
  const known = new Set(kindsOf(ctx, device).map(({ kind }) => kind))
  const plans: Plan[] = []
  for (const one of wanted) {
    const kept = kindNamed(ctx, one.object.kind)
    const kind = kept.kindNow === undefined ? kept : kindNamed(ctx, await kept.kindNow(ctx, one.object))
    if (!known.has(kind.kind))
      throw problem('conflict', `"${device.name}" (${device.kind}) has no objects of kind ${kind.noun}.`)
    const name = one.newName ?? one.object.name
    if (one.newName !== undefined) kind.requireName(name, '/newName')
    plans.push({ wanted: one, kind, name, number: undefined, decision: 'store', object: one.object, isThere: false })
  }
  const warnings: string[] = []
  for (let round = 0; ; round++) {
    if (round > mostRounds) throw problem('conflict', 'New names bring ever more objects in the way; choose others.')
    await applyNames(ctx, device, plans, names)
    if (!(await decide(ctx, device, plans, options, warnings))) break
  }
  const objects = await storeAll(ctx, device, plans, warnings)
  return { objects, warnings: [...new Set(warnings)] }
}

/** Gives each object its name, and what it uses theirs. */
async function applyNames(
  ctx: CommandContext,
  device: Device,
  plans: readonly Plan[],
  names: readonly (readonly [name: string, onDevice: string])[],
): Promise<void> {
  const renamed = new Map<string, readonly [string, string]>()
  const known = new Set(names.map(([name]) => name.toLowerCase()))
  for (const pair of names) if (pair[0] !== pair[1]) renamed.set(pair[0].toLowerCase(), pair)
  for (const { wanted, name, kind } of plans) {
    const { name: own } = wanted.object
    if (kind.isSymbol && own !== name && !known.has(own.toLowerCase())) renamed.set(own.toLowerCase(), [own, name])
  }
  for (const plan of plans) {
    const { object: original } = plan.wanted
    const pairs = original.uses.map((name) => renamed.get(name.toLowerCase())).filter((pair) => pair !== undefined)
    const isOther = plan.name !== original.name
    plan.object =
      isOther || plan.number !== undefined || pairs.length > 0
        ? await plan.kind.changed(ctx, device, original, {
            ...(isOther ? { name: plan.name } : {}),
            ...defined({ number: plan.number }),
            uses: pairs,
          })
        : original
  }
}

/** Looks for what is in the way and does what was chosen. True: names have changed, so it must be looked again. */
async function decide(
  ctx: CommandContext,
  device: Device,
  plans: readonly Plan[],
  { onConflict, choices: ofObjects = [] }: Choices,
  warnings: string[],
): Promise<boolean> {
  const chosen = new Map(ofObjects.map(({ name, choice }) => [name.toLowerCase(), choice]))
  const taken = new Set(plans.map(({ name }) => name.toLowerCase()))
  const faults: Fault[] = []
  let isChanged = false
  const numbers = new Map<LibraryKind, Set<string>>()
  const numbersFor = (kind: LibraryKind): Set<string> => {
    const known = numbers.get(kind) ?? kind.numbersTaken(ctx, device)
    if (!numbers.has(kind))
      for (const { object } of plans)
        if (object.number !== undefined) known.add(`${object.objectKind.replace(/^.*DB$/, 'DB')}/${object.number}`)
    numbers.set(kind, known)
    return known
  }
  for (const kind of new Set(plans.map((plan) => plan.kind))) {
    const own = plans.filter((plan) => plan.kind === kind && plan.decision !== 'keep')
    const obstacles = await kind.obstacles(
      ctx,
      device,
      own.map(({ object }) => object),
    )
    for (const [i, plan] of own.entries()) {
      const obstacle = obstacles[i]
      plan.isThere = obstacle === 'same'
      if (obstacle === undefined || obstacle === 'same') continue
      const keepsName = plan.wanted.keepsName === true && obstacle.code !== 'number_taken'
      const choices = keepsName ? obstacle.choices.filter((one) => one !== 'rename') : obstacle.choices
      if (plan.decision === 'overwrite' && choices.includes('overwrite')) continue
      const isFree = plan.wanted.mayReplace === true && obstacle.code === 'exists'
      const choice = isFree ? 'overwrite' : (chosen.get(plan.wanted.object.name.toLowerCase()) ?? onConflict)
      if (choice === undefined || !choices.includes(choice))
        faults.push(faultOf(kind, plan, { ...obstacle, choices }, choice))
      else if (choice === 'overwrite') plan.decision = 'overwrite'
      else if (choice === 'keep') {
        plan.decision = 'keep'
        if (obstacle.code !== 'exists')
          warnings.push(`${kind.noun} "${plan.object.name}" was left out: ${obstacle.message}.`)
      } else if (obstacle.code === 'number_taken') {
        plan.number = kind.freeNumber(plan.object, numbersFor(kind))
        isChanged = true
      } else {
        plan.name = kind.freeName(ctx, device, plan.name, taken)
        taken.add(plan.name.toLowerCase())
        isChanged = true
      }
    }
  }
  refuse(faults, device)
  return isChanged
}

function faultOf(kind: LibraryKind, plan: Plan, obstacle: Obstacle, choice: Choice | undefined): Fault {
  const { code, message, choices } = obstacle
  const not = choice === undefined ? '' : `; "${choice}" is not possible`
  const { name } = plan.wanted.object
  const path = `${kind.noun} "${plan.object.name}"`
  return { path, code, message: `${message}${not}`, value: name, allowed: choices }
}

const mostFaults = 1000

function refuse(faults: readonly Fault[], device: Device): void {
  const [first] = faults
  if (!first) return
  const more = faults.length > 1 ? ` (${faults.length} in the way)` : ''
  throw problem('conflict', `${first.path}: ${first.message}${more}. Nothing was stored on "${device.name}".`, {
    errors: faults.slice(0, mostFaults),
    suggestion:
      'Send "onConflict": "overwrite", "rename" or "keep", or "choices": [{ "name", "choice" }] for single objects; `allowed` says what is possible for each.',
    ...(faults.length > mostFaults ? { extra: { omittedErrors: faults.length - mostFaults } } : {}),
  })
}

async function storeAll(
  ctx: CommandContext,
  device: Device,
  plans: readonly Plan[],
  warnings: string[],
): Promise<InstalledAs[]> {
  const order = kindsOf(ctx, device).map(({ kind }) => kind)
  const inOrder = [...plans].sort((a, b) => order.indexOf(a.kind.kind) - order.indexOf(b.kind.kind))
  const done = new Map<Plan, InstalledAs>()
  for (const [i, plan] of inOrder.entries()) {
    if (i % 50 === 0) {
      ctx.signal.throwIfAborted()
      ctx.progress((95 * i) / inOrder.length, `Storing ${i + 1} of ${inOrder.length}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    done.set(plan, await storeOne(ctx, device, plan, warnings))
  }
  return plans.map((plan) => done.get(plan)!)
}

async function storeOne(ctx: CommandContext, device: Device, plan: Plan, warnings: string[]): Promise<InstalledAs> {
  const { kind, object, wanted, decision, isThere } = plan
  const { objectKind, name, number, isDependency = false } = object
  const original = wanted.object.name === name ? {} : { originalName: wanted.object.name }
  const about = { kind: kind.kind, type: objectKind, ...original, isDependency }
  const present = kind.find(ctx, device, name)
  if (decision === 'keep' || isThere) {
    const shown: Installed = {
      ...about,
      name: present?.name ?? name,
      folder: present?.folder ?? '',
      action: isThere ? 'unchanged' : 'kept',
    }
    return isThere && present ? { shown, stored: { id: present.id, document: object.document } } : { shown }
  }
  const folder = present?.folder ?? (wanted.folder === '' ? '' : kind.ensureFolder(ctx, device, wanted.folder))
  const stored = await kind.store(ctx, device, object, { folder, overwrite: decision === 'overwrite' })
  warnings.push(...stored.warnings)
  const { id, document, action } = stored
  const numbered = stored.number ?? number
  return {
    shown: {
      ...about,
      name: stored.name,
      folder: stored.folder,
      ...defined({ number: numbered }),
      action,
    },
    stored: { id, document },
  }
}
