/**
 * Reads tag tables, watch and force tables (docs/formats.md#objects-and-attributes,
 * docs/formats.md#watch-and-force-tables).
 */

import { defined } from '../../../lib/optional.ts'
import type { ConstantEntry, ImportedObject, ObjectKind, TagEntry, WatchEntry } from '../../model/object.ts'
import { readComposition } from './texts.ts'
import { child, childText, type XmlElement } from './xml.ts'

/** Reads the rows of a table; `{}` for other kinds. */
export function readTables(
  kind: ObjectKind,
  objectList: XmlElement | undefined,
): Pick<ImportedObject, 'tags' | 'constants' | 'entries'> {
  const rows = objectList?.children ?? []
  if (kind === 'TagTable')
    return {
      tags: rows.filter((row) => row.name === 'SW.Tags.PlcTag').map(readTag),
      constants: rows.filter((row) => row.name === 'SW.Tags.PlcUserConstant').map(readConstant),
    }
  if (kind === 'WatchTable' || kind === 'ForceTable')
    return { entries: rows.filter((row) => row.name.endsWith('Entry')).map(readWatchEntry) }
  return {}
}

function reader(row: XmlElement): (name: string) => string {
  const list = child(row, 'AttributeList')
  return (name) => childText(list, name) ?? ''
}

function flag(row: XmlElement, name: string): boolean | undefined {
  const text = childText(child(row, 'AttributeList'), name)
  return text === undefined ? undefined : text.trim() === 'true'
}

function readTag(row: XmlElement): TagEntry {
  const value = reader(row)
  const externalAccessible = flag(row, 'ExternalAccessible')
  const externalVisible = flag(row, 'ExternalVisible')
  const externalWritable = flag(row, 'ExternalWritable')
  return {
    name: value('Name'),
    dataType: value('DataTypeName') || linkedName(row, 'DataType'),
    logicalAddress: value('LogicalAddress'),
    comment: readComposition(child(row, 'ObjectList'), 'Comment'),
    ...defined({ externalAccessible, externalVisible, externalWritable }),
  }
}

/** Older exports put the type in a link: `<LinkList><DataType><Name>Bool`. */
function linkedName(row: XmlElement, link: string): string {
  return childText(child(child(row, 'LinkList'), link), 'Name') ?? ''
}

function readConstant(row: XmlElement): ConstantEntry {
  const value = reader(row)
  return {
    name: value('Name'),
    dataType: value('DataTypeName') || linkedName(row, 'DataType'),
    value: value('Value'),
    comment: readComposition(child(row, 'ObjectList'), 'Comment'),
  }
}

function readWatchEntry(row: XmlElement): WatchEntry {
  const value = reader(row)
  const list = child(row, 'AttributeList')
  const modifyTrigger = childText(list, 'ModifyTrigger')
  const modifyValue = childText(list, 'ModifyValue')
  const modifyIntention = flag(row, 'ModifyIntention')
  const forceValue = childText(list, 'ForceValue')
  const forceIntention = flag(row, 'ForceIntention')
  return {
    ...(row.name.endsWith('CommentEntry') ? { isComment: true as const } : {}),
    name: value('Name'),
    address: value('Address'),
    displayFormat: value('DisplayFormat'),
    monitorTrigger: value('MonitorTrigger'),
    ...defined({ modifyTrigger, modifyValue, modifyIntention, forceValue, forceIntention }),
    comment: readComposition(child(row, 'ObjectList'), 'Comment'),
  }
}
