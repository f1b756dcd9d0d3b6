/** What is in a view while it is not known what the project has, and when it has not what the address names. */
import type { ComponentChildren, JSX } from 'preact'
import { t } from '../i18n.ts'
import { link } from '../router.ts'
import { loadFault, project, refresh, type Station, stations } from '../state.ts'
import { Loading } from '../ui/loaded.tsx'
import { Missing, type Way } from '../ui/missing.tsx'
import { ProblemNote } from '../ui/problem.tsx'

export interface InProjectProps {
  /** Drawn when a project is open and its stations are known. */
  children(): ComponentChildren
}

export function InProject({ children }: InProjectProps): JSX.Element {
  if (project.value === undefined)
    return loadFault.value === undefined ? (
      <Loading />
    ) : (
      <ProblemNote error={loadFault.value} onRetry={() => void refresh()} />
    )
  if (project.value === null) return <Missing text={t('project.none')} />
  return <>{children()}</>
}

/** A station that the project has not. @param view where the others are shown: `/program` */
export function MissingStation({
  name,
  view,
  others = stations.value,
}: {
  readonly name: string
  readonly view: string
  readonly others?: readonly Station[]
}): JSX.Element {
  const ways = others.map((one): Way => ({ title: one.name, href: link(view, [one.name]) }))
  return <Missing text={t('missing.station', name)} ways={ways} />
}
