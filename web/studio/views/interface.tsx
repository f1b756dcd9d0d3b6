/** The interface of a block as a table, edited in place. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { call } from '../gateway.ts'
import { t } from '../i18n.ts'
import { type BlockContent, type MemberRow, memberRows } from '../model.ts'
import { allows } from '../session.tsx'
import { ask } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { KeptForm } from '../ui/kept-form.tsx'
import { Table } from '../ui/table.tsx'
import { toastProblem } from '../ui/toast.tsx'
import { blockPath, compileBlock } from './block-calls.ts'
import { Editable } from './editable.tsx'

const sectionsOf: Readonly<Record<string, readonly string[]>> = {
  FB: ['Input', 'Output', 'InOut', 'Static', 'Temp', 'Constant'],
  FC: ['Input', 'Output', 'InOut', 'Temp', 'Constant', 'Return'],
  OB: ['Input', 'Temp', 'Constant'],
  GlobalDB: ['Static'],
}

export interface InterfaceProps {
  readonly station: string
  readonly block: BlockContent
}

export function Interface({ station, block }: InterfaceProps): JSX.Element {
  const rows = useMemo(() => memberRows(block.interface ?? []), [block.interface])
  const [chosen, setChosen] = useState<string>()
  const sections = sectionsOf[block.type] ?? []
  const isEditable = sections.length > 0 && allows('engineer')
  const row = rows.find(({ path }) => path === chosen)
  const pathOf = ({ path }: MemberRow) =>
    blockPath(station, block.name, `/interface/members/${encodeURIComponent(path)}`)
  const run = (work: Promise<unknown>) =>
    work
      .then(() => compileBlock(station, block.name))
      .catch((error: unknown) => {
        toastProblem(error)
        throw error
      })
  const change = (one: MemberRow, body: object) => run(call(pathOf(one), { method: 'PUT', body }))
  const remove = async () => {
    if (row === undefined) return
    if (!(await ask(t('project.delete'), t('project.deleteAsk', row.path), t('project.delete'), true))) return
    await run(call(pathOf(row), { method: 'DELETE' })).catch(() => undefined)
  }
  const cell = (one: MemberRow, key: string, value: string | undefined, label: string) =>
    isEditable ? (
      <Editable
        value={value ?? ''}
        label={`${label}: ${one.path}`}
        isCode={key !== 'comment'}
        onStore={(next) => change(one, { [key]: next })}
      />
    ) : (
      <span class={key === 'comment' ? '' : 'mono'}>{value}</span>
    )
  return (
    <>
      {isEditable && (
        <KeptForm
          place={`member ${station} ${block.name}`}
          title={`${block.name}: ${t('program.addMember')}`}
          class="toolbar"
          onSend={(body) => run(call(blockPath(station, block.name, '/interface/members'), { body }))}
        >
          <select name="section" aria-label={t('program.section')}>
            {sections.map((section) => (
              <option key={section}>{section}</option>
            ))}
          </select>
          <input name="name" required placeholder={t('project.name')} aria-label={t('program.newMember')} />
          <input
            name="dataType"
            required
            defaultValue="Bool"
            class="mono"
            aria-label={t('project.dataType')}
            size={14}
          />
          <button type="submit">
            <Icon name="plus" size={14} /> {t('program.addMember')}
          </button>
          <span class="grow" />
          <button type="button" disabled={row === undefined} onClick={() => void remove()}>
            <Icon name="trash" size={14} /> {t('project.delete')}
          </button>
        </KeptForm>
      )}
      <Table
        label={t('program.interface')}
        rows={rows}
        chosen={row}
        keyOf={({ section, path }) => `${section} ${path}`}
        empty={t('frame.empty')}
        columns={[
          { key: 'section', title: t('program.section'), width: '6rem', value: ({ section }) => section },
          {
            key: 'name',
            title: t('project.name'),
            width: 'minmax(12rem, 2fr)',
            value: ({ path }) => path,
            cell: (one) => (
              <span class="named" style={{ paddingLeft: `${one.depth * 16}px` }}>
                {cell(one, 'newName', one.name, t('project.name'))}
              </span>
            ),
          },
          {
            key: 'type',
            title: t('project.dataType'),
            width: 'minmax(9rem, 1fr)',
            value: ({ dataType }) => dataType,
            cell: (one) => cell(one, 'dataType', one.dataType, t('project.dataType')),
          },
          {
            key: 'start',
            title: t('project.startValue'),
            width: '9rem',
            value: ({ startValue }) => startValue,
            cell: (one) => cell(one, 'startValue', one.startValue, t('project.startValue')),
          },
          { key: 'retain', title: t('project.retain'), width: '7rem', value: ({ remanence }) => remanence },
          {
            key: 'comment',
            title: t('project.comment'),
            width: 'minmax(12rem, 3fr)',
            value: ({ comment }) => comment,
            cell: (one) => cell(one, 'comment', one.comment, t('project.comment')),
          },
        ]}
        onChoose={({ path }) => setChosen(path)}
      />
    </>
  )
}
