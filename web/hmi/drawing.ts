/** What all graphical objects have: place, fill and line. */
import type { ModelItem } from '../../plugins/hmi/station-model.ts'
import { colour, numberOf } from './convert.ts'
import type { Runtime } from './runtime.ts'

export interface ItemProps {
  readonly runtime: Runtime
  readonly item: ModelItem
}

/** The bindings of values of trends and tables: `processValue`, `processValue2` … */
export function valuesOf(item: ModelItem): ModelItem['bindings'] {
  return item.bindings.filter(({ property }) => property.startsWith('processValue'))
}

/** Where an object is now. */
export function box(runtime: Runtime, item: ModelItem): { left: number; top: number; width: number; height: number } {
  const of = (property: 'left' | 'top' | 'width' | 'height') => {
    const value = runtime.read(item, property).value
    return value === undefined || value === null ? item[property] : numberOf(value)
  }
  return { left: of('left'), top: of('top'), width: Math.max(0, of('width')), height: Math.max(0, of('height')) }
}

/** Fill and line of an object. */
export function paint(runtime: Runtime, item: ModelItem, ground = '#d9d9d9') {
  const isFilled = item.properties.backFillStyle !== 'Transparent'
  return {
    fill: isFilled ? colour(runtime.read(item, 'backColor').value, ground) : 'none',
    stroke: colour(runtime.read(item, 'borderColor').value, '#333333'),
    'stroke-width': numberOf(runtime.read(item, 'borderWidth').value ?? 1),
  }
}
