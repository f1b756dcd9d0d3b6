/** A drawing that the gateway makes: SVG, put into the page without what the page's policy forbids. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { send } from '../gateway.ts'
import { Loading } from './loaded.tsx'
import { printing } from './print.ts'
import { ProblemNote } from './problem.tsx'
import { svgElement } from './svg.ts'

export interface DrawingProps {
  /** `/api/devices/PLC_1/blocks/Main/picture?network=1` */
  readonly path: string
  readonly label: string
  /** The drawing is asked for again when it changes. */
  readonly version?: unknown
}

/** Asked for when it comes into view. */
export function Drawing({ path, label, version }: DrawingProps): JSX.Element {
  const ref = useRef<HTMLElement>(null)
  const [isSeen, setSeen] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    if (ref.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '400px' },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!isSeen && !printing.value) return
    const end = new AbortController()
    send(path, { signal: end.signal, headers: { Accept: 'image/svg+xml' } })
      .then((answer) => answer.text())
      .then(
        (svg) => {
          const element = svgElement(svg)
          if (element !== undefined) ref.current?.replaceChildren(element)
          setThere(true)
          setError(undefined)
        },
        (reason: unknown) => end.signal.aborted || setError(reason),
      )
    return () => end.abort()
  }, [path, isSeen || printing.value, version])
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      {!isThere && error === undefined && <Loading />}
      <section
        ref={ref}
        class={isThere ? 'sheet' : 'sheet waiting'}
        hidden={error !== undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide drawing is scrolled with the keyboard
        tabIndex={0}
        aria-label={label}
      />
    </>
  )
}
