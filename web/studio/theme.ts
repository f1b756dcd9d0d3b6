/** Dark or light: as the system, or as chosen. The colours are CSS variables of `style.css`. */
import { computed, effect, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const kept = localStorage.getItem('gantry-theme')
const system = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(system.matches)
system.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches
})

/** What is chosen. */
export const theme = signal<Theme>(themes.find((one) => one === kept) ?? 'system')
/** Whether dark colours are shown. */
export const isDark = computed(() => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value))

effect(() => {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light'
})

/** Chooses, and keeps the choice. */
export function useTheme(next: Theme): void {
  theme.value = next
  localStorage.setItem('gantry-theme', next)
}
