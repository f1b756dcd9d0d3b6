/**
 * What the module of a plugin's view gets as its argument: all that is public of the studio
 * (plugins/system/docs/plugin-points.md).
 */
export { signal, useSignal } from '@preact/signals'
export { Fragment, h } from 'preact'
export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { get, pathWith, post, queryOf, tryOut } from './gateway.ts'
export { language, number, time } from './i18n.ts'
export { go, link } from './router.ts'
export { allows } from './session.tsx'
export { changes, project, stations } from './state.ts'
export { ask, Dialog } from './ui/dialog.tsx'
export { Icon } from './ui/icon.tsx'
export { List } from './ui/list.tsx'
export { Loading, Show, useLoaded } from './ui/loaded.tsx'
export { ProblemNote } from './ui/problem.tsx'
export { Table } from './ui/table.tsx'
export { Tabs } from './ui/tabs.tsx'
export { toast, toastProblem } from './ui/toast.tsx'
export { Tree } from './ui/tree.tsx'
