import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellText,
  csvEncoder,
  decimalText,
  instantText,
  neutralizeFormula,
} from '../../../functions/exports/files/csv.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "''="), fc.string())
    .map(([first, rest]) => first + rest),
);

const column = (header: string, type: 'String' | 'Decimal' | 'JSON' = 'String') => ({ header, type });
const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('text cells', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ["'=1", "''=1"],
    ["it's", "it's"],
    ["'quoted'", "'quoted'"],
    ['team-search', 'team-search'],
    ['a=1', 'a=1'],
  ])('writes %j as %j', (text, written) => {
    expect(neutralizeFormula(text)).toBe(written);
  });

  it('never start a formula, and removing one apostrophe restores the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const written = neutralizeFormula(text);

        expect(written).not.toMatch(/^[=+\-@\t\r]/);
        expect(/^'+[=+\-@\t\r]/.test(written) ? written.slice(1) : written).toBe(text);
      }),
    );
  });

  it('are read back unchanged by a CSV parser, with any characters', () => {
    fc.assert(
      fc.property(fc.array(fc.array(texts, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
        const encoder = csvEncoder([column('a'), column('b;c')]);

        const read = parse(decoded(encoder.head()) + decoded(encoder.rows(rows)));

        expect(read).toEqual([['a', 'b;c'], ...rows.map((row) => row.map(neutralizeFormula))]);
      }),
    );
  });

  it('are quoted when they contain another separator', () => {
    const encoder = csvEncoder([column('a')]);

    expect(decoded(encoder.rows([['a;=1']]))).toBe('"a;=1"\n');
  });
});

describe('decimal cells', () => {
  it.each([
    [0n, '0.0'],
    [1_200_000_000_000_000n, '1200.0'],
    [1n, '0.000000000001'],
    [-1_500_000_000_000n, '-1.5'],
    [10n ** 37n, '10000000000000000000000000.0'],
  ])('write %d units of 1e-12 as %s', (pico, text) => {
    expect(decimalText(pico)).toBe(text);
  });

  it('are not neutralized as formulas', () => {
    expect(cellText(-1n, 'Decimal')).toBe('-0.000000000001');
  });
});

it('writes instants in whole seconds and null as an empty cell', () => {
  expect(instantText(Date.parse('2026-10-14T12:34:56.789Z'))).toBe('2026-10-14T12:34:56Z');
  expect(decoded(csvEncoder([column('a'), column('b', 'Decimal')]).rows([[null, null]]))).toBe(',\n');
});

it('does not neutralize JSON', () => {
  const encoder = csvEncoder([column('a', 'JSON')]);

  expect(decoded(encoder.rows([['{"owner":"=a"}']]))).toBe('"{""owner"":""=a""}"\n');
});
