/** API keys: the one made at the first start, the one of the environment, and the named ones of the settings. */
import { randomBytes } from 'node:crypto'
import type { Actor } from '../contract/access.ts'
import { problem } from '../contract/problems.ts'
import { readOrCreate, SecretFileError, verifySecret } from './secrets.ts'
import type { ApiKeyEntry } from './settings.ts'

/** File in the data directory that contains the first key, mode 0600. */
export const keyFileName = 'api-key'

/** Fewest characters of a key in a file or the environment: an empty or cut off one is a mistake. */
export const fewestKeyCharacters = 8
/** Keys that may wait for a check against old hashes, each of which takes 50 ms. */
const mostWaiting = 8

export interface KeyringOptions {
  readonly dataDir: string
  /** A keyed digest of a secret. */
  readonly digest: (secret: string) => string
  /** A further key with all access. */
  readonly fromEnvironment?: string | undefined
}

/**
 * Finds the owner of a key by its digest. The digest is keyed, so that nobody can choose one: how long the search takes
 * says nothing about the keys.
 */
export class Keyring {
  readonly #digest: (secret: string) => string
  /** By the digest of the key of the data directory, or of the environment. */
  readonly #direct = new Map<string, Actor>()
  /** By the digest of a named key. */
  #named = new Map<string, Actor>()
  /** By the digest of a user's key. */
  #users = new Map<string, Actor>()
  /** Named keys as earlier versions stored them, not used since the start; the first use makes them `#named`. */
  #old: ApiKeyEntry[] = []
  #entries: readonly ApiKeyEntry[] = []
  #checking: Promise<unknown> = Promise.resolve()
  #waiting = 0

  private constructor(digest: (secret: string) => string, direct: readonly string[]) {
    this.#digest = digest
    for (const key of direct) this.#direct.set(digest(key), { name: 'admin', access: 'admin' })
  }

  /**
   * Reads the data directory's key, or makes one.
   * @returns the keyring, and the key when it was made by this call (to be shown once)
   * @throws SecretFileError when the file holds no key
   */
  static async open({ dataDir, digest, fromEnvironment }: KeyringOptions) {
    let created: string | undefined
    const file = `${dataDir}/${keyFileName}`
    const text = await readOrCreate(file, () => {
      created = `gty_${randomBytes(24).toString('base64url')}`
      return `${created}\n`
    })
    const key = text.trim()
    if (key.length < fewestKeyCharacters)
      throw new SecretFileError(
        `${file} holds ${key.length} characters, and a key has at least ${fewestKeyCharacters}. Write a key into it, or remove it: the next start makes a new one.`,
      )
    const direct = fromEnvironment ? [key, fromEnvironment] : [key]
    return { keyring: new Keyring(digest, direct), created }
  }

  /** Sets the named keys; called whenever the settings change. */
  use(entries: readonly ApiKeyEntry[]) {
    if (entries === this.#entries) return
    this.#entries = entries
    this.#old = entries.filter(({ hash }) => hash.startsWith('scrypt:'))
    this.#named = new Map(entries.map(({ name, access, hash }) => [hash, { name, access }]))
  }

  /** Sets the keys of users who may call now. A plugin that manages users calls it; keys of the settings go before. */
  useUsers(entries: readonly ApiKeyEntry[]) {
    this.#users = new Map(entries.map(({ name, access, hash }) => [hash, { name, access }]))
  }

  /** The owner of a key, as far as its digest is known. */
  known(key: string): Actor | undefined {
    return this.ofHandle(this.#digest(key))
  }

  /** Stands for a key in memory without being it: a session keeps it. */
  handleOf(key: string): string {
    return this.#digest(key)
  }

  /** The handle of the data directory's key. */
  get firstHandle(): string {
    return [...this.#direct.keys()][0]!
  }

  /** The owner of the key with this handle now; undefined when there is no such key any more. */
  ofHandle(handle: string): Actor | undefined {
    return this.#direct.get(handle) ?? this.#named.get(handle) ?? this.#users.get(handle)
  }

  /**
   * The owner of a key, also of one that an earlier version has stored; undefined for an unknown key.
   * @throws GatewayError `too_many_requests` when too many keys wait for their check already
   */
  async actorOf(key: string): Promise<Actor | undefined> {
    const known = this.known(key)
    if (known || this.#old.length === 0) return known
    if (this.#waiting >= mostWaiting)
      throw problem('too_many_requests', 'Too many API keys wait to be checked.', { extra: { retryAfterSeconds: 1 } })
    this.#waiting++
    // One at a time: a client that guesses keys must not fill the thread pool.
    const check = this.#checking.then(() => this.#checkOld(key)).finally(() => this.#waiting--)
    this.#checking = check.catch(() => undefined)
    return check
  }

  async #checkOld(key: string): Promise<Actor | undefined> {
    for (const entry of this.#old) {
      if (!(await verifySecret(key, entry.hash))) continue
      // Meanwhile the settings may have removed it.
      if (!this.#old.includes(entry)) continue
      this.#old = this.#old.filter((other) => other !== entry)
      this.#named.set(this.#digest(key), { name: entry.name, access: entry.access })
      break
    }
    return this.known(key)
  }
}
