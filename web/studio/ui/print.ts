/** Printing the view: everything of it is in the page first, also what is loaded when it comes into view. */
import { signal } from '@preact/signals'

/** Whether the view is being printed: long lists show all rows, drawings are asked for without being seen. */
export const printing = signal(false)

/** How long what is on its way is waited for, ms, and how often it is looked for. */
const longest = 60_000
const pause = 100

/** Knows of prints that the browser begins by itself. */
export function watchPrinting(): void {
  addEventListener('beforeprint', () => {
    printing.value = true
  })
  addEventListener('afterprint', () => {
    printing.value = false
  })
}

/** Prints the view when all that it shows is there. */
export async function print(): Promise<void> {
  printing.value = true
  for (let waited = 0; waited < longest; waited += pause) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (document.querySelector('#content .loading') === null) break
  }
  // It returns when the dialog is closed.
  window.print()
  printing.value = false
}
