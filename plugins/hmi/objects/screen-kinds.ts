/**
 * The kinds of screens: what is shown as a screen of its own, what opens above others, and what is only part of others.
 * In TIA Portal each has a folder of its own (Screens; Templates, Pop-up screens, Slide-in screens and the others below
 * the screen management), and so names of its own.
 */

/** The kinds, with the `screenType` of each, which is its element in exports: `Hmi.Screen.ScreenPopup`. */
export const screenKinds = {
  screen: { screenType: 'Screen', noun: 'screen', plural: 'screens' },
  template: { screenType: 'ScreenTemplate', noun: 'template', plural: 'templates' },
  popup: { screenType: 'ScreenPopup', noun: 'popup screen', plural: 'popups' },
  'slide-in': { screenType: 'ScreenSlidein', noun: 'slide-in screen', plural: 'slide-ins' },
  'global-screen': { screenType: 'ScreenGlobalElements', noun: 'global screen', plural: 'global-screens' },
  'permanent-area': { screenType: 'ScreenOverview', noun: 'permanent area', plural: 'permanent-areas' },
} as const

export type ScreenKind = keyof typeof screenKinds
export type ScreenType = (typeof screenKinds)[ScreenKind]['screenType']

export const screenKindNames = Object.keys(screenKinds) as ScreenKind[]
export const screenTypes: ScreenType[] = screenKindNames.map((kind) => screenKinds[kind].screenType)

/** The kind of a `screenType`. */
export function screenKindOf(screenType: string): ScreenKind {
  return screenKindNames.find((kind) => screenKinds[kind].screenType === screenType) ?? 'screen'
}

export function isScreenKind(kind: string): kind is ScreenKind {
  return Object.hasOwn(screenKinds, kind)
}

const edges = ['top', 'bottom', 'left', 'right'] as const

/** The edge of a slide-in screen, by its name: `GraphX_Slidein_Top`, `Slide-in screen left`; else the bottom. */
export function edgeOf(name: string): (typeof edges)[number] {
  return edges.find((edge) => name.toLowerCase().includes(edge)) ?? 'bottom'
}
