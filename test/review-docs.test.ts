/** docs/review.md has the page of the review and every rule. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { reviewPage, ruleTable } from '../plugins/review/manual/docs.ts'

test('docs/review.md is current: scripts/review-docs.ts writes it', () => {
  const written = readFileSync(new URL('../docs/review.md', import.meta.url), 'utf8')
  assert.ok(written.startsWith(reviewPage))
  for (const row of ruleTable().trimEnd().split('\n').slice(2)) assert.ok(written.includes(row.slice(0, -2)), row)
})
