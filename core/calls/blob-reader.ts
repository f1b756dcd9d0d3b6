/** Blobs of the store, and of another source where the store has not all of them: a replay of the past. */
import type { Store } from '../../store/index.ts'
import type { BlobReader } from '../contract/context.ts'

/** Reads from the store, and from `source` what the store does not have. */
export function blobReaderOf({ blobs }: Store, source: Pick<BlobReader, 'get'> | undefined): BlobReader {
  const get = async (hash: string) => {
    if (source && !(await blobs.has(hash))) return source.get(hash)
    return blobs.get(hash)
  }
  return {
    get: source ? get : (hash) => blobs.get(hash),
    text: async (hash) => (await get(hash)).toString('utf8'),
    async has(...hashes) {
      if (await blobs.has(...hashes)) return true
      if (!source) return false
      const found = await Promise.allSettled(hashes.map(get))
      return found.every(({ status }) => status === 'fulfilled')
    },
  }
}
