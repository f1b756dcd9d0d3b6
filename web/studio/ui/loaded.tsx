/** Content that is asked of the gateway. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../i18n.ts'
import { ProblemNote } from './problem.tsx'

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

/** Shows the content, that it is being loaded, or why not. */
export function Show<T>({
  of,
  children,
}: {
  readonly of: Loaded<T>
  children(value: T): ComponentChildren
}): JSX.Element {
  if (of.error !== undefined) return <ProblemNote error={of.error} onRetry={of.reload} />
  if (of.value === undefined) return <p class="quiet pad">{t('frame.loading')}</p>
  return <>{children(of.value)}</>
}
