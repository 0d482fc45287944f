import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideBands, roundAxis } from '../../console/src/charts/columns/axis.ts';
import { brushOf } from '../../console/src/charts/columns/brush.ts';
import { layoutColumns } from '../../console/src/charts/columns/columns.ts';
import { flowHeight, layoutFlows } from '../../console/src/charts/flows/sankey.ts';
import { REST } from '../../console/src/charts/palette.ts';
import { nextStart, seriesOf, startsOf, timelineOf } from '../../console/src/charts/series.ts';
import { layoutTreemap } from '../../console/src/charts/treemap/treemap.ts';
import { waterfall } from '../../console/src/charts/waterfall/waterfall.ts';
import { usageRow } from './usageRow.ts';

const DAY = '2026-11-16T00:00:00.000Z';
const FROM = Date.parse(DAY);
const WEEK = { from: FROM, to: FROM + 7 * 86_400_000, interval: 'day' } as const;
/** Gives each name the same style. `test/console/palette.test.ts` is about real ones. */
const palette = (names: readonly string[]) => new Map(names.map((name) => [name, REST]));
const LATER = FROM + 30 * 86_400_000;

describe('the series of a report', () => {
  const rows = [
    usageRow({ kind: 'other', cost_usd: '9' }),
    usageRow({ owner: 'team-b', cost_usd: '2' }),
    usageRow({ kind: 'folded', cost_usd: '8' }),
    usageRow({ owner: null, cost_usd: '7' }),
    usageRow({ owner: 'team-a', cost_usd: '3' }),
  ];

  it('puts named groups first, and keeps nobody, folded and other groups apart', () => {
    expect(seriesOf(rows, ['owner'], 'cost', palette).map(({ kind }) => kind)).toEqual([
      'named',
      'named',
      'folded',
      'nobody',
      'other',
    ]);
  });

  it('asks for the colours of named groups only, largest first', () => {
    const asked: (readonly string[])[] = [];
    seriesOf(rows, ['owner'], 'cost', (names) => {
      asked.push(names);
      return palette(names);
    });
    expect(asked).toEqual([['team-a', 'team-b']]);
  });
});

describe('the timeline of a report', () => {
  it('has a column for each interval, also without calls', () => {
    const { intervals } = timelineOf([], ['owner'], 'cost', WEEK, LATER, palette);
    expect(intervals).toHaveLength(7);
    expect(intervals.every(({ total }) => total === null)).toBe(true);
  });

  it.each([
    ['hour', '2026-02-28T23:00:00Z', '2026-03-01T00:00:00Z'],
    ['day', '2026-02-28', '2026-03-01'],
    ['month', '2026-02-01', '2026-03-01'],
  ] as const)('ends a column of a %s where the next one starts', (interval, start, end) => {
    expect(nextStart(Date.parse(start), interval)).toBe(Date.parse(end));
  });

  it('marks the interval that has not ended', () => {
    const { intervals } = timelineOf([], ['owner'], 'cost', WEEK, WEEK.to - 3_600_000, palette);
    expect(intervals.map(({ isPartial }) => isPartial)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('keeps an unknown amount unknown and counts its calls', () => {
    const row = usageRow({ owner: 'team-a', interval_start: DAY, cost_usd: null, unpriced_invocations: 4 });
    const [first] = timelineOf([row], ['owner'], 'cost', WEEK, LATER, palette).intervals;
    expect(first).toMatchObject({ total: null, unknown: 4 });
  });

  it('starts each month on its first day', () => {
    const starts = startsOf(Date.UTC(2026, 10, 1), Date.UTC(2027, 1, 1), 'month');
    expect(starts.map((at) => new Date(at).toISOString().slice(0, 7))).toEqual([
      '2026-11',
      '2026-12',
      '2027-01',
    ]);
  });
});

describe('an axis from zero', () => {
  it.each([
    [26.3, 30, [0, 10, 20, 30]],
    [0.0011, 0.0012, [0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001, 0.0012]],
    [0.29, 0.3, [0, 0.1, 0.2, 0.3]],
    [1, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [4_100_000, 5_000_000, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000]],
  ])('for %d ends at the round number %d', (maximum, ceiling, ticks) => {
    expect(roundAxis(maximum, 4)).toEqual({ ceiling, ticks });
  });

  it('holds the maximum, and has three to eight equal steps up to its end', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), (maximum) => {
        const { ceiling, ticks } = roundAxis(maximum, 4);

        expect(ceiling).toBeGreaterThanOrEqual(maximum);
        expect(ceiling).toBeLessThan(maximum * 2);
        expect(ticks.length).toBeGreaterThanOrEqual(3);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks.at(-1)).toBeCloseTo(ceiling, 12);
        ticks.forEach((tick, index) => {
          expect(tick / ceiling).toBeCloseTo(index / (ticks.length - 1), 9);
        });
      }),
    );
  });
});

