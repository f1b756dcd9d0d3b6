/** The view "project". */
import type { JSX } from 'preact'
import { t } from '../i18n.ts'

export default function View(): JSX.Element {
  return <h1 class="pad">{t('project.title')}</h1>
}
