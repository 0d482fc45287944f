import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Deliverable,
  serializeEnvelope,
} from '../../../../functions/delivery/webhooks/streams/envelope.ts';

const event: Deliverable = {
  id: 'evt_1',
  type: 'budget.threshold.crossed',
  created_at: '2026-11-21T10:00:00.000Z',
  tenant_id: 'acme',
  data: { threshold: 75, name: 'Zoë 🌱' },
};
const textOf = (...parameters: Parameters<typeof serializeEnvelope>) =>
  new TextDecoder().decode(serializeEnvelope(...parameters));

describe('serializeEnvelope', () => {
  it('writes members in a fixed order', () => {
    expect(textOf(event, { sequence: 7, replayed: false })).toBe(
      '{"id":"evt_1","type":"budget.threshold.crossed","created_at":"2026-11-21T10:00:00.000Z",' +
        '"tenant_id":"acme","sequence":7,"data":{"threshold":75,"name":"Zoë 🌱"}}',
    );
  });

  it('adds exactly three members of the evidence card to an attribution result', () => {
    const interpretation = {
      confidence: 0.9,
      stage_origin: 'stage_a',
      degradation_state: 'none',
      confidence_band: 'chargeback_ready',
    } as const;

    expect(textOf({ ...event, interpretation }, { sequence: 7, replayed: false })).toMatch(
      /,"interpretation":\{"stage_origin":"stage_a","confidence_band":"chargeback_ready","degradation_state":"none"\}\}$/,
    );
  });

  it('marks a replay and keeps its id and sequence', () => {
    const [first, again] = [false, true].map((replayed) =>
      JSON.parse(textOf(event, { sequence: 7, replayed })),
    );

    expect(again).toEqual({ ...first, replayed: true });
    expect(first).not.toHaveProperty('replayed');
  });

  it('marks only samples as test', () => {
    const testMembers = (['event', 'verification', 'test'] as const).map(
      (kind) => JSON.parse(textOf(event, { sequence: 7, replayed: false, kind })).test,
    );

    expect(testMembers).toEqual([undefined, undefined, true]);
  });

  it('gives the same bytes after the event was stored and read', () => {
    const data = fc.dictionary(fc.string(), fc.jsonValue());

    fc.assert(
      fc.property(data, fc.nat(), (data, sequence) => {
        const raised: Deliverable = { ...event, data };
        const read: Deliverable = JSON.parse(JSON.stringify(raised));

        expect(textOf(read, { sequence, replayed: false })).toBe(
          textOf(raised, { sequence, replayed: false }),
        );
      }),
    );
  });
});
