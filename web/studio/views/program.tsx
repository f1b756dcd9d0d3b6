/** The view "program". */
import type { JSX } from 'preact'
import { t } from '../i18n.ts'

export default function View(): JSX.Element {
  return <h1 class="pad">{t('program.title')}</h1>
}
