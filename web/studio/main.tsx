/** The studio: the frame with its views. */
import { signal } from '@preact/signals'
import { type ComponentType, type JSX, render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Drafts, DraftsDialog, mayThrowAway } from './drafts-list.tsx'
import { needsEntry, reached } from './gateway.ts'
import { type Language, language, languages, t, time, useLanguage } from './i18n.ts'
import { go, link, type Route, route } from './router.ts'
import { Entry, entered, isReady, Who } from './session.tsx'
import { project } from './state.ts'
import { type Theme, theme, themes, useTheme } from './theme.ts'
import { Dialog, Questions } from './ui/dialog.tsx'
import { Icon } from './ui/icon.tsx'
import { shortcuts, useShortcuts } from './ui/keys.ts'
import { Loading } from './ui/loaded.tsx'
import { Missing } from './ui/missing.tsx'
import { Palette, type Start } from './ui/palette.tsx'
import { print, watchPrinting } from './ui/print.ts'
import { ProblemNote } from './ui/problem.tsx'
import { Search } from './ui/search.tsx'
import { Toasts } from './ui/toast.tsx'
import { titleOf, type View, type ViewProps } from './view.ts'
import { views } from './views.ts'

const showsKeys = signal(false)
/** The dialog over the page; the palette can begin with an operation. */
const finder = signal<'search' | 'palette' | Start | undefined>(undefined)
const closeFinder = () => {
  finder.value = undefined
}

/** The view of the address; loaded when it is shown first. */
function Shown({ view }: { readonly view: View }): JSX.Element {
  const [loaded, setLoaded] = useState<{
    readonly of: View
    readonly Component?: ComponentType<ViewProps>
    readonly error?: unknown
  }>()
  useEffect(() => {
    // One that comes late does not take the place of the one that was chosen since.
    let isChosen = true
    const show = (one: { readonly Component?: ComponentType<ViewProps>; readonly error?: unknown }) => {
      if (isChosen) setLoaded({ of: view, ...one })
    }
    view.load().then(
      (module) => show({ Component: module.default }),
      (error: unknown) => show({ error }),
    )
    return () => {
      isChosen = false
    }
  }, [view])
  if (loaded?.of !== view) return <Loading />
  if (loaded.Component === undefined) return <ProblemNote error={loaded.error} onRetry={() => location.reload()} />
  return <loaded.Component key={entered.value} route={route.value} />
}

