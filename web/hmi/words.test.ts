import assert from 'node:assert/strict'
import { test } from 'node:test'
import { say, spoken } from './words.ts'

test('the page speaks German, French, Spanish and Italian, else English', () => {
  const cultures = ['de-DE', 'DE-at', 'fr-FR', 'es-MX', 'it', 'en-US', 'ja-JP', '']
  const spokenIn = (culture: string) => [spoken(culture), say('Screen', culture), say('Something else', culture)]
  assert.deepEqual(cultures.map(spokenIn), [
    ['de', 'Bild', 'Something else'],
    ['de', 'Bild', 'Something else'],
    ['fr', 'Vue', 'Something else'],
    ['es', 'Imagen', 'Something else'],
    ['it', 'Pagina', 'Something else'],
    ['en', 'Screen', 'Something else'],
    ['en', 'Screen', 'Something else'],
    ['en', 'Screen', 'Something else'],
  ])
})
