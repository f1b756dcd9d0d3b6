/** A form whose fields are kept while something else is shown, until it is sent. */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { draftOf, dropDraft, keepDraft } from '../drafts.ts'

export interface KeptFormProps {
  /** Unique: what the form is for and in what, `member PLC_1 Calc`. */
  readonly place: string
  readonly title: string
  readonly class?: string
  readonly children: ComponentChildren
  /** Sends the fields by name. When it rejects, they stay; the caller shows why. */
  onSend(fields: Readonly<Record<string, string>>): Promise<unknown>
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((one): one is Field => 'name' in one && one.name !== '' && 'value' in one)

const valuesOf = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]))

export function KeptForm({ place, title, children, onSend, ...rest }: KeptFormProps): JSX.Element {
  const ref = useRef<HTMLFormElement>(null)
  const empty = useRef('')
  useLayoutEffect(() => {
    const form = ref.current
    if (form === null) return
    empty.current = JSON.stringify(valuesOf(form))
    const draft = draftOf(place)
    if (draft === undefined) return
    const values = JSON.parse(draft.text) as Record<string, string>
    for (const field of fieldsOf(form)) field.value = values[field.name] ?? field.value
  }, [place])
  return (
    <form
      ref={ref}
      {...rest}
      onInput={(event) => {
        const text = JSON.stringify(valuesOf(event.currentTarget))
        if (text === empty.current) dropDraft(place)
        else keepDraft(place, { title, address: location.hash, text, base: empty.current })
      }}
      onSubmit={async (event) => {
        event.preventDefault()
        const form = event.currentTarget
        try {
          await onSend(valuesOf(form))
          dropDraft(place)
          form.reset()
        } catch {
          // What was typed stays, to be mended.
        }
      }}
    >
      {children}
    </form>
  )
}
