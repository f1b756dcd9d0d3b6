/** A form made from a JSON Schema of the OpenAPI document: fields by type, objects and lists inside each other. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { t, word } from '../i18n.ts'
import { Icon } from './icon.tsx'
import { Marked } from './marked-text.tsx'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly $ref?: string
}

export interface SchemaFormProps {
  readonly schema: Schema
  readonly value: Readonly<Record<string, unknown>>
  /** Messages of the gateway by path: `/devices/0/name`. */
  readonly faults?: Readonly<Record<string, string>>
  /** Follows a `$ref` of the document. */
  resolve?(ref: string): Schema | undefined
  onChange(value: Readonly<Record<string, unknown>>): void
}

interface FieldProps {
  readonly schema: Schema
  readonly name: string
  readonly path: string
  readonly value: unknown
  readonly isRequired: boolean
  readonly form: SchemaFormProps
  onChange(value: unknown): void
}

/** Fields of an object; those that are required come first. */
export function SchemaForm(props: SchemaFormProps): JSX.Element {
  return (
    <Fields schema={followed(props.schema, props)} path="" value={props.value} form={props} onChange={props.onChange} />
  )
}

/** The schema behind a reference, and the only one of a choice that is no `null`. */
function followed(schema: Schema, form: SchemaFormProps): Schema {
  if (schema.$ref !== undefined) return followed(form.resolve?.(schema.$ref) ?? {}, form)
  const choices = schema.anyOf ?? schema.oneOf
  const real = choices?.filter(({ type }) => type !== 'null')
  // Undefined hides the choice that is followed (exactOptionalPropertyTypes).
  if (real?.length === 1) return { ...schema, ...followed(real[0] as Schema, form), anyOf: undefined as never }
  if (choices?.length && choices.every((choice) => choice.const !== undefined))
    return { ...schema, enum: choices.map((choice) => choice.const) }
  return schema
}

const withValue = (object: Readonly<Record<string, unknown>>, name: string, value: unknown) => {
  const { [name]: _, ...rest } = object
  return value === undefined ? rest : { ...rest, [name]: value }
}

function Fields({
  schema,
  path,
  value,
  form,
  onChange,
}: {
  readonly schema: Schema
  readonly path: string
  readonly value: Readonly<Record<string, unknown>>
  readonly form: SchemaFormProps
  onChange(value: Readonly<Record<string, unknown>>): void
}): JSX.Element {
  const required = schema.required ?? []
  const names = Object.keys(schema.properties ?? {})
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ]
  return (
    <div class="fields">
      {ordered.map((name) => (
        <Field
          key={name}
          name={name}
          path={`${path}/${name}`}
          schema={followed(schema.properties?.[name] as Schema, form)}
          value={value[name]}
          isRequired={required.includes(name)}
          form={form}
          onChange={(next) => onChange(withValue(value, name, next))}
        />
      ))}
    </div>
  )
}

function Field(props: FieldProps): JSX.Element {
  const { schema, name, path, isRequired, form } = props
  const id = useId()
  const fault = form.faults?.[path]
  return (
    <div class={`field${fault === undefined ? '' : ' faulty'}`}>
      <label for={id}>
        {name}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <div>
        <Input {...props} id={id} describedBy={`${id}-about`} />
        <p id={`${id}-about`} class="about">
          {fault !== undefined && <strong>{fault} </strong>}
          {schema.description !== undefined && <Marked text={schema.description} />}
        </p>
      </div>
    </div>
  )
}

interface InputProps extends FieldProps {
  readonly id: string
  readonly describedBy: string
  /** Of an entry of a list, which has no label beside it. */
  readonly label?: string
}

function Input(props: InputProps): JSX.Element {
  const { schema, value, isRequired, id, describedBy, path, form, onChange } = props
  const shared = {
    ...{ id, 'aria-describedby': describedBy, 'aria-required': isRequired },
    ...(props.label === undefined ? {} : { 'aria-label': props.label }),
  }
  const type = typeOf(schema)
  const choices = choicesOf(schema)
  if (schema.enum === undefined && choices.length > 1) return <Choice {...props} choices={choices} />
  if (schema.enum !== undefined)
    return (
      <select
        {...shared}
        value={value === undefined ? '' : JSON.stringify(value)}
        onChange={(event) => {
          const text = event.currentTarget.value
          onChange(text === '' ? undefined : JSON.parse(text))
        }}
      >
        <option value="">{unset(schema)}</option>
        {schema.enum.map((one) => (
          <option key={String(one)} value={JSON.stringify(one)}>
            {String(one)}
          </option>
        ))}
      </select>
    )
  if (type === 'boolean')
    return (
      <select
        {...shared}
        value={value === undefined ? '' : String(value)}
        onChange={(event) => {
          const text = event.currentTarget.value
          onChange(text === '' ? undefined : text === 'true')
        }}
      >
        <option value="">{unset(schema)}</option>
        <option value="true">{t('frame.yes')}</option>
        <option value="false">{t('frame.no')}</option>
      </select>
    )
  if (type === 'integer' || type === 'number')
    return (
      <input
        {...shared}
        type="number"
        step={type === 'integer' ? 1 : 'any'}
        min={schema.minimum}
        max={schema.maximum}
        placeholder={example(schema)}
        value={value === undefined ? '' : String(value)}
        onInput={(event) => {
          const text = event.currentTarget.value
          onChange(text === '' ? undefined : Number(text))
        }}
      />
    )
  if (type === 'string') {
    const onInput = (event: { currentTarget: { value: string } }) =>
      onChange(event.currentTarget.value === '' && !isRequired ? undefined : event.currentTarget.value)
    const text = String(value ?? '')
    if (schema.format === 'password' || /password|secret/i.test(props.name))
      return <input {...shared} type="password" autocomplete="off" value={text} onInput={onInput} />
    const isLong = /content|source|code|text|xml/i.test(props.name) || text.includes('\n')
    return isLong ? (
      <textarea {...shared} rows={4} value={text} onInput={onInput} />
    ) : (
      <input {...shared} type="text" autocomplete="off" placeholder={example(schema)} value={text} onInput={onInput} />
    )
  }
  if (type === 'array' && schema.items !== undefined) return <Items {...props} items={followed(schema.items, form)} />
  if (schema.properties?.contentBase64 !== undefined && schema.properties.fileName !== undefined)
    return <input {...shared} type="file" onChange={async (event) => onChange(await uploaded(event.currentTarget))} />
  if (type === 'object' && schema.properties !== undefined)
    return value === undefined && !isRequired ? (
      <button {...shared} type="button" onClick={() => onChange({})}>
        <Icon name="plus" size={12} /> {t('frame.add')}
      </button>
    ) : (
      <fieldset id={id}>
        {!isRequired && (
          <button type="button" class="plain remove" onClick={() => onChange(undefined)}>
            <Icon name="trash" size={12} /> {t('frame.remove')}
          </button>
        )}
        <Fields
          schema={schema}
          path={path}
          value={(value ?? {}) as Record<string, unknown>}
          form={form}
          onChange={onChange}
        />
      </fieldset>
    )
  return <AnyValue {...props} />
}

