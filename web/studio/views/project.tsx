/** The view "Project": the tree of the open project, and what the chosen node holds. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { save, undo } from '../commands.ts'
import { language, t } from '../i18n.ts'
import { go, link } from '../router.ts'
import { allows } from '../session.tsx'
import { changes, project, stations } from '../state.ts'
import { Icon } from '../ui/icon.tsx'
import { useShortcuts } from '../ui/keys.ts'
import { useLoaded } from '../ui/loaded.tsx'
import { Missing } from '../ui/missing.tsx'
import { Tree, type TreeNode } from '../ui/tree.tsx'
import type { ViewProps } from '../view.ts'
import { droppedFiles } from '../zip.ts'
import { ImportDialog, toImport } from './import.tsx'
import { LibraryPlace } from './library-place.tsx'
import { Overview, StartProject } from './overview.tsx'
import { Screens } from './project-hmi.tsx'
import { Blocks, Tables, Types, WatchTables } from './project-lists.tsx'
import { TagList } from './tags.tsx'
import { branchesAbove, partsOf, placeId, rootNodes } from './tree.ts'
import { TypeMembers } from './type-members.tsx'
import { WatchTable } from './watch-table.tsx'
import { InProject, MissingStation } from './whereabouts.tsx'

const isDropping = signal(false)

export default function ProjectView({ route }: ViewProps): JSX.Element {
  const nodes = useMemo(rootNodes, [stations.value, language.value])
  const canEdit = allows('engineer')
  // What the address names can be in folders, which are opened.
  const above = useLoaded((until) => branchesAbove(route, until), [placeId(route), stations.value])
  useShortcuts([
    { keys: 'Ctrl+S', title: 'project.save', inFields: true, run: () => canEdit && void save() },
    { keys: 'Ctrl+Z', title: 'frame.undo', run: () => canEdit && void undo('undo') },
    { keys: 'Ctrl+Shift+Z', title: 'frame.redo', run: () => canEdit && void undo('redo') },
  ])
  if (project.value === null)
    return (
      <div class="scroll">
        <StartProject />
      </div>
    )
  if (project.value === undefined) return <InProject>{() => null}</InProject>
  const open = (node: TreeNode) => {
    const [station = '', kind, name, ...rest] = partsOf(node.id)
    if (station === '') go('/project', [], { library: [name, ...rest].filter(Boolean).join('/') })
    else if (name?.startsWith('folder:')) go('/project', [station, kind ?? ''], { folder: name.slice(7) })
    else if (kind === 'blocks' && name !== undefined) go('/program', [station, name])
    else go('/project', partsOf(node.id))
  }
  const id = placeId(route)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Import" does the same
    <div
      class="split"
      onDragOver={(event) => {
        event.preventDefault()
        isDropping.value = canEdit
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) isDropping.value = false
      }}
      onDrop={async (event) => {
        event.preventDefault()
        isDropping.value = false
        if (canEdit && event.dataTransfer !== null) toImport.value = await droppedFiles(event.dataTransfer)
      }}
    >
      <div class="side">
        <div class="toolbar">
          <button type="button" disabled={!canEdit} onClick={() => (toImport.value = [])}>
            <Icon name="upload" size={14} /> {t('project.import')}
          </button>
          <span class="grow" />
          <button
            type="button"
            class="plain"
            disabled={!canEdit}
            title={`${t('frame.undo')} (Ctrl+Z)`}
            aria-label={t('frame.undo')}
            onClick={() => void undo('undo')}
          >
            <Icon name="undo" size={14} />
          </button>
          <button
            type="button"
            class="plain"
            disabled={!canEdit}
            title={`${t('frame.redo')} (Ctrl+Shift+Z)`}
            aria-label={t('frame.redo')}
            onClick={() => void undo('redo')}
          >
            <Icon name="redo" size={14} />
          </button>
          <button
            type="button"
            class="plain"
            disabled={!canEdit}
            title={`${t('project.save')} (Ctrl+S)`}
            aria-label={t('project.save')}
            onClick={() => void save()}
          >
            <Icon name="save" size={14} />
          </button>
        </div>
        <Tree
          nodes={nodes}
          label={t('project.tree')}
          chosen={id}
          path={above.value}
          version={changes.value}
          onChoose={open}
        />
      </div>
      <div class="main">
        <Content route={route} />
      </div>
      {isDropping.value && (
        <div class="dropping">
          <p>
            <Icon name="upload" size={28} />
            {t('project.drop')}
          </p>
        </div>
      )}
      <ImportDialog />
    </div>
  )
}

/** What the address names: `PLC_1/tags/Default tag table`. */
function Content({ route: { parts, query } }: ViewProps): JSX.Element {
  const [station, kind, name] = parts
  const { filter = '', folder = '', library } = query
  if (library !== undefined) return <LibraryPlace key={library} path={library} />
  if (station === undefined) return <Overview station={undefined} />
  const found = stations.value.find((one) => one.name === station)
  if (found === undefined) return <MissingStation name={station} view="/project" />
  if (kind === undefined) return <Overview station={found} />
  const isPlc = found.kind === 'PLC'
  if (isPlc && kind === 'blocks')
    return <Blocks key={`${station}/${folder}`} station={station} folder={folder} filter={filter} />
  if (isPlc && kind === 'types' && name !== undefined)
    return <TypeMembers key={`${station}/${name}`} station={station} name={name} />
  if (isPlc && kind === 'types') return <Types key={station} station={station} filter={filter} />
  if (isPlc && kind === 'tags' && name === undefined && filter === '')
    return <Tables key={station} station={station} folder={folder} />
  if (isPlc && kind === 'tags')
    return <TagList key={`${station}/${name}/${filter}`} station={station} table={name} filter={filter} />
  if (isPlc && kind === 'watch' && name !== undefined)
    return <WatchTable key={`${station}/${name}`} station={station} name={name} />
  if (isPlc && kind === 'watch') return <WatchTables key={station} station={station} />
  if (kind === 'hmi') return <Screens key={station} station={station} screen={name} filter={filter} />
  return <Missing text={t('missing.place', station)} ways={[{ title: station, href: link('/project', [station]) }]} />
}
