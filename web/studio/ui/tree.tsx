/** A tree whose branches are loaded when they are opened; only the rows to be seen are in the page. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { CallError } from '../gateway.ts'
import { t } from '../i18n.ts'
import { Icon, type IconName } from './icon.tsx'
import { rowAfterKey, useWindowed } from './windowed.ts'

export interface TreeNode {
  /** Unique in the tree. */
  readonly id: string
  readonly text: string
  readonly icon?: IconName
  /** Stands at the right: a count, a state. */
  readonly aside?: ComponentChildren
  /** Its branches, given or loaded when it is opened. A leaf has none. @param count so many were shown before */
  readonly children?: readonly TreeNode[] | ((count: number) => Promise<readonly TreeNode[] | TreePage>)
  /** Open from the start. */
  readonly isOpen?: boolean
}

/** The first branches of many; the next are asked for when the end of these comes into view. */
export interface TreePage {
  readonly nodes: readonly TreeNode[]
  readonly next?: (() => Promise<TreePage>) | undefined
}

interface Row {
  readonly node: TreeNode
  readonly depth: number
  readonly parent: number
  readonly note?: string
  /** Stands for further branches of its parent. */
  readonly isMore?: boolean
}

interface Loaded {
  /** What `TreeProps.version` was when it was asked for. */
  readonly version: unknown
  readonly nodes?: readonly TreeNode[]
  readonly next?: TreePage['next']
  readonly fault?: string
}

export interface TreeProps {
  readonly nodes: readonly TreeNode[]
  readonly label: string
  /** The id of the chosen node. */
  readonly chosen?: string | undefined
  /** The ids above the chosen node, from the outermost one: they are opened, and it is scrolled to. */
  readonly path?: readonly string[] | undefined
  /** What is open is loaded again when it changes. */
  readonly version?: unknown
  onChoose(node: TreeNode): void
}

const rowHeight = 22

const nowhere: readonly string[] = []

