/** The screen with what is open above it. */
import type { JSX } from 'preact'
import type { ModelPopup, ModelScreen } from '../../plugins/hmi/station-model.ts'
import { isOperable } from './actions.ts'
import { colour } from './convert.ts'
import { Item } from './items.tsx'
import { type OpenPopup, titleHeight } from './popups.ts'
import type { Runtime } from './runtime.ts'
import { say } from './words.ts'

/** A finger needs this much (WCAG 2.5.5), CSS pixels. */
const fingerSize = 44

/** How much larger than it was made a screen is on a phone, so that all that is pressed is large enough; twice at most. */
export function phoneScale({ items }: ModelScreen): number {
  const pressed = items.filter((item) => isOperable(item) || item.type === 'Button' || item.type === 'Switch')
  const least = Math.min(fingerSize, ...pressed.map(({ width, height }) => Math.max(1, Math.min(width, height))))
  return Math.min(2, fingerSize / least)
}

export function ScreenView({ of, screen }: { readonly of: Runtime; readonly screen: ModelScreen }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset
    <svg
      class="screen"
      style={{ '--phone-width': `${Math.round(screen.width * phoneScale(screen))}px` }}
      viewBox={`0 0 ${screen.width} ${screen.height}`}
      role="group"
      aria-label={screen.name}
      data-screen={screen.name}
    >
      <Content of={of} screen={screen} />
      {of.popups.open.value.map((popup) => (
        <Popup key={`${popup.kind}/${popup.key}`} of={of} popup={popup} />
      ))}
      {/* Above the slide-in screens, which they push back. */}
      {of.popups.slideIns.map((one) => (
        <Handle key={one.name} of={of} slideIn={one} under={screen} />
      ))}
    </svg>
  )
}

function Content({ of, screen }: { readonly of: Runtime; readonly screen: ModelScreen }): JSX.Element {
  return (
    <>
      <rect width={screen.width} height={screen.height} fill={colour(screen.backColor, '#ffffff')} />
      {screen.items.map((item, i) => (
        <Item key={`${i}/${item.name}`} runtime={of} item={item} />
      ))}
    </>
  )
}

/** A screen in a window: with a title bar when it was opened as one of WinCC Unified. */
function Popup({ of, popup }: { readonly of: Runtime; readonly popup: OpenPopup }): JSX.Element {
  const { kind, key, screen, left, top, frame } = popup
  const bar = frame === undefined ? 0 : titleHeight
  const close = () => of.closePopup(key)
  return (
    <svg
      x={left}
      y={top}
      width={screen.width}
      height={screen.height + bar}
      role="dialog"
      aria-label={key}
      data-popup={key}
      data-kind={kind}
    >
      {frame !== undefined && (
        <>
          <rect width={screen.width} height={bar} fill="#22303c" />
          <text x={8} y={bar / 2} dominant-baseline="central" font-size={14} fill="#ffffff">
            {frame.caption || key}
          </text>
          {frame.canClose && (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
            <g
              role="button"
              tabindex={0}
              class="operable"
              aria-label={`${say('Close', of.culture.value)} ${frame.caption || key}`}
              onClick={close}
              onKeyDown={({ key: pressed }) => {
                if (pressed === 'Enter' || pressed === ' ') close()
              }}
            >
              <rect x={screen.width - bar} width={bar} height={bar} fill="#22303c" />
              <text
                x={screen.width - bar / 2}
                y={bar / 2}
                text-anchor="middle"
                dominant-baseline="central"
                fill="#ffffff"
              >
                ✕
              </text>
            </g>
          )}
        </>
      )}
      <g transform={`translate(0 ${bar})`}>
        <Content of={of} screen={screen} />
      </g>
      <rect class="popup-line" width={screen.width} height={screen.height + bar} />
    </svg>
  )
}

/** Thickness of the handle of a slide-in screen, and the part of the edge that it takes. */
const thickness = 14
const part = 1 / 3

/** The handle at the edge, by which a slide-in screen is pulled out and pushed back. */
function Handle({ of, slideIn, under }: { of: Runtime; slideIn: ModelPopup; under: ModelScreen }): JSX.Element {
  const { edge, name } = slideIn
  const isAcross = edge === 'top' || edge === 'bottom'
  const [width, height] = isAcross ? [under.width * part, thickness] : [thickness, under.height * part]
  const x = isAcross ? (under.width - width) / 2 : edge === 'left' ? 0 : under.width - thickness
  const y = isAcross ? (edge === 'top' ? 0 : under.height - thickness) : (under.height - height) / 2
  const isOpen = of.popups.open.value.some(({ kind, key }) => kind === 'slide-in' && key === name)
  const toggle = () => of.slide(name, 'toggle')
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
    <g
      role="button"
      tabindex={0}
      class="operable"
      aria-label={name}
      aria-expanded={isOpen}
      data-handle={name}
      onClick={toggle}
      onKeyDown={({ key }) => {
        if (key === 'Enter' || key === ' ') toggle()
      }}
    >
      <rect class="handle" x={x} y={y} width={width} height={height} rx={4} />
    </g>
  )
}
