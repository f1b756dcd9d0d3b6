/** The text editor for SCL, STL and data blocks; what it knows about the program it asks of the gateway. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, foldService, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Answer, CallError, pathWith, post } from '../gateway.ts'
import type { Finding } from '../model.ts'
import { isDark } from '../theme.ts'
import { editorTheme, foldOf, highlighting, sclLanguage, stlLanguage } from './editor-language.ts'

export interface EditorProps {
  readonly station: string
  readonly block: string
  readonly language: string
  /** The text as it is in the project; the editor takes a new one over when nothing was typed. */
  readonly text: string
  /** What was typed before, to go on with. */
  readonly typed: string | undefined
  readonly label: string
  readonly isReadOnly: boolean
  readonly findings: readonly Finding[]
  /** Line and column to go to, from 1. */
  readonly place?: { readonly line: number; readonly column: number } | undefined
  onChange(text: string): void
  onSave(): void
  /** A name is declared in another object; without one it is a tag. */
  onDefinition(object: string | undefined, symbol: string, offset: number | undefined): void
}

const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce ?? ''

/** Kinds of proposals as the editor names them, for its signs. */
const completionTypes: Readonly<Record<string, string>> = {
  OB: 'namespace',
  FB: 'class',
  FC: 'function',
  DB: 'variable',
  UDT: 'type',
  Tag: 'variable',
  Constant: 'constant',
  Member: 'property',
  System: 'type',
  Keyword: 'keyword',
  Function: 'function',
  Type: 'type',
}

export default function Editor(props: EditorProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const current = useRef(props)
  current.current = props
  const stored = useRef(props.text)
  const { station, block } = props

  useEffect(() => {
    if (box.current === null) return
    const theme = new Compartment()
    const ask = <T,>(what: string, text: string, offset: number): Promise<T | undefined> =>
      post<T>(pathWith(`/api/devices/{deviceName}/language/actions/${what}`, { deviceName: station }), {
        blockName: block,
        text,
        offset,
      }).catch((error: unknown) => {
        // What cannot be answered now is not worth a message at each stroke.
        if (error instanceof CallError) return undefined
        throw error
      })
    const define = (editor: EditorView, offset: number) => {
      void ask<Answer<'language.definition'>>('definition', editor.state.doc.toString(), offset).then((answer) => {
        const [found] = answer?.definitions ?? []
        if (found === undefined) return
        const { objectName, symbol, start } = found
        if (objectName?.toLowerCase() === block.toLowerCase() && start !== undefined) {
          editor.dispatch({
            selection: { anchor: start },
            effects: EditorView.scrollIntoView(start, { y: 'center' }),
          })
          editor.focus()
        } else current.current.onDefinition(objectName, symbol, start)
      })
      return true
    }
    const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
      const before = context.matchBefore(/[\p{L}\p{N}_#".]+$/u)
      if (before === null && !context.explicit) return null
      const answer = await ask<Answer<'language.complete'>>('complete', context.state.doc.toString(), context.pos)
      if (answer === undefined || context.aborted || answer.items.length === 0) return null
      return {
        from: answer.start,
        to: Math.max(answer.end, context.pos),
        ...(answer.isIncomplete ? {} : { validFor: /^[\p{L}\p{N}_#"]*$/u }),
        options: answer.items.map(({ text, kind, detail, comment }) => ({
          label: text.trim(),
          apply: text,
          type: completionTypes[kind] ?? 'variable',
          ...(detail === undefined ? {} : { detail }),
          ...(comment ? { info: comment } : {}),
        })),
      }
    }
    const hover = hoverTooltip(async (editor, pos) => {
      const answer = await ask<Answer<'language.hover'>>('hover', editor.state.doc.toString(), pos)
      const { start, end, markdown } = answer ?? {}
      if (start === undefined || end === undefined || markdown === undefined) return null
      return { pos: start, end, above: true, create: () => ({ dom: hoverContent(markdown) }) }
    })
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: current.current.typed ?? current.current.text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          EditorState.readOnly.of(props.isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': props.label, spellcheck: 'false', tabindex: '0' }),
          lineNumbers(),
          highlightActiveLineGutter(),
          foldGutter(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          bracketMatching(),
          search({ top: true }),
          indentUnit.of('  '),
          EditorState.tabSize.of(4),
          props.language === 'STL' ? stlLanguage : sclLanguage,
          highlighting,
          foldService.of((state, from) => foldOf(state, from)),
          autocompletion({ override: [complete], icons: true }),
          hover,
          theme.of(editorTheme(isDark.peek())),
          keymap.of([
            {
              key: 'Mod-s',
              run: () => {
                current.current.onSave()
                return true
              },
            },
            { key: 'F12', run: (one) => define(one, one.state.selection.main.head) },
            ...completionKeymap,
            ...lintKeymap,
            ...searchKeymap,
            ...foldKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.domEventHandlers({
            mousedown: (event, one) => {
              const pos =
                event.ctrlKey || event.metaKey ? one.posAtCoords({ x: event.clientX, y: event.clientY }) : null
              return pos !== null && define(one, pos)
            },
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) current.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    const end = isDark.subscribe((dark) => editor.dispatch({ effects: theme.reconfigure(editorTheme(dark)) }))
    return () => {
      end()
      editor.destroy()
      view.current = undefined
    }
  }, [station, block, props.isReadOnly])

  useEffect(() => {
    const editor = view.current
    if (editor === undefined || props.text === stored.current) return
    const shown = editor.state.doc.toString()
    // What is being typed is kept when others change the block.
    if (shown === stored.current) editor.dispatch({ changes: { from: 0, to: shown.length, insert: props.text } })
    stored.current = props.text
  }, [props.text])

  useEffect(() => {
    const editor = view.current
    if (editor === undefined) return
    const { doc } = editor.state
    const diagnostics = props.findings.flatMap((finding): Diagnostic[] => {
      const { line: number = 1, column = 1, severity, text, hint, code } = finding
      if (number < 1 || number > doc.lines) return []
      const line = doc.line(number)
      const from = Math.min(line.to, line.from + column - 1)
      const word = /^(?:#?"[^"]*"?|#?[\p{L}\p{N}_]+|\S)/u.exec(line.text.slice(from - line.from))?.[0] ?? ''
      const to = Math.min(line.to, from + Math.max(1, word.length))
      const message = hint === undefined ? text : `${text}\n${hint}`
      return [{ from, to, severity: severity === 'information' ? 'info' : severity, message, source: code }]
    })
    editor.dispatch(setDiagnostics(editor.state, diagnostics))
  }, [props.findings])

  useEffect(() => {
    const editor = view.current
    if (editor === undefined || props.place === undefined) return
    const { line, column } = props.place
    const at = editor.state.doc.line(Math.max(1, Math.min(editor.state.doc.lines, line)))
    const anchor = Math.min(at.to, at.from + column - 1)
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    editor.focus()
  }, [props.place?.line, props.place?.column])

  return <div ref={box} class="editor" />
}

/** The Markdown of a hover: fenced code and paragraphs are all that it has. */
function hoverContent(markdown: string): HTMLElement {
  const box = document.createElement('div')
  box.className = 'hover'
  for (const [i, part] of markdown.split(/```\w*\n?/).entries()) {
    const text = part.trim()
    if (text === '') continue
    const element = document.createElement(i % 2 === 1 ? 'pre' : 'p')
    element.textContent = i % 2 === 1 ? text : text.replace(/[*`]/g, '')
    box.append(element)
  }
  return box
}
