import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrubEvent } from '../../../functions/ingest/events/contentScrubber.ts';
import { findDroppedMembers } from '../../../functions/ingest/events/droppedMembers.ts';
import { scrubData } from '../../../functions/insight/coverage/signals/scrubData.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { secretsByKind } from '../../schemas/secretKinds.ts';
import { someEvent } from '../../support/client.ts';

/** Short enough for the shortest label. */
const secrets = fc
  .oneof(...secretsByKind.map(([kind, arbitrary]) => arbitrary.map((secret) => ({ kind, secret }))))
  .filter(({ secret }) => secret.length <= 60);
const optionalLabels = [
  ...[
    'attributed_identity',
    'attributed_service',
    'api_key_name',
    'source_system',
    'k8s_namespace',
    'k8s_workload',
  ],
  ...['k8s_cluster', 'served_model', 'region', 'operation', 'trace_id', 'span_id', 'parent_span_id'],
];
const requiredLabels = ['provider', 'requested_model', 'ingestion_layer'];
const PROSE = 'please summarize the attached contract and list each risk that our legal team must review now';

describe('a secret in an optional label', () => {
  it('is dropped with the kind of secret, and the event stays valid', () => {
    fc.assert(
      fc.property(fc.constantFrom(...optionalLabels), secrets, (name, { kind, secret }) => {
        const sent = someEvent({ [name]: secret });

        const event = InvocationEvent.parse(sent);
        const dropped = findDroppedMembers(sent, event, []);

        expect(JSON.stringify([event, dropped])).not.toContain(secret);
        expect(dropped.scrubbed).toEqual([name]);
        expect(dropped.warnings).toEqual([{ pointer: `/${name}`, detail: expect.stringContaining(kind) }]);
        expect(event).toMatchObject({
          event_id: sent['event_id'],
          input_tokens: 1_000,
          requested_model: 'gpt-4o',
        });
      }),
    );
  });

  it('is dropped from a SPIFFE id and from a list of tags, which keeps the other tags', () => {
    const secret = ['sk', 'ant', 'api03', 'a'.repeat(40)].join('-');
    const sent = someEvent({
      spiffe_id: `spiffe://prod.example.org/ns/${secret}`,
      tags: ['prod', secret, 'eu'],
    });

    const event = InvocationEvent.parse(sent);

    expect(event.tags).toEqual(['prod', 'eu']);
    expect(event.spiffe_id).toBeUndefined();
    expect(findDroppedMembers(sent, event, [])).toMatchObject({
      scrubbed: ['spiffe_id', 'tags'],
      warnings: [{ pointer: '/spiffe_id' }, { pointer: '/tags/1' }],
    });
  });
});

describe('a secret in a required label', () => {
  it('makes the event invalid with the member and the kind of secret, never with the value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...requiredLabels), secrets, (name, { kind, secret }) => {
        const { error } = InvocationEvent.safeParse(someEvent({ [name]: secret }));

        expect(error?.issues).toMatchObject([{ path: [name], message: expect.stringContaining(kind) }]);
        expect(JSON.stringify(error?.issues)).not.toContain(secret);
      }),
    );
  });

  it('is not stored with the dead letter of the event', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('event_id', ...requiredLabels, ...optionalLabels),
        secrets,
        (name, { secret }) => {
          const kept = scrubEvent(someEvent({ [name]: secret, tags: [secret] }));

          expect(JSON.stringify(kept)).not.toContain(secret);
        },
      ),
    );
  });
});

it('drops secrets from the values and member names of CloudEvents of unknown types', () => {
  fc.assert(
    fc.property(secrets, ({ secret }) => {
      const kept = scrubData({ gateway: 'eu-1', note: secret, list: [secret], [secret]: 1 });

      expect(kept).toEqual({ gateway: 'eu-1', list: [] });
    }),
  );
});

it('drops prose from an optional label, and names the word limit', () => {
  const sent = someEvent({ attributed_service: PROSE });

  const event = InvocationEvent.parse(sent);

  expect(event.attributed_service).toBeUndefined();
  expect(findDroppedMembers(sent, event, [])).toEqual({
    scrubbed: ['attributed_service'],
    warnings: [{ pointer: '/attributed_service', detail: 'must have at most 12 words' }],
  });
});

it('reports nothing for an event without such labels', () => {
  const sent = someEvent({ tags: ['prod'], prompt: 'secret text' });

  expect(findDroppedMembers(sent, InvocationEvent.parse(sent), [])).toEqual({ scrubbed: ['prompt'] });
});
