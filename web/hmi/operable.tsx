/** Objects that do something when they are operated, by mouse, touch and keyboard. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { fire, isOperable } from './actions.ts'
import { inLanguage } from './convert.ts'
import type { ItemProps } from './drawing.ts'

/** Objects with controls of their own. */
const controls = new Set([
  'IOField',
  'SymbolicIOField',
  'Slider',
  'Switch',
  'AlarmView',
  'TrendView',
  'FaceplateInstance',
])

/** What an object is pressed by: a pointer, by its ID, or the keyboard. */
type Presser = number | 'key'

/** An object that does something is a button. */
export function Operable({ runtime, item, children }: ItemProps & { children: ComponentChildren }): JSX.Element {
  if ((!isOperable(item) && item.type !== 'Button') || controls.has(item.type)) return <>{children}</>
  return (
    <Pressable runtime={runtime} item={item}>
      {children}
    </Pressable>
  )
}

function Pressable({ runtime, item, children }: ItemProps & { children: ComponentChildren }): JSX.Element {
  const enabled = runtime.read(item, 'enabled').value
  const isOff = enabled === false || enabled === 'false'
  const label = inLanguage(item.texts.text ?? item.texts.textOff, runtime.culture.value) || item.name
  const presser = useRef<Presser | undefined>(undefined)
  /** Whether the pointer was let go on the object: a click elsewhere is none. */
  const isInside = useRef(true)
  const press = (by: Presser) => {
    if (isOff || presser.current !== undefined) return
    presser.current = by
    void fire(runtime, item, 'Press', 'Down')
  }
  // Also when it was switched off meanwhile: what was pressed is released.
  const release = (by?: Presser) => {
    if (presser.current === undefined || (by !== undefined && presser.current !== by)) return
    presser.current = undefined
    void fire(runtime, item, 'Release', 'Up')
  }
  const click = () => {
    if (!isOff) void fire(runtime, item, 'Click', 'Tapped')
  }
  const last = useRef(release)
  last.current = release
  useEffect(() => {
    // The window loses the focus, is hidden or closed, or the object goes: nobody would tell of the release.
    const lost = () => last.current()
    const hidden = () => {
      if (document.visibilityState === 'hidden') lost()
    }
    window.addEventListener('blur', lost)
    window.addEventListener('pagehide', lost)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      window.removeEventListener('blur', lost)
      window.removeEventListener('pagehide', lost)
      document.removeEventListener('visibilitychange', hidden)
      lost()
    }
  }, [])
  const isKey = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' '
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
    <g
      role="button"
      tabindex={isOff ? -1 : 0}
      aria-label={label}
      aria-disabled={isOff}
      class="operable"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        isInside.current = true
        // The release comes here wherever the pointer is then.
        event.currentTarget.setPointerCapture(event.pointerId)
        press(event.pointerId)
      }}
      onPointerUp={(event) => {
        isInside.current = event.currentTarget.contains(document.elementFromPoint(event.clientX, event.clientY))
        release(event.pointerId)
      }}
      onPointerCancel={({ pointerId }) => release(pointerId)}
      onLostPointerCapture={({ pointerId }) => release(pointerId)}
      onClick={() => {
        if (isInside.current) click()
      }}
      onKeyDown={(event) => {
        if (!isKey(event)) return
        event.preventDefault()
        if (!event.repeat) press('key')
      }}
      onKeyUp={(event) => {
        if (!isKey(event) || presser.current !== 'key') return
        release('key')
        click()
      }}
      onBlur={() => release('key')}
    >
      {children}
    </g>
  )
}
