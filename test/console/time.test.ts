import { expect, it } from 'vitest';
import { formatDays } from '../../console/src/format/time.ts';
import { differenceText } from '../../console/src/pages/reconciliation/differenceText.ts';

it.each([
  ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', '1 Nov 2026 – 30 Nov 2026'],
  ['2026-11-28T00:00:00.000Z', '2026-11-29T00:00:00.000Z', '28 Nov 2026'],
  ['2026-11-28T10:00:00.000Z', '2026-11-28T11:00:00.000Z', '28 Nov 2026'],
])('names the days from %s to %s, and one day once', (from, to, text) => {
  expect(formatDays({ from, to })).toBe(text);
});

it.each([
  ['0', '$0.00'],
  ['0.0000004', 'rounding'],
  ['-0.00000049', 'rounding'],
  ['0.0000006', '$0.000001'],
  ['-0.25', '−$0.25'],
])('shows a difference of %s between bills and records as %s', (difference, text) => {
  expect(differenceText(difference)).toBe(text);
});
