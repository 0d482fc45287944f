import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatBytes,
  formatRange,
  formatShare,
  formatUsd,
  plural,
} from '../../console/src/format/amount.ts';

const NARROW = '\u202f';

describe('an amount', () => {
  it('is the word unknown when it is unknown, never zero', () => {
    expect(formatUsd(null)).toBe('unknown');
    expect(formatUsd('0')).toBe('$0.00');
  });

  it('keeps all digits of a sum that no double can hold', () => {
    expect(formatUsd('9007199254740993.25')).toBe('$9,007,199,254,740,993');
  });

  it.each([
    ['12.345', '$12.35'],
    ['12345.6', '$12,346'],
    ['0.0021646', '$0.0022'],
    ['0.00002', '$0.000020'],
    ['0.0000008', '$0.000001'],
    ['-0.0000003', '> −$0.000001'],
    ['0.000000000001', '< $0.000001'],
    ['-3.5', '−$3.50'],
  ])('shows %s dollars as %s', (amount, text) => {
    expect(formatUsd(amount)).toBe(text);
  });

  it('has at most three figures for energy, carbon and water, in the unit that reads best', () => {
    expect(formatAmount('12.644901533913', 'energy')).toBe(`12.6${NARROW}Wh`);
    expect(formatAmount('2810.4', 'energy')).toBe(`2.81${NARROW}kWh`);
    expect(formatAmount('0.0187', 'carbon')).toBe(`0.019${NARROW}g`);
    expect(formatRange('1.23', '204.5', 'water')).toBe(`1 – 205${NARROW}mL`);
  });
});

describe('a range', () => {
  it('names its unit once and has one precision', () => {
    expect(formatRange('240.2', '5431', 'energy')).toBe(`0.24 – 5.43${NARROW}kWh`);
    expect(formatRange('8.79', '10.06', 'cost')).toBe('$8.79 – $10.06');
    expect(formatRange('0.0041', '0.0127', 'cost')).toBe('$0.0041 – $0.0127');
    expect(formatRange('0', '0.0127', 'cost')).toBe('$0.00 – $0.01');
    expect(formatRange('8.79', '8.7901', 'cost')).toBe('$8.79');
  });

  it('is unknown when an end is unknown', () => {
    expect(formatRange(null, '1', 'cost')).toBe('range unknown');
  });
});

it('shows a small share as less than one percent, not as zero', () => {
  expect(formatShare(0.004)).toBe(`<1${NARROW}%`);
  expect(formatShare(0)).toBe(`0${NARROW}%`);
  expect(formatShare(0.996)).toBe(`>99${NARROW}%`);
  expect(formatShare(1)).toBe(`100${NARROW}%`);
});

it('names one thing in the singular', () => {
  expect([plural(1, 'call'), plural(1200, 'call')]).toEqual(['1 call', '1,200 calls']);
});

it('shows a file size in decimal units', () => {
  expect([formatBytes(12), formatBytes(1_500), formatBytes(12_500_000)]).toEqual([
    `12${NARROW}B`,
    `1.5${NARROW}kB`,
    `13${NARROW}MB`,
  ]);
});
