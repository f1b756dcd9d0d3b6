/** API keys: the one made at the first start, the one of the environment, and the named ones of the settings. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Actor } from './access.ts'
import { readOrCreate, verifySecret } from './secrets.ts'
import type { ApiKeyEntry } from './settings.ts'

const digest = (key: string) => createHash('sha256').update(key).digest()

/** File in the data directory that contains the first key, mode 0600. */
export const keyFileName = 'api-key'

export class Keyring {
  /** Digests of the keys from the file and the environment. */
  readonly #direct: { readonly name: string; readonly digest: Buffer }[]
  #entries: readonly ApiKeyEntry[] = []
  /** scrypt takes 50 ms by design; a key that was accepted or refused once is afterwards recognised by its digest. */
  #seen = new LRUCache<string, Actor | { refused: true }>({ max: 10_000 })
  #checking: Promise<unknown> = Promise.resolve()

  private constructor(direct: { name: string; digest: Buffer }[]) {
    this.#direct = direct
  }

  /**
   * Reads the data directory's key, or makes one.
   * @returns the keyring, and the key when it was made by this call (to be shown once)
   */
  static async open(dataDir: string, fromEnvironment?: string): Promise<{ keyring: Keyring; created?: string }> {
    let created: string | undefined
    const direct: { name: string; digest: Buffer }[] = []
    const text = await readOrCreate(`${dataDir}/${keyFileName}`, () => {
      created = `gty_${randomBytes(24).toString('base64url')}`
      return `${created}\n`
    })
    direct.push({ name: 'admin', digest: digest(text.trim()) })
    if (fromEnvironment) direct.push({ name: 'admin', digest: digest(fromEnvironment) })
    return { keyring: new Keyring(direct), ...(created ? { created } : {}) }
  }

  /** Sets the named keys; called whenever the settings change. */
  use(entries: readonly ApiKeyEntry[]) {
    if (entries === this.#entries) return
    this.#entries = entries
    this.#seen.clear()
  }

  /** The owner of a key, when no scrypt is needed to know it. */
  known(key: string): Actor | undefined {
    const seen = this.#seen.get(digest(key).toString('base64'))
    return seen && !('refused' in seen) ? seen : undefined
  }

  /** The owner of a key; undefined for an unknown key. */
  async actorOf(key: string): Promise<Actor | undefined> {
    const hash = digest(key)
    const cacheKey = hash.toString('base64')
    const seen = this.#seen.get(cacheKey)
    if (seen) return 'refused' in seen ? undefined : seen
    let actor: Actor | undefined
    for (const direct of this.#direct)
      if (timingSafeEqual(direct.digest, hash)) actor = { name: direct.name, access: 'admin' }
    if (!actor && this.#entries.length > 0) {
      // One at a time: a client that guesses keys must not fill the thread pool.
      const check = this.#checking.then(() => this.#verify(key))
      this.#checking = check.catch(() => undefined)
      actor = await check
    }
    this.#seen.set(cacheKey, actor ?? { refused: true })
    return actor
  }

  async #verify(key: string): Promise<Actor | undefined> {
    for (const entry of this.#entries) {
      if (await verifySecret(key, entry.hash)) return { name: entry.name, access: entry.access }
    }
    return undefined
  }
}