export function Tree({ nodes, label, chosen, path = nowhere, version, onChoose }: TreeProps): JSX.Element {
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({})
  const [loaded, setLoaded] = useState<Readonly<Record<string, Loaded>>>({})
  const [focused, setFocused] = useState(chosen)
  const id = useId()
  /** The node that is to be scrolled to when its row is there. */
  const wanted = useRef<string | undefined>(undefined)
  useEffect(() => {
    wanted.current = chosen
    setFocused(chosen)
    if (path.length > 0) setOpened((now) => ({ ...now, ...Object.fromEntries(path.map((one) => [one, true])) }))
  }, [chosen, path.join('\n')])

  const isOpen = (node: TreeNode) => node.children !== undefined && (opened[node.id] ?? node.isOpen ?? false)
  const rows = useMemo(() => {
    const all: Row[] = []
    const add = (list: readonly TreeNode[], depth: number, parent: number) => {
      for (const node of list) {
        const row = all.push({ node, depth, parent }) - 1
        if (!isOpen(node)) continue
        const {
          nodes: branches,
          fault,
          next,
        }: Omit<Loaded, 'version'> = typeof node.children === 'function'
          ? (loaded[node.id] ?? {})
          : { nodes: node.children ?? [] }
        const isFilled = branches !== undefined && branches.length > 0
        if (isFilled) add(branches, depth + 1, row)
        if (isFilled && next === undefined && fault === undefined) continue
        const isMore = isFilled && next !== undefined
        const note = fault ?? (branches === undefined || isMore ? t('frame.loading') : t('frame.empty'))
        all.push({ node: { id: `${node.id}\0`, text: note }, depth: depth + 1, parent: row, note, isMore })
      }
    }
    add(nodes, 0, -1)
    return all
  }, [nodes, opened, loaded])

  const seen = useWindowed<HTMLDivElement>(rows.length, rowHeight)
  useEffect(() => {
    const load = async (
      { id }: TreeNode,
      ask: Promise<readonly TreeNode[] | TreePage>,
      before: readonly TreeNode[],
    ) => {
      const result = await ask.then(
        (list): Loaded =>
          'nodes' in list
            ? { nodes: [...before, ...list.nodes], next: list.next, version }
            : { nodes: [...before, ...list], version },
        (error): Loaded => ({
          ...(before.length > 0 ? { nodes: before } : {}),
          fault: error instanceof CallError ? error.message : String(error),
          version,
        }),
      )
      setLoaded((now) => (now[id]?.version === version ? { ...now, [id]: result } : now))
    }
    // What was loaded stays in view until the new answer is there.
    for (const { node } of rows) {
      const known = loaded[node.id]
      if (!isOpen(node) || typeof node.children !== 'function' || (known && known.version === version)) continue
      setLoaded((now) => ({ ...now, [node.id]: { ...now[node.id], next: undefined, version } }))
      void load(node, node.children(known?.nodes?.length ?? 0), [])
    }
    for (const [row, { isMore, parent }] of rows.entries()) {
      const { node } = rows[parent] ?? {}
      const isSought = wanted.current !== undefined && node?.id === path.at(-1)
      if (!isSought && (row < seen.from || row >= seen.to)) continue
      const known = node && loaded[node.id]
      if (!isMore || node === undefined || known?.next === undefined || known.version !== version) continue
      setLoaded((now) => ({ ...now, [node.id]: { ...known, next: undefined } }))
      void load(node, known.next(), known.nodes ?? [])
    }
  }, [rows, version, seen.from, seen.to])
  useEffect(() => {
    const row = wanted.current === undefined ? -1 : rows.findIndex(({ node }) => node.id === wanted.current)
    if (row < 0) return
    wanted.current = undefined
    seen.show(row)
  }, [rows, chosen])

  const at = rows.findIndex(({ node }) => node.id === focused)
  const toggle = (node: TreeNode, open = !isOpen(node)) => setOpened((now) => ({ ...now, [node.id]: open }))
  const focus = (row: number) => {
    const { node, note } = rows[row] ?? {}
    if (node === undefined || note !== undefined) return
    setFocused(node.id)
    seen.show(row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const next = rowAfterKey(event.key, at, rows.length)
    if (next !== undefined) focus(rows[next]?.note === undefined ? next : Math.min(next + 1, rows.length - 1))
    else if (row === undefined) return
    else if (event.key === 'ArrowRight') {
      if (row.node.children === undefined) return
      if (isOpen(row.node)) focus(at + 1)
      else toggle(row.node, true)
    } else if (event.key === 'ArrowLeft') {
      if (isOpen(row.node)) toggle(row.node, false)
      else focus(row.parent)
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (row.node.children !== undefined) toggle(row.node)
      onChoose(row.node)
    } else return
    event.preventDefault()
  }
  return (
    <div
      ref={seen.ref}
      class="tree"
      role="tree"
      aria-label={label}
      tabIndex={0}
      {...(at >= seen.from && at < seen.to ? { 'aria-activedescendant': `${id}-${at}` } : {})}
      onKeyDown={onKeyDown}
      onFocus={() => at < 0 && setFocused(rows[0]?.node.id)}
    >
      <div style={{ height: `${seen.before}px` }} role="presentation" />
      {rows.slice(seen.from, seen.to).map(({ node, depth, note }, i) => {
        const open = isOpen(node)
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keyboard
          // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus
          <div
            key={node.id}
            id={`${id}-${seen.from + i}`}
            class={`node${node.id === focused ? ' focused' : ''}${note === undefined ? '' : ' quiet'}`}
            role="treeitem"
            aria-level={depth + 1}
            aria-selected={node.id === chosen}
            {...(node.children === undefined ? {} : { 'aria-expanded': open })}
            style={{ height: `${rowHeight}px`, paddingLeft: `${6 + depth * 14}px` }}
            onClick={() => {
              if (note !== undefined) return
              setFocused(node.id)
              if (node.children !== undefined) toggle(node)
              onChoose(node)
            }}
          >
            <span class="twist">
              {node.children !== undefined && <Icon name={open ? 'down' : 'right'} size={10} />}
            </span>
            {node.icon !== undefined && <Icon name={node.icon} size={14} />}
            <span class="text">{node.text}</span>
            {node.aside !== undefined && <span class="aside">{node.aside}</span>}
          </div>
        )
      })}
      <div style={{ height: `${seen.after}px` }} role="presentation" />
    </div>
  )
}
