/** A problem of the gateway: what, where, what would be right. */
import type { JSX } from 'preact'
import { CallError, type Problem } from '../gateway.ts'
import { t } from '../i18n.ts'
import { Icon } from './icon.tsx'
import { Marked } from './marked-text.tsx'

/** The problem of any error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof CallError) return error.problem
  return { status: 0, code: 'unknown', detail: error instanceof Error ? error.message : String(error) }
}

export interface ProblemProps {
  readonly error: unknown
  /** Offers to try again. */
  onRetry?(): void
}

export function ProblemNote({ error, onRetry }: ProblemProps): JSX.Element {
  const { detail, suggestion, errors, allowed, code } = problemOf(error)
  return (
    <div class="problem" role="alert">
      <Icon name="error" />
      <div>
        <p>
          <Marked text={detail} />
        </p>
        {errors !== undefined && errors.length > 0 && (
          <ul>
            {errors.slice(0, 20).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path !== '' && <code>{path}</code>} <Marked text={message} />
              </li>
            ))}
          </ul>
        )}
        {suggestion !== undefined && (
          <p class="quiet">
            <Marked text={suggestion} />
          </p>
        )}
        {Array.isArray(allowed) && allowed.length > 0 && (
          <p class="quiet">{t('frame.allowed', allowed.slice(0, 20).join(', '))}</p>
        )}
        <p class="quiet">
          <a href={`/api/errors/${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
            {code}
          </a>
          {onRetry !== undefined && (
            <button type="button" onClick={onRetry}>
              {t('frame.retry')}
            </button>
          )}
        </p>
      </div>
    </div>
  )
}
