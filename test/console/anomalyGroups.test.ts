import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../console/src/pages/anomalies/anomalyGroups.ts';
import type { Anomaly } from '../../sdk/typescript/src/types.ts';

const at = (hour: number): string => new Date(hour * 3_600_000).toISOString();

/** An anomaly from one hour to another, by the name of its series. */
const anomaly = (name: string, [from, to]: [number, number], members: Partial<Anomaly> = {}): Anomaly => ({
  id: `${name} ${from}`,
  detected_at: at(to),
  updated_at: at(to),
  grain: 'hour',
  dimension: 'service',
  value: name,
  residency: null,
  period: { from: at(from), to: at(to) },
  observed_usd: '20',
  expected_usd: { low: '5', central: '10', high: '15' },
  score: 2,
  drivers: [],
  muted_until: null,
  ...members,
});
const ids = (list: readonly Anomaly[]) => groupsOf(list).map((group) => group.map(({ id }) => id));

const chat = anomaly('chat', [10, 14], { observed_usd: '50' });
const model = anomaly('gpt-4o', [12, 15], {
  dimension: 'served_model',
  drivers: [{ dimension: 'service', value: 'chat', share: 0.8 }],
});
const day = anomaly('chat', [0, 24], { grain: 'day', observed_usd: '90', id: 'chat day' });
const tenant = anomaly('tenant', [13, 14], { dimension: 'tenant', value: null });

describe('anomalies that overlap in time', () => {
  it('are one group if one is about what drives the other, the largest excess first', () => {
    expect(ids([model, chat])).toEqual([['chat 10', 'gpt-4o 12']]);
  });

  it('are one group if they are of one series by hour and by day, or of the whole tenant', () => {
    expect(ids([chat, day])).toEqual([['chat day', 'chat 10']]);
    expect(ids([tenant, chat])).toEqual([['chat 10', 'tenant 13']]);
  });

  it('are apart if nothing relates them', () => {
    expect(ids([chat, anomaly('search', [10, 14])])).toEqual([['chat 10'], ['search 10']]);
  });

  it('are apart in two residency lanes', () => {
    expect(ids([chat, { ...model, residency: 'eu' }])).toHaveLength(2);
  });

  it('join groups that they relate, in the place of the first', () => {
    const search = anomaly('search', [10, 14]);
    const late = anomaly('late', [20, 22]);
    const owner = anomaly('team', [10, 14], {
      dimension: 'owner',
      drivers: ['chat', 'search'].map((value) => ({ dimension: 'service', value, share: 0.5 })),
    });
    expect(ids([chat, late, search, owner])).toEqual([['chat 10', 'team 10', 'search 10'], ['late 20']]);
  });
});

it('does not relate anomalies that only touch', () => {
  expect(ids([chat, anomaly('chat', [14, 15])])).toHaveLength(2);
});
