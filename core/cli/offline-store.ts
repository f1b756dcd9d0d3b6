/** The store of a data directory that no gateway has open. */
import { join } from 'node:path'
import { openStore, type Store } from '../../store/index.ts'
import { termsOf } from '../log/job.ts'
import { jobCodec } from '../log/job-codec.ts'
import { dataDirectoryError } from './open-gateway.ts'
import { type RawOptions, readDataDir } from './options.ts'

/** Where the store of a data directory is (Gateway.open). */
export const storeDir = (dataDir: string) => join(dataDir, 'store')

/**
 * Opens the store of a data directory that is there.
 * @throws StoreError `store_locked` when a gateway has it open
 */
export function openOffline(dataDir: string, { readOnly }: { readonly readOnly: boolean }): Promise<Store> {
  return openStore({ dir: storeDir(dataDir), readOnly, create: false, terms: termsOf, codec: jobCodec })
}

/**
 * Opens the store of the data directory in the options, and closes it after use.
 * @throws CliError `dataDirectory` when there is none, or a gateway has it open
 */
export async function withStore<T>(
  raw: RawOptions,
  { readOnly }: { readonly readOnly: boolean },
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const dataDir = readDataDir(raw)
  let store: Store
  try {
    store = await openOffline(dataDir, { readOnly })
  } catch (error) {
    throw dataDirectoryError(error, dataDir)
  }
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
