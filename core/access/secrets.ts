/**
 * Secrets never reach the log, the job record, the audit, a pino line or an MCP transcript in the clear
 * (docs/design.md#secrets). Before a command is written anywhere, its secret fields are hashed (scrypt, RFC 7914),
 * digested (HMAC-SHA-256, RFC 2104) or sealed (AES-256-GCM), the last two under the key of the data directory.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fieldForms, formsOf, itemForms, type PlainSchema, type Protection } from '../contract/schema.ts'

/**
 * OWASP's parameters for scrypt: N = 2^15, r = 8, p = 3 would take 100 ms; N = 2^14, r = 8, p = 5 is equivalent and
 * takes less memory.
 */
const cost = { N: 2 ** 14, r: 8, p: 5, maxmem: 64 * 1024 * 1024 }

const derive = (secret: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(secret.normalize('NFC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key))),
  )

/** `scrypt:<salt>:<hash>`, base64url. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('base64url')}:${(await derive(secret, salt)).toString('base64url')}`
}

/** True when the secret is the one that was hashed. The comparison takes constant time. */
export async function verifySecret(secret: string, hashed: string): Promise<boolean> {
  const [kind, salt, hash] = hashed.split(':')
  if (kind !== 'scrypt' || !salt || !hash) return false
  const wanted = Buffer.from(hash, 'base64url')
  const found = await derive(secret, Buffer.from(salt, 'base64url'))
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}

/** Seals and opens values under one key. */
export class Sealer {
  readonly #key: Buffer
  constructor(key: Buffer) {
    this.#key = key
  }

  /**
   * Reads the key file, or creates it (mode 0600).
   * @throws SecretFileError when its content is not a key
   */
  static async load(file: string): Promise<{ sealer: Sealer; created: boolean }> {
    let created = false
    const text = await readOrCreate(file, () => {
      created = true
      return randomBytes(keyBytes).toString('base64url')
    })
    const key = Buffer.from(text.trim(), 'base64url')
    if (key.length !== keyBytes || key.toString('base64url') !== text.trim())
      throw new SecretFileError(
        `${file} is damaged: it must have the ${keyBytes} bytes of a key in base64url. Restore it from a backup. Without one, remove it: the next start makes a new one, and the named API keys and stored passwords must be entered again.`,
      )
    return { sealer: new Sealer(key), created }
  }

  /** A secret as it is kept. */
  protect(secret: string, protection: Protection): string | Promise<string> {
    if (protection === 'seal' || protection === 'keep-sealed') return this.seal(secret)
    return protection === 'digest' ? this.digest(secret) : hashSecret(secret)
  }
  /**
   * What a command gets of a secret that is kept: the secret itself when it is to be used at once, else what is kept.
   */
  unprotect(kept: string, protection: Protection): string {
    return protection === 'seal' ? this.open(kept) : kept
  }

  /** `hmac:<digest>`, base64url: the same for the same secret, and of no use without the key. */
  digest(secret: string): string {
    return `hmac:${this.mac(`secret\0${secret}`)}`
  }

  seal(secret: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv)
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return `sealed:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
  }

  /** A keyed digest (HMAC-SHA-256): compares inputs without revealing a weak secret in them. */
  mac(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }

  /** @throws Error when the value was sealed under another key or was changed */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed.slice('sealed:'.length), 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  }
}

const keyBytes = 32

/** A file with a secret in the data directory cannot be used; the message names it and the remedy. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/** Reads a small text file, or creates it with mode 0600 and the result of `make`. */
export async function readOrCreate(file: string, make: () => string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const content = make()
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return content
}

const holding = new WeakMap<PlainSchema, boolean>()

/** True when a schema has a secret in it, or the input of an operation, which may have one. */
export function holdsSecrets(schema: PlainSchema): boolean {
  let holds = holding.get(schema)
  if (holds === undefined) {
    const text = JSON.stringify(schema)
    holds = text.includes('"x-secret"') || text.includes('"x-input-of"')
    holding.set(schema, holds)
  }
  return holds
}

/** A copy of an input in which `transform` has replaced every secret field of the schema. */
export async function mapSecrets(
  value: unknown,
  schema: PlainSchema,
  transform: (secret: string, protection: Protection) => string | Promise<string>,
): Promise<unknown> {
  return mapForms(value, formsOf(schema), transform)
}

/** @param forms of the value: a secret in any of them is a secret */
async function mapForms(
  value: unknown,
  forms: readonly PlainSchema[],
  transform: Parameters<typeof mapSecrets>[2],
): Promise<unknown> {
  if (value === null || value === undefined || !forms.some(holdsSecrets)) return value
  const protection = forms.find((form) => form['x-secret'])?.['x-secret']
  if (protection && typeof value === 'string') return transform(value, protection)
  if (Array.isArray(value)) return Promise.all(value.map((item) => mapForms(item, itemForms(forms), transform)))
  if (typeof value !== 'object') return value
  const out: Record<string, unknown> = { ...value }
  for (const name of Object.keys(out)) out[name] = await mapForms(out[name], fieldForms(forms, name), transform)
  return out
}

/** The form of the results of `hashSecret` and `Sealer.digest`: 16 and 32 bytes, 32 bytes, in base64url. */
const hashedSecret = /^(?:scrypt:[\w-]{22}:[\w-]{43}|hmac:[\w-]{43})$/
const longestHashed = 'scrypt:'.length + 22 + 1 + 43
const sealedPrefix = 'sealed:'
/** The 28 bytes of vector and tag in base64url: a sealed text has at least these. */
const shortestSealed = sealedPrefix.length + 38

/**
 * True for a secret as it is kept. Linear and without a stack that grows with the text: a sealed text may be long, and
 * a pattern with a quantifier over all of it overflows.
 */
export function isProtected(text: string): boolean {
  if (text.startsWith(sealedPrefix))
    return text.length >= shortestSealed && !/[^\w-]/.test(text.slice(sealedPrefix.length))
  return text.length <= longestHashed && hashedSecret.test(text)
}

/**
 * A logged value for readers: hashed and sealed secrets are left out, because the secret behind a hash of a weak
 * password can be found by trial. Returns the same object when there is nothing to leave out.
 */
export function withoutSecrets<T>(value: T): T
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return isProtected(value) ? '(secret)' : value
  if (value === null || typeof value !== 'object') return value
  let copy: Record<string, unknown> | unknown[] | undefined
  for (const key of Object.keys(value)) {
    const before = (value as Record<string, unknown>)[key]
    const after = withoutSecrets(before)
    if (after === before) continue
    copy ??= Array.isArray(value) ? [...value] : { ...value }
    ;(copy as Record<string, unknown>)[key] = after
  }
  return copy ?? value
}
