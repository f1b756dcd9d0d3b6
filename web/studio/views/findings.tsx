/** A list of messages; each leads to its place. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { t, word } from '../i18n.ts'
import type { Finding } from '../model.ts'
import { go } from '../router.ts'
import { Icon } from '../ui/icon.tsx'
import { Table } from '../ui/table.tsx'

export interface FindingsProps {
  readonly findings: readonly Finding[]
  readonly station: string
  /** Called when a message leads elsewhere. */
  onOpen?(): void
}

/** `Main, network 3, line 4`. */
function placeOf({ block, network, line, column, file }: Finding): string {
  const at = line === undefined ? '' : `${line}${column === undefined ? '' : `:${column}`}`
  const part = network === undefined ? '' : t('program.networkShort', network)
  return [block ?? file ?? '', part, at].filter((one) => one !== '').join(' · ')
}

/** Goes to the place of a message. */
function openFinding({ block, network, line, column }: Finding, station: string): void {
  if (block === undefined) return
  go('/program', [station, block], {
    ...(network === undefined ? {} : { network: String(network) }),
    ...(line === undefined ? {} : { line: String(line), column: String(column ?? 1) }),
  })
}

const order = { error: 0, warning: 1, information: 2 }
const icons = { error: 'error', warning: 'warning', information: 'info' } as const

export function Findings({ findings, station, onOpen }: FindingsProps): JSX.Element {
  const [chosen, setChosen] = useState<Finding>()
  const open = (finding: Finding) => {
    onOpen?.()
    openFinding(finding, station)
  }
  return (
    <Table
      label={t('project.messages', findings.length)}
      rows={findings}
      chosen={chosen}
      empty={t('project.noMessages')}
      columns={[
        {
          key: 'severity',
          title: t('project.severity'),
          isTitleHidden: true,
          width: '2rem',
          value: ({ severity }) => order[severity],
          cell: ({ severity }) => (
            <span class={`is-${severity === 'information' ? 'info' : severity}`} title={word('severity', severity)}>
              <Icon name={icons[severity]} size={14} />
            </span>
          ),
        },
        {
          key: 'text',
          title: t('project.message'),
          width: 'minmax(16rem, 3fr)',
          value: ({ text }) => text,
          cell: ({ text, hint }) => (
            <span title={hint === undefined ? text : `${text} ${hint}`}>
              {text} {hint !== undefined && <span class="quiet">{hint}</span>}
            </span>
          ),
        },
        {
          key: 'place',
          title: t('project.place'),
          width: 'minmax(8rem, 1fr)',
          value: placeOf,
          cell: (finding) =>
            finding.block === undefined ? (
              placeOf(finding)
            ) : (
              <button type="button" class="link" onClick={() => open(finding)}>
                {placeOf(finding)}
              </button>
            ),
        },
        {
          key: 'code',
          title: 'Code',
          width: '10rem',
          value: ({ code }) => code,
          cell: ({ code }) => (code === '' ? '' : <span class="mono quiet">{code}</span>),
        },
      ]}
      onChoose={setChosen}
      onOpen={open}
    />
  )
}
