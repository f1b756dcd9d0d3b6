import { escapeText } from '../../../lib/xml-text.ts'
import { type CatalogEntry, deviceKind } from './entry.ts'
import {
  type Draw,
  drawBusAdapter,
  drawClassicCpu,
  drawCompactCpu,
  drawDisplayCpu,
  drawDrive,
  drawFieldBlock,
  drawHeadModule,
  drawModuleFront,
  drawPanel,
  drawRail,
  drawSlimModule,
  drawSwitch,
  drawTerminalModule,
} from './image-fronts.ts'
import { COLOR, switchPorts } from './image-parts.ts'
import { type Box, element, text } from './svg.ts'

/**
 * Front views of modules. No public source of catalog pictures exists, so they are drawn from the catalog: family
 * (housing), kind, number of ports, channels in the type name. Proportions follow the published front dimensions of the
 * housings, rounded: S7-1500 35-70 x 147 mm, S7-1200 90-130 x 100, ET 200SP 15-100 x 73, S7-300 40-80 x 125.
 */

/** Space around the module and for the caption below it, in millimetres. */
const MARGIN = 6
const CAPTION = 20
const MIN_WIDTH = 76

interface Housing {
  readonly width: number
  readonly height: number
  readonly draw: Draw
}

/** A drawing of the module with its type name and order number below. Deterministic; well-formed SVG 1.1. */
export function drawModule(entry: CatalogEntry): string {
  const housing = housingOf(entry)
  const width = Math.max(MIN_WIDTH, housing.width + 2 * MARGIN)
  const height = housing.height + 2 * MARGIN + CAPTION
  const box: Box = { x: (width - housing.width) / 2, y: MARGIN, width: housing.width, height: housing.height }
  const title = `${entry.typeName}, ${entry.orderNumber}`
  const caption = [
    text(width / 2, box.y + box.height + 10, 5.5, entry.typeName, {
      'text-anchor': 'middle',
      'font-weight': 600,
      fill: COLOR.ink,
      maxWidth: width - 4,
    }),
    text(width / 2, box.y + box.height + 18, 5, entry.orderNumber, {
      'text-anchor': 'middle',
      fill: COLOR.faint,
      maxWidth: width - 4,
    }),
  ]
  const parts = [element('title', {}, escapeText(title)), housing.draw(entry, box), ...caption]
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width: width * 3,
      height: height * 3,
      role: 'img',
      'aria-label': title,
      'font-family': 'Arial, Helvetica, sans-serif',
    },
    parts.join(''),
  )
}

function housingOf(entry: CatalogEntry): Housing {
  const family = entry.family.replace(/^SIPLUS /, '')
  switch (deviceKind(entry)) {
    case 'HMI':
      return panelHousing(entry)
    case 'Switch':
    case 'Security':
      return switchHousing(entry)
    case 'Drive':
      return { width: 74, height: 150, draw: drawDrive }
    case 'Rack':
      return { width: 160, height: 40, draw: drawRail }
    case 'PLC':
      return cpuHousing(family)
    default:
      return moduleHousing(entry, family)
  }
}

function cpuHousing(family: string): Housing {
  if (family === 'S7-1200') return { width: 100, height: 100, draw: drawCompactCpu }
  if (family === 'ET 200SP') return { width: 100, height: 73, draw: drawHeadModule }
  if (family === 'ET 200pro') return { width: 135, height: 130, draw: drawCompactCpu }
  if (family === 'ET 200S') return { width: 60, height: 120, draw: drawClassicCpu }
  if (family === 'S7-300' || family === 'S7-400') return { width: 60, height: 125, draw: drawClassicCpu }
  return { width: 70, height: 147, draw: drawDisplayCpu }
}

function moduleHousing(entry: CatalogEntry, family: string): Housing {
  if (entry.kind === 'BusAdapter') return { width: 38, height: 56, draw: drawBusAdapter }
  if (family === 'ET 200eco PN') return { width: 60, height: 175, draw: drawFieldBlock }
  if (entry.kind === 'IM' && family === 'ET 200SP') return { width: 50, height: 73, draw: drawHeadModule }
  if (family === 'ET 200SP') return { width: 15, height: 73, draw: drawSlimModule }
  if (family === 'S7-1200')
    return { width: entry.typeName.startsWith('SB') ? 38 : 55, height: 100, draw: drawTerminalModule }
  if (family === 'S7-300' || family === 'S7-400') return { width: 40, height: 125, draw: drawModuleFront }
  return { width: 35, height: 147, draw: drawModuleFront }
}

/** Front width of a panel by the size in its name: KTP700, TP1200, MTP700 … (tenths of an inch of diagonal x 10). */
function panelHousing(entry: CatalogEntry): Housing {
  const size = Number(/TP(\d{3,4})/.exec(entry.typeName)?.[1] ?? 700)
  const width = 60 + size * 0.13
  return { width, height: width * 0.7, draw: drawPanel }
}

function switchHousing(entry: CatalogEntry): Housing {
  const columns = Math.min(8, Math.ceil(switchPorts(entry) / 4) * 2)
  const rows = Math.ceil(switchPorts(entry) / columns)
  return { width: Math.max(50, columns * 12 + 14), height: Math.max(100, rows * 14 + 52), draw: drawSwitch }
}