it('divides a length into bands of one width that fill it between equal margins', () => {
  const { width, at } = divideBands(4, 10, 110, { inner: 0.5, outer: 0.25 });

  expect([0, 1, 2, 3].map(at)).toEqual([16.25, 41.25, 66.25, 91.25]);
  expect(width).toBe(12.5);
  expect(divideBands(4, 10, 0, { inner: 0.5, outer: 0.25 }).width).toBe(0);
});

describe('stacked columns', () => {
  const timeline = timelineOf(
    [
      usageRow({
        owner: 'team-a',
        interval_start: DAY,
        energy_wh: '10',
        energy_wh_low: '2',
        energy_wh_high: '200',
      }),
    ],
    ['owner'],
    'energy',
    WEEK,
    LATER,
    palette,
  );

  it('cuts a bracket that would flatten the columns, and says so', () => {
    const { ceiling, columns } = layoutColumns(timeline, 640, 384);
    expect(ceiling).toBeLessThan(30);
    expect(columns[0]?.bracket?.isCut).toBe(true);
  });

  it('selects the columns under a drag, and none for a click', () => {
    const layout = layoutColumns(timeline, 640, 384);
    const [second, fourth] = [layout.columns[1]?.x ?? 0, layout.columns[3]?.x ?? 0];
    expect(brushOf(layout, fourth + 5, second + 5)).toEqual([1, 3]);
    expect(brushOf(layout, second, second + 3)).toBeNull();
  });
});

describe('a treemap', () => {
  it('keeps every tile within the box', () => {
    const leaf = fc.record({ key: fc.uuid(), value: fc.integer({ min: 0, max: 1_000_000 }) });
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 1, maxLength: 12 }), (leaves) => {
        for (const { x, y, width, height } of layoutTreemap(leaves, 400, 300)) {
          // Sides are whole pixels.
          expect(x >= 0 && y >= 0 && x + width <= 401 && y + height <= 301).toBe(true);
        }
      }),
    );
  });

  it('names the path of a tile', () => {
    const tiles = layoutTreemap([{ key: 'team-a', children: [{ key: 'ranking', value: 3 }] }], 400, 300);
    expect(tiles.map(({ path }) => path)).toEqual([['team-a'], ['team-a', 'ranking']]);
  });
});

describe('flows', () => {
  it('keep a name apart that is both source and target', () => {
    const { nodes, bands } = layoutFlows([{ from: 'openai', to: 'openai', value: 1 }], 400, 300);
    expect(nodes.map(({ isSource }) => isSource)).toEqual([true, false]);
    expect(bands).toHaveLength(1);
  });

  it('have labels that do not overlap and stay inside, in the order of their nodes', () => {
    const flows = [
      { from: 'large', to: 'openai', value: 1_000 },
      ...['a', 'b', 'c', 'd', 'e'].map((to) => ({ from: 'small', to, value: 0.001 })),
    ];
    const height = flowHeight(flows, 100);
    const { nodes } = layoutFlows(flows, 400, height);

    for (const isSource of [true, false]) {
      const side = nodes.filter((node) => node.isSource === isSource).sort((one, other) => one.y - other.y);
      const labels = side.map(({ labelY }) => labelY);
      const gaps = labels.slice(1).map((label, index) => label - (labels[index] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(32);
      expect([Math.min(...labels) >= 16, Math.max(...labels) <= height - 16]).toEqual([true, true]);
    }
  });

  it('are empty without amounts', () => {
    expect(layoutFlows([{ from: 'a', to: 'b', value: 0 }], 400, 300)).toEqual({ nodes: [], bands: [] });
  });
});

describe('the waterfall of a change', () => {
  const NONE = {
    volume_usd: '0',
    mix_usd: '0',
    tokens_usd: '0',
    cache_usd: '0',
    price_usd: '0',
    undivided_usd: '0',
  };
  const barsOf = (before: string, now: string, parts: Partial<typeof NONE>) =>
    waterfall(before, now, { ...NONE, ...parts }).map(({ name, from, to }) => [name, from, to]);

  it('leads from the sum before to the sum now, each step from where the one before ended', () => {
    expect(barsOf('4', '6', { volume_usd: '4', price_usd: '-2' })).toEqual([
      ['Period before', 0, 0.5],
      ['Number of calls', 0.5, 1],
      ['Prices, tiers and fees', 1, 0.75],
      ['This period', 0, 0.75],
    ]);
  });

  it('has room for a step below zero, and for periods without cost', () => {
    expect(barsOf('1', '1', { volume_usd: '-2', mix_usd: '2' })).toEqual([
      ['Period before', 0.5, 1],
      ['Number of calls', 1, 0],
      ['Models and providers', 0, 1],
      ['This period', 0.5, 1],
    ]);
    expect(barsOf('0', '0', {})).toEqual([
      ['Period before', 0, 0],
      ['This period', 0, 0],
    ]);
  });
});
