/** Popups and slide-in screens that are open above the screen. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { ModelPopup, ModelScreen, StationModel } from '../../plugins/hmi/station-model.ts'

/** A window above the screen. */
export interface OpenPopup {
  /** Popups, slide-in screens and windows have names of their own. */
  readonly kind: 'popup' | 'slide-in' | 'window'
  /** Name of the window; of a classic popup that of its screen. */
  readonly key: string
  readonly screen: ModelPopup
  readonly left: number
  readonly top: number
  /** Of a window of WinCC Unified: the text of its title bar, and whether it has a button to close it. */
  readonly frame?: { readonly caption: string; readonly canClose: boolean }
  /** True: it goes with the screen that it was opened from. */
  readonly isBound: boolean
}

/** On: it is open then; off: it is closed; toggle: the other of the two. */
export type PopupMode = 'on' | 'off' | 'toggle'

/** Height of a title bar in pixels of the screen. */
export const titleHeight = 28

export class Popups {
  readonly #model: StationModel
  readonly #open = signal<readonly OpenPopup[]>([])

  constructor(model: StationModel) {
    this.#model = model
  }

  /** Those that are open, the last one on top. */
  get open(): ReadonlySignal<readonly OpenPopup[]> {
    return this.#open
  }

  /** The slide-in screens of the station that have something in them. */
  get slideIns(): readonly ModelPopup[] {
    return (this.#model.popups ?? []).filter(({ edge, items }) => edge !== undefined && items.length > 0)
  }

  #popup(name: string): ModelPopup | undefined {
    return this.#model.popups?.find((one) => one.edge === undefined && isNamed(one, name))
  }

  /** Opens or closes a classic popup. One that would not be seen whole opens at 0, 0, as on a panel. */
  show(name: string, mode: PopupMode, left: number, top: number, under: ModelScreen | undefined): void {
    const screen = this.#popup(name)
    if (screen === undefined) return
    const fits =
      left >= 0 &&
      top >= 0 &&
      left + screen.width <= (under?.width ?? Number.POSITIVE_INFINITY) &&
      top + screen.height <= (under?.height ?? Number.POSITIVE_INFINITY)
    const at = fits ? { left, top } : { left: 0, top: 0 }
    this.#set({ kind: 'popup', key: screen.name, screen, ...at, isBound: true }, mode)
  }

  /** Opens or closes a slide-in screen, named or by its edge, at that edge in the middle. */
  slide(name: string, mode: PopupMode, under: ModelScreen): void {
    const all = (this.#model.popups ?? []).filter(({ edge }) => edge !== undefined)
    const screen = all.find((one) => isNamed(one, name)) ?? all.find((one) => isEdge(one, name))
    if (screen === undefined) return
    const { edge, width, height } = screen
    const across = edge === 'top' || edge === 'bottom'
    const left = across ? (under.width - width) / 2 : edge === 'left' ? 0 : under.width - width
    const top = across ? (edge === 'top' ? 0 : under.height - height) : (under.height - height) / 2
    this.#set({ kind: 'slide-in', key: screen.name, screen, left, top, isBound: true }, mode)
  }

  /** Opens a screen in a window with a title bar; a popup, when no screen has the name. */
  openWindow(
    window: Pick<OpenPopup, 'key' | 'left' | 'top' | 'frame' | 'isBound'>,
    name: string,
    mode: PopupMode,
  ): void {
    const screen = this.#model.screens.find((one) => isNamed(one, name)) ?? this.#popup(name)
    if (screen !== undefined) this.#set({ ...window, kind: 'window', screen }, mode)
  }

  /** Closes a window by its name or path: `/Motor`, `./Motor`. */
  close(path: string): void {
    const key = (path.split('/').pop() ?? '').toLowerCase()
    this.#open.value = this.#open.peek().filter((one) => one.kind !== 'window' || one.key.toLowerCase() !== key)
  }

  /** Another screen is shown: what was opened from the one before goes with it. */
  leaveScreen(): void {
    this.#open.value = this.#open.peek().filter(({ isBound }) => !isBound)
  }

  #set(popup: OpenPopup, mode: PopupMode): void {
    const others = this.#open
      .peek()
      .filter(({ kind, key }) => kind !== popup.kind || key.toLowerCase() !== popup.key.toLowerCase())
    const isOpen = others.length < this.#open.peek().length
    this.#open.value = mode === 'off' || (mode === 'toggle' && isOpen) ? others : [...others, popup]
  }
}

const isNamed = (one: ModelScreen, name: string) => one.name.toLowerCase() === name.toLowerCase()
const isEdge = ({ edge }: ModelPopup, name: string) => edge !== undefined && name.toLowerCase().includes(edge)