/** The chosen file as the gateway takes it in JSON. */
async function uploaded({ files }: HTMLInputElement): Promise<unknown> {
  const file = files?.[0]
  if (file === undefined) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return { fileName: file.name, contentBase64: btoa(text) }
}

const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'object' ? type.find((one) => one !== 'null') : type

/** The kinds of a value that can be of several; `null` is that there is none. */
const choicesOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null')

function isOf(value: unknown, schema: Schema): boolean {
  const type = typeOf(schema)
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

/** A value of one of several kinds: the kind is chosen beside it. A text comes first: it is the simplest. */
function Choice({ choices, ...props }: InputProps & { readonly choices: readonly Schema[] }): JSX.Element {
  const { value, form, name, onChange } = props
  const kinds = choices.map((one) => followed(one, form))
  const [chosen, setChosen] = useState(() => {
    const at = kinds.findIndex((kind) => (value === undefined ? typeOf(kind) === 'string' : isOf(value, kind)))
    return Math.max(0, at)
  })
  return (
    <div class="choice">
      <select
        aria-label={t('frame.kindOf', name)}
        value={String(chosen)}
        onChange={(event) => {
          setChosen(Number(event.currentTarget.value))
          onChange(undefined)
        }}
      >
        {kinds.map((kind, i) => (
          <option key={i} value={String(i)}>
            {kind.title ?? word('type', typeOf(kind) ?? '')}
            {typeOf(kind) === 'object' &&
              kind.properties &&
              ` (${Object.keys(kind.properties).slice(0, 3).join(', ')})`}
          </option>
        ))}
      </select>
      <Input {...props} key={chosen} schema={kinds[chosen] ?? {}} />
    </div>
  )
}

/** A list: each entry has its own input. */
function Items(props: InputProps & { readonly items: Schema }): JSX.Element {
  const { value, items, id, path, name, form, onChange } = props
  const list = Array.isArray(value) ? value : []
  const change = (next: readonly unknown[]) => onChange(next.length === 0 && !props.isRequired ? undefined : next)
  return (
    <div class="items">
      {list.map((entry, i) => (
        <div key={i} class="item">
          <Input
            schema={items}
            name={name}
            path={`${path}/${i}`}
            id={`${id}-${i}`}
            label={`${name} ${i + 1}`}
            describedBy={props.describedBy}
            value={entry}
            isRequired
            form={form}
            onChange={(next) => change(list.map((old, k) => (k === i ? next : old)))}
          />
          <button
            type="button"
            class="plain"
            aria-label={`${t('frame.remove')}: ${name} ${i + 1}`}
            onClick={() => change(list.filter((_, k) => k !== i))}
          >
            <Icon name="trash" size={12} />
          </button>
        </div>
      ))}
      <button
        id={id}
        type="button"
        aria-describedby={props.describedBy}
        onClick={() => change([...list, firstOf(items)])}
      >
        <Icon name="plus" size={12} /> {t('frame.add')}
      </button>
    </div>
  )
}

/** Anything, as JSON; a text that is no JSON is taken as text. */
function AnyValue({ id, describedBy, label, value, isRequired, onChange }: InputProps): JSX.Element {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, undefined, 1))
  return (
    <textarea
      id={id}
      aria-describedby={describedBy}
      aria-required={isRequired}
      {...(label === undefined ? {} : { 'aria-label': label })}
      rows={2}
      placeholder="JSON"
      value={text}
      onInput={(event) => {
        const next = event.currentTarget.value
        setText(next)
        onChange(next.trim() === '' ? undefined : parsed(next))
      }}
    />
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a new entry of a list begins with. */
function firstOf({ type, enum: values }: Schema): unknown {
  if (values !== undefined) return values[0]
  return type === 'object' ? {} : type === 'array' ? [] : type === 'boolean' ? false : type === 'string' ? '' : 0
}

const unset = (schema: Schema) =>
  schema.default === undefined ? t('frame.notSet') : `${String(schema.default)} (${t('frame.notSet')})`
const example = (schema: Schema) =>
  schema.default !== undefined
    ? String(schema.default)
    : schema.examples?.[0] === undefined
      ? ''
      : String(schema.examples[0])