function Bar(): JSX.Element {
  return (
    <header class="top">
      <a class="name" href={link('/project')}>
        Gantry
      </a>
      <span class="project">{project.value === null ? t('frame.noProject') : project.value?.name}</span>
      <span class="grow" />
      <button type="button" class="search" onClick={() => (finder.value = 'search')}>
        <Icon name="search" size={14} /> {t('frame.search')} <kbd>/</kbd>
      </button>
      <button type="button" class="plain" title={`${t('frame.print')} (Ctrl+P)`} onClick={() => void print()}>
        <Icon name="print" />
        <span class="hidden">{t('frame.print')}</span>
      </button>
      <button type="button" onClick={() => (finder.value = 'palette')}>
        <Icon name="command" size={14} /> {t('frame.commands')} <kbd>Ctrl K</kbd>
      </button>
      <span class="grow" />
      {!reached.value && (
        <span class="offline" role="alert">
          <Icon name="warning" size={14} /> {t('frame.offline')}
        </span>
      )}
      <Drafts />
      <Who mayLeave={mayThrowAway} />
      <label title={t('frame.language')}>
        <span class="hidden">{t('frame.language')}</span>
        <select value={language.value} onChange={(event) => useLanguage(event.currentTarget.value as Language)}>
          {Object.entries(languages).map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label title={t('frame.theme')}>
        <span class="hidden">{t('frame.theme')}</span>
        <select value={theme.value} onChange={(event) => useTheme(event.currentTarget.value as Theme)}>
          {themes.map((one) => (
            <option key={one} value={one}>
              {t(`frame.theme.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="plain" title={`${t('frame.keys')} (?)`} onClick={() => (showsKeys.value = true)}>
        <Icon name="help" />
        <span class="hidden">{t('frame.keys')}</span>
      </button>
    </header>
  )
}

function KeyHelp(): JSX.Element {
  return (
    <Dialog title={t('frame.keys')} onClose={() => (showsKeys.value = false)}>
      <dl class="keys">
        {shortcuts.value.map(({ keys, title }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{t(title)}</dd>
          </div>
        ))}
      </dl>
      <p class="body">
        <a href="/docs" target="_blank" rel="noreferrer">
          {t('frame.help')}
        </a>
      </p>
    </Dialog>
  )
}

function App(): JSX.Element {
  const view = views.find(({ path }) => path === route.value.view)
  useEffect(() => {
    if (route.value.view === '/') go((views[0] as View).path, [], {}, false)
  }, [route.value.view])
  const last = useRef<Route | undefined>(undefined)
  useEffect(() => {
    const { view: at, parts, query } = route.value
    if (at !== '/command') {
      last.current = route.value
      return
    }
    // An address of a command is its form over what was shown before.
    finder.value = { operation: parts[0] ?? '', values: query }
    go(last.current?.view ?? '/project', last.current?.parts, last.current?.query, false)
  }, [route.value])
  useEffect(() => {
    document.title = view === undefined ? 'Gantry' : `${titleOf(view)} – Gantry`
  }, [view, language.value])
  useShortcuts([
    ...views.flatMap(({ path, title }, i) =>
      typeof title === 'string' ? [{ keys: `Alt+${i + 1}`, title, inFields: true, run: () => go(path) }] : [],
    ),
    { keys: '/', title: 'frame.search', run: () => (finder.value = 'search') },
    { keys: 'Ctrl+K', title: 'frame.commands', inFields: true, run: () => (finder.value = 'palette') },
    { keys: 'Ctrl+P', title: 'frame.print', inFields: true, run: () => void print() },
    { keys: '?', title: 'frame.keys', run: () => (showsKeys.value = true) },
  ])
  if (!isReady.value) return <Loading />
  if (needsEntry.value) return <Entry />
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {t('frame.skip')}
      </button>
      <Bar />
      <nav class="views" aria-label={t('frame.views')}>
        {views.map((one, i) => (
          <a
            key={one.path}
            href={link(one.path)}
            title={typeof one.title === 'string' ? `${titleOf(one)} (Alt+${i + 1})` : titleOf(one)}
            {...(one.path === view?.path ? { 'aria-current': 'page' } : {})}
          >
            <Icon name={one.icon} size={20} />
            <span>{titleOf(one)}</span>
          </a>
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        <h1 class="hidden">{view === undefined ? 'Gantry' : titleOf(view)}</h1>
        <p class="print-only">
          {[project.value?.name, ...route.value.parts, time(new Date().toISOString())].filter(Boolean).join(' · ')}
        </p>
        {view !== undefined ? (
          <Shown view={view} />
        ) : (
          route.value.view !== '/' && <Missing text={t('frame.unknownView')} />
        )}
      </main>
      {finder.value === 'search' && <Search onClose={closeFinder} />}
      {finder.value === 'palette' && <Palette onClose={closeFinder} />}
      {typeof finder.value === 'object' && (
        <Palette key={finder.value.operation} start={finder.value} onClose={closeFinder} />
      )}
      {showsKeys.value && <KeyHelp />}
      <DraftsDialog />
      <Questions />
      <Toasts />
    </>
  )
}

// The view is fetched while the gateway tells who this is; a fault is shown where the view would be.
views
  .find(({ path }) => path === route.value.view)
  ?.load()
  .catch(() => undefined)
watchPrinting()
render(<App />, document.getElementById('app') as HTMLElement)
