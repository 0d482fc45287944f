import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  occurredAtOf,
  validateEventTimes,
  withPlausibleTimes,
} from '../../../functions/ingest/events/eventTimes.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { someEvent } from '../../support/client.ts';

const NOW = Date.parse('2026-05-31T12:00:00Z');
const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
const eventAt = (ingested: number, occurred?: number): InvocationEvent =>
  InvocationEvent.parse(
    someEvent({
      ingestion_timestamp: at(ingested),
      ...(occurred !== undefined && { occurred_at: at(occurred) }),
    }),
  );
const pointersOf = (event: InvocationEvent, now = NOW) =>
  validateEventTimes(event, now).map(({ pointer }) => pointer);

/** 13 calendar months before, the 31st of April being the 1st of May. */
const EARLIEST = Date.parse('2025-05-01T12:00:00Z');
const LATEST = NOW + 600_000;

describe('validateEventTimes', () => {
  it.each([
    ['the oldest allowed', EARLIEST],
    ['the latest allowed', LATEST],
    ['the current', NOW],
  ])('accepts %s time', (_, time) => {
    expect(pointersOf(eventAt(time, time))).toEqual([]);
  });

  it.each([
    ['too old', EARLIEST - 1],
    ['years old', Date.parse('2020-01-01T00:00:00Z')],
  ])('reports each time member that is %s', (_, time) => {
    expect(pointersOf(eventAt(time))).toEqual(['/ingestion_timestamp']);
    expect(pointersOf(eventAt(NOW, time))).toEqual(['/occurred_at']);
    expect(pointersOf(eventAt(time, time))).toEqual(['/ingestion_timestamp', '/occurred_at']);
  });

  it('compares instants independent of the UTC offset', () => {
    const time = fc.date({ min: new Date(EARLIEST), max: new Date(LATEST), noInvalidDate: true });
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 });

    fc.assert(
      fc.property(time, minutes, (time, minutes) => {
        const sign = minutes < 0 ? '-' : '+';
        const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const offset = `${sign}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        const local = at(time.getTime() + minutes * 60_000).replace('Z', offset);

        const event = InvocationEvent.parse(someEvent({ ingestion_timestamp: local }));

        expect(occurredAtOf(event)).toBe(time.getTime());
        expect(pointersOf(event)).toEqual([]);
      }),
    );
  });

  it('uses occurred_at, or ingestion_timestamp when it is missing', () => {
    expect(occurredAtOf(eventAt(NOW, NOW - 5_000))).toBe(NOW - 5_000);
    expect(occurredAtOf(eventAt(NOW))).toBe(NOW);
  });
});

describe('a time that no clock can show', () => {
  it.each([
    ['ahead of the arrival', LATEST + 1],
    ['before there were such calls', Date.parse('2019-12-31T23:59:59Z')],
    ['in 1970, as of a clock that was never set', 0],
  ])('is replaced by the arrival, and kept as reported: %s', (_, time) => {
    const sent = eventAt(NOW, time);

    expect(withPlausibleTimes(sent, NOW)).toEqual({
      event: { ...sent, occurred_at: at(NOW), reported_time: at(time) },
      warnings: [
        { pointer: '/occurred_at', detail: expect.stringContaining('The time of arrival was used') },
      ],
    });
    expect(withPlausibleTimes(eventAt(time), NOW)).toMatchObject({
      event: { ingestion_timestamp: at(NOW), occurred_at: at(NOW), reported_time: at(time) },
      warnings: [{ pointer: '/ingestion_timestamp' }],
    });
  });

  it('changes nothing that was replaced before', () => {
    const { event } = withPlausibleTimes(eventAt(LATEST + 1), NOW);

    expect(withPlausibleTimes(event, NOW)).toEqual({ event, warnings: [] });
  });

  it('leaves plausible times as they are', () => {
    const event = eventAt(LATEST, EARLIEST);

    expect(withPlausibleTimes(event, NOW)).toEqual({ event, warnings: [] });
  });
});

describe('InvocationEvent', () => {
  const faultsOf = (members: Record<string, unknown>) =>
    InvocationEvent.safeParse(someEvent(members)).error?.issues.map(({ path }) => path.join('.')) ?? [];

  it.each(['0', '0.5', '12.000000000001', '999999999999999999', '0.000000000000'])(
    'may cost %s',
    (amount) => {
      expect(faultsOf({ estimated_cost_usd: amount })).toEqual([]);
    },
  );

  it.each([
    ...[0, 0.1, 1, -1, true, null, {}, []],
    ...[
      '',
      ' 1',
      '1 ',
      '+1',
      '-1',
      '-0',
      '1e3',
      '1E-3',
      '.5',
      '1.',
      '01',
      '00',
      '0x1',
      '1,5',
      '1_000',
      'NaN',
      'Infinity',
    ],
    ...['0.0000000000001', '1000000000000000000', '١', '１', '1\n'],
  ])('rejects a cost of %j', (amount) => {
    expect(faultsOf({ estimated_cost_usd: amount })).toEqual(['estimated_cost_usd']);
    expect(faultsOf({ energy_wh: amount, carbon_gco2e: amount }).sort()).toEqual([
      'carbon_gco2e',
      'energy_wh',
    ]);
    expect(faultsOf({ cost_breakdown: { output: amount } })).toEqual(['cost_breakdown.output']);
  });

  it.each([-1, 0.5, 1e10, '7', null, 2 ** 53])('rejects a token count of %j', (count) => {
    expect(faultsOf({ input_tokens: count })).toContain('input_tokens');
  });

  it.each([
    ['more cached than read', { input_tokens: 10, cached_input_tokens: 11 }, ['cached_input_tokens']],
    [
      'more cached and written than read',
      { input_tokens: 10, cached_input_tokens: 6, cache_write_tokens: 5 },
      ['cached_input_tokens'],
    ],
    ['more thought than generated', { output_tokens: 10, reasoning_tokens: 11 }, ['reasoning_tokens']],
    ['as much cached as read', { input_tokens: 10, cached_input_tokens: 6, cache_write_tokens: 4 }, []],
  ])('validates the members of an event with %s', (_, members, faults) => {
    expect(faultsOf(members)).toEqual(faults);
  });

  it('normalizes the event id to lower case', () => {
    const id = '6F1F8F2E-8C61-4A0E-9B43-0D7F5B1F1C11';

    expect(InvocationEvent.parse(someEvent({ event_id: id })).event_id).toBe(id.toLowerCase());
  });
});
