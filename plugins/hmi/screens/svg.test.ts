/** A screen as a drawing, object by object. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelItem, ModelScreen } from '../station-model.ts'
import { svgOf } from './svg.ts'

const place = { left: 10, top: 20, width: 40, height: 30 }
const item = (type: string, more: Partial<ModelItem> = {}): ModelItem => ({
  ...{ name: 'A & B', type, ...place, properties: {}, texts: {}, links: {}, events: [], bindings: [] },
  ...more,
})
const screenOf = (...items: ModelItem[]): ModelScreen => ({
  ...{ name: 'Main <1>', number: 1, width: 800, height: 480, backColor: '1, 2, 3', items },
})
const cultures = ['en-US', 'de-DE']
const graphics = { pump: 'data:image/png;base64,AA==' }
/** The lines of a drawing that are of objects. */
const drawn = (...items: ModelItem[]) =>
  svgOf(screenOf(...items), cultures, graphics)
    .split('\n')
    .slice(3, -2)
    .map((line) => line.trim())
const title = '<title>A &amp; B</title>'
const box = 'x="10" y="20" width="40" height="30"'
const usual = 'fill="#d9d9d9" stroke="#333333" stroke-width="1"'

test('the screen has its size, name and colour', () => {
  assert.equal(
    svgOf(screenOf(), cultures, graphics),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 480" width="800" height="480">
  <title>Main &lt;1&gt;</title>
  <rect width="800" height="480" fill="rgb(1,2,3)"/>
</svg>
`,
  )
  assert.match(svgOf({ ...screenOf(), backColor: '' }, cultures, graphics), /<rect [^>]*fill="#fff"\/>/)
})

test('shapes with their place, fill and line', () => {
  const painted = { backColor: 'red', borderColor: '0,128, 255', borderWidth: 3 }
  assert.deepEqual(
    drawn(
      item('Circle'),
      item('Ellipse', { properties: painted }),
      item('Circle', { properties: { ...painted, backFillStyle: 'Transparent', borderWidth: 0 } }),
    ),
    [
      `<ellipse cx="30" cy="35" rx="20" ry="15" ${usual}>${title}</ellipse>`,
      `<ellipse cx="30" cy="35" rx="20" ry="15" fill="red" stroke="rgb(0,128,255)" stroke-width="3">${title}</ellipse>`,
      `<ellipse cx="30" cy="35" rx="20" ry="15" fill="none" stroke="rgb(0,128,255)" stroke-width="0">${title}</ellipse>`,
    ],
  )
  // A line without width would not be seen.
  const thin = { borderWidth: 0, points: '0,0 5,5' }
  assert.deepEqual(
    drawn(
      item('Line'),
      item('Line', { properties: thin }),
      item('Polyline', { properties: thin }),
      item('Polygon', { properties: thin }),
      item('Polygon'),
    ),
    [
      `<line x1="10" y1="20" x2="50" y2="50" stroke="#333333" stroke-width="1">${title}</line>`,
      `<line x1="10" y1="20" x2="50" y2="50" stroke="#333333" stroke-width="1">${title}</line>`,
      `<polyline points="0,0 5,5" transform="translate(10 20)" fill="none" stroke="#333333" stroke-width="1">${title}</polyline>`,
      `<polygon points="0,0 5,5" transform="translate(10 20)" fill="#d9d9d9" stroke="#333333" stroke-width="0">${title}</polygon>`,
      `<polygon points="" transform="translate(10 20)" ${usual}>${title}</polygon>`,
    ],
  )
})

test('graphics, faceplates with what is in them, and texts in the first language that there is', () => {
  assert.deepEqual(
    drawn(
      item('GraphicView', { links: { picture: 'PUMP' } }),
      item('GraphicView', { links: { graphic: 'pump' } }),
      item('GraphicView', { links: { picture: 'none' } }),
      item('GraphicView'),
      item('FaceplateInstance', { items: [item('Line')], innerWidth: 80, innerHeight: 60 }),
      item('FaceplateInstance'),
    ),
    [
      `<image ${box} href="data:image/png;base64,AA==">${title}</image>`,
      `<image ${box} href="data:image/png;base64,AA==">${title}</image>`,
      `<rect ${box} ${usual}>${title}</rect>`,
      `<rect ${box} ${usual}>${title}</rect>`,
      `<svg ${box} viewBox="0 0 80 60">${title}<line x1="10" y1="20" x2="50" y2="50" stroke="#333333" stroke-width="1">${title}</line></svg>`,
      `<svg ${box} viewBox="0 0 40 30">${title}</svg>`,
    ],
  )
  const text = (shown: string, ink = '#000000', size = 14) =>
    `<g>${title}<rect ${box} ${usual}/><text x="30" y="35" fill="${ink}" font-size="${size}" text-anchor="middle" dominant-baseline="central" font-family="sans-serif">${shown}</text></g>`
  assert.deepEqual(
    drawn(
      item('Button', { texts: { text: { 'de-DE': 'Ein', 'en-US': 'On <' } } }),
      item('Button', { texts: { text: { 'fr-FR': 'Marche', 'de-DE': 'Ein' } } }),
      item('Button', { texts: { text: { 'fr-FR': 'Marche' } } }),
      item('Switch', { texts: { textOff: { 'en-US': 'Off' } }, properties: { foreColor: 'blue', fontSize: 20 } }),
      item('Bar'),
    ),
    [text('On &lt;'), text('Ein'), text('Marche'), text('Off', 'blue', 20), text('')],
  )
})
