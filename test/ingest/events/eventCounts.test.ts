import { describe, expect, it } from 'vitest';
import { acceptEvents } from '../../../functions/ingest/events/acceptEvents.ts';
import { AcceptedMessage } from '../../../functions/ingest/events/acceptedMessage.ts';
import { checkEvent } from '../../../functions/ingest/events/checkEvent.ts';
import { countsOf } from '../../../functions/ingest/events/eventCounts.ts';
import { caller, NOW } from '../../platform/http/harness.ts';
import { someEvent } from '../../support/client.ts';

const at = new Date(NOW).toISOString();
const sent = (members: object) => ({ ...someEvent(), ingestion_timestamp: at, ...members });
const countIn = (events: readonly object[]) =>
  Object.fromEntries(
    countsOf(
      events.map((one) => checkEvent(one, NOW)),
      'key_1',
    ),
  );

describe('the counts of events', () => {
  it('name what was refused, dropped and corrected, by member and producer', () => {
    expect(
      countIn([
        sent({}),
        sent({ provider: 7, requested_model: 8 }),
        sent({ provider: '' }),
        sent({ output_tokens: 'many' }),
        sent({ output_tokens: '12', prompt: 'Hello' }),
        sent({ prompt: 'Hello', messages: [] }),
      ]),
    ).toEqual({
      'event_fault refused provider key_1': 2,
      'event_fault dropped output_tokens key_1': 1,
      'event_fault corrected output_tokens key_1': 1,
      'event_fault dropped content key_1': 2,
      dropped_members: 4,
    });
  });

  it('name no member that a sender chose', () => {
    const counts = countIn([sent({ 'alice@example.com': 'x' }), { 'bob@example.com': 1 }]);

    expect(JSON.stringify(counts)).not.toContain('example.com');
  });

  it('are sent for a request whose events are all refused, and a queue that fails changes no answer', async () => {
    const bodies: string[] = [];
    const refused = () =>
      acceptEvents(
        {
          accepted: {
            send: async (_, sentBodies) => {
              bodies.push(...sentBodies);
              throw new Error('no queue');
            },
          },
          reportProgress: async () => undefined,
        },
        [sent({ provider: 7 })],
        { caller, receivedAt: NOW },
      );

    expect((await refused()).map(({ event }) => event)).toEqual([null]);
    expect(bodies.map((body) => AcceptedMessage.parse(JSON.parse(body)))).toMatchObject([
      { events: [], counts: { 'event_fault refused provider key_1': 1 } },
    ]);
  });
});
