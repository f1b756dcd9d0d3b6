/** Content that is asked of the gateway. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../i18n.ts'
import { Missing, type Way } from './missing.tsx'
import { ProblemNote, problemOf } from './problem.tsx'

export interface Loaded<T> {
  /** The last answer; it stays while a new one is on its way. */
  readonly value: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
}

/** Loads when it is shown and whenever one of the `inputs` changes; an answer to an older question is left out. */
export function useLoaded<T>(load: (until: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; isLoading: boolean }>({ isLoading: true })
  const [round, setRound] = useState(0)
  const current = useRef(load)
  current.current = load
  useEffect(() => {
    const end = new AbortController()
    setState((now) => ({ ...now, isLoading: true }))
    current.current(end.signal).then(
      (value) => end.signal.aborted || setState({ value, isLoading: false }),
      (error: unknown) => end.signal.aborted || setState({ error, isLoading: false }),
    )
    return () => end.abort()
  }, [...inputs, round])
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload: () => setRound((n) => n + 1) }
}

/** Stands where something is on its way, so that nobody takes the place for empty. */
export function Loading(): JSX.Element {
  return (
    <p class="loading quiet pad" role="status">
      <span class="spinner" aria-hidden="true" /> {t('frame.loading')}
    </p>
  )
}

export interface ShowProps<T> {
  readonly of: Loaded<T>
  /** Where to go when it is not there. */
  readonly ways?: readonly Way[]
  children(value: T): ComponentChildren
}

/** Shows the content, that it is being loaded, or why not. */
export function Show<T>({ of, ways, children }: ShowProps<T>): JSX.Element {
  if (of.error !== undefined) {
    const { status, detail, suggestion } = problemOf(of.error)
    if (status === 404 && ways !== undefined)
      return (
        <Missing text={detail} ways={ways}>
          {suggestion !== undefined && <p class="quiet">{suggestion}</p>}
        </Missing>
      )
    return <ProblemNote error={of.error} onRetry={of.reload} />
  }
  if (of.value === undefined) return <Loading />
  return <>{children(of.value)}</>
}
