/** Who looks at the station: shown in the header, and the form that asks for a key. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { messageOf, needsEntry } from '../gateway.ts'
import { allows, caller, enterAgain, enterWithKey, forgetKey, keptKey } from '../session.ts'
import { say } from './words.ts'

const isAsked = signal(false)
const fault = signal('')

/** Whether the form is to be seen: it is needed, or somebody else wants to operate. */
export const showsEntry = () => needsEntry.value || isAsked.value

function enter(form: HTMLFormElement): void {
  fault.value = ''
  const key = String(new FormData(form).get('key') ?? '').trim()
  enterWithKey(key).then(
    () => {
      isAsked.value = false
    },
    (error: unknown) => {
      fault.value = messageOf(error)
    },
  )
}

/** Forgets the key of this tab; the page goes on with the session of the browser when there is one. */
function signOut(): void {
  isAsked.value = false
  forgetKey()
  enterAgain().catch(() => undefined)
}

/** Asks for an API key. It lies over the station when there is one. */
export function EntryForm({ station, culture }: { readonly station: string; readonly culture: string }): JSX.Element {
  const isForced = needsEntry.value
  return (
    <section class="entry" aria-label={say('Sign in', culture)}>
      <h1>{station || 'HMI'}</h1>
      {isForced && caller.value !== undefined && <p>{say('The session has ended.', culture)}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          enter(event.currentTarget)
        }}
      >
        <label>
          {say('API key', culture)} <input name="key" type="password" autocomplete="off" required />
        </label>
        <p>{say('The key is kept in this tab. Operating needs the access level operator.', culture)}</p>
        <button type="submit">{say('Open', culture)}</button>
        {!isForced && (
          <button type="button" onClick={() => (isAsked.value = false)}>
            {say('Cancel', culture)}
          </button>
        )}
        {!isForced && keptKey() !== undefined && (
          <button type="button" onClick={signOut}>
            {say('Sign out', culture)}
          </button>
        )}
      </form>
      <p role="alert">{say(fault.value, culture)}</p>
    </section>
  )
}

/** Name and access level, and the way to another one. */
export function Who({ culture }: { readonly culture: string }): JSX.Element | null {
  const who = caller.value
  if (who === undefined) return null
  return (
    <span class="who">
      {who.name.split('/')[0]} · {who.access}
      {!allows('operator') && ` · ${say('display only', culture)}`}{' '}
      <button type="button" onClick={() => (isAsked.value = true)}>
        {say('Change user', culture)}
      </button>
    </span>
  )
}
