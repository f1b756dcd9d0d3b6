/** What a start makes of a store that a recovery has saved: what of the state is not what it was. */
import { openStore, type RecoverReport } from '../../store/index.ts'
import { coreSlice } from '../access/settings.ts'
import { emptyState } from '../audit/audit.ts'
import { termsOf } from '../log/job.ts'
import { jobCodec } from '../log/job-codec.ts'
import { loadPlugins } from '../plugins/plugin-loader.ts'
import { Registry } from '../plugins/registry.ts'
import { type IncompleteEvent, restoreState } from '../state/checkpoint.ts'
import { State } from '../state/state.ts'

/** See the head of this file. */
export interface RecoveredState {
  /** Records after the checkpoint, from which the rest of the state is folded. */
  readonly folded: number
  /** Events behind lost records that could not be folded completely: how many, and the first of them. */
  readonly incompleteCount: number
  readonly incomplete: readonly IncompleteEvent[]
  /** Jobs whose end may be lost; they become Failed at the start. */
  readonly unknownJobs: readonly string[]
  /** Entries of the state whose content is lost, as `collection/key`, with its hash. */
  readonly withoutContent: readonly { readonly entry: string; readonly hash: string }[]
}

/**
 * Folds the state of a recovered store.
 * @param dir folder of the store
 * @param contents what was saved there
 */
export async function examineRecovered(
  dir: string,
  pluginDirs: readonly string[],
  contents: RecoverReport['contents'],
): Promise<RecoveredState> {
  const store = await openStore({ dir, readOnly: true, create: false, terms: termsOf, codec: jobCodec })
  try {
    const { loaded } = await loadPlugins(pluginDirs, new Registry(), new State())
    const slices = [{ name: 'core', slice: coreSlice }, ...loaded.map(({ plugin }) => plugin)]
    const state = emptyState(slices)
    const { folded, incomplete, incompleteCount, openJobs } = await restoreState(store, state, slices)
    const unknownJobs = openJobs.filter(({ isUnknown }) => isUnknown === true).map(({ jobId }) => jobId)
    const lost = new Set(contents.lost)
    const withoutContent: { entry: string; hash: string }[] = []
    for (const [id, entries] of state.snapshot()) {
      for (const [key, value] of entries)
        for (const hash of new Set(JSON.stringify(value).match(/sha256:[0-9a-f]{64}/g)))
          if (lost.has(hash)) withoutContent.push({ entry: `${id}/${key}`, hash })
    }
    return { folded, incompleteCount, incomplete, unknownJobs, withoutContent }
  } finally {
    await store.close()
  }
}
