/** A value as JSON, or a text as it is: scrolled with the keyboard when it is long. */
import type { JSX } from 'preact'

export function Json({ value }: { readonly value: unknown }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre class="json" tabIndex={0}>
      {typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '')}
    </pre>
  )
}
