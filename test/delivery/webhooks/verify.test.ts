import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../../functions/delivery/webhooks/endpoints/signature.ts';
import { challengeAnswer } from '../../../sdk/typescript/webhooks/event.ts';
import {
  verifySignature,
  verifyWebhook,
  verifyWebhookEvents,
} from '../../../sdk/typescript/webhooks/verify.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const SECRET = 'whsec_own-0123456789abcdef';
const NEW_SECRET = 'whsec_new-0123456789abcdef';
const body = Buffer.from('{"id":"evt_1","type":"apikey.rotated","data":{}}');
const signed = signatureOf(body, [SECRET], NOW);
const [time = '', v1 = ''] = signed.split(',');
const other = `v1=${'0'.repeat(64)}`;

const rejection = (signature: string | null, options: { now?: number; tolerance?: number } = {}) =>
  verifySignature(
    { body, signature },
    {
      secrets: SECRET,
      now: () => options.now ?? NOW,
      ...(options.tolerance !== undefined && { toleranceSeconds: options.tolerance }),
    },
  ).then(
    () => 'accepted',
    (error) => error.reason,
  );

describe('the timestamp of a signature', () => {
  it.each([
    [-301, 'outside_tolerance'],
    [-300, 'accepted'],
    [0, 'accepted'],
    [300, 'accepted'],
    [301, 'outside_tolerance'],
  ])('%d s from now is %s', async (seconds, expected) => {
    expect(await rejection(signed, { now: NOW + seconds * 1_000 })).toBe(expected);
  });

  it('must match exactly when the tolerance is 0', async () => {
    expect(await rejection(signed, { tolerance: 0 })).toBe('accepted');
    expect(await rejection(signed, { tolerance: 0, now: NOW + 1_000 })).toBe('outside_tolerance');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1])(
    'is rejected when the tolerance is %d',
    async (tolerance) => {
      expect(await rejection(signed, { tolerance })).toBe('invalid_tolerance');
    },
  );

  it('is covered by the signature', async () => {
    expect(await rejection(signed.replace(time, `t=${NOW / 1_000 + 1}`))).toBe('no_match');
  });
});

describe('a signature header that', () => {
  it.each([
    ['is absent', null, 'malformed_header'],
    ['is empty', '', 'malformed_header'],
    ['has no time', v1, 'malformed_header'],
    ['has no signature', time, 'malformed_header'],
    ['has two times', `${time},${time},${v1}`, 'malformed_header'],
    ['has a time in milliseconds with a fraction', `t=1.5,${v1}`, 'malformed_header'],
    ['has a negative time', `t=-1,${v1}`, 'malformed_header'],
    ['has a truncated signature', `${time},${v1.slice(0, -1)}`, 'malformed_header'],
    ['has non-hexadecimal letters', `${time},v1=${'é'.repeat(64)}`, 'malformed_header'],
    ['has full-width digits', `${time},v1=${'０'.repeat(64)}`, 'malformed_header'],
    ['has a hundred signatures', [time, ...Array(99).fill(other), v1].join(','), 'malformed_header'],
    ['has nine signatures', [time, ...Array(8).fill(other), v1].join(','), 'malformed_header'],
    [
      'has eight signatures, the last of them valid',
      [time, ...Array(7).fill(other), v1].join(','),
      'accepted',
    ],
    ['has signatures of other schemes beside a valid one', `${time},v2=x,${v1},v0=y`, 'accepted'],
    ['has a valid signature under another scheme', `${time},${v1.replace('v1', 'v0')}`, 'malformed_header'],
    ['has spaces between its parts', `${time}, ${v1}`, 'accepted'],
    ['has its parts in reverse order', `${v1},${time}`, 'accepted'],
    ['has a wrong signature', `${time},${other}`, 'no_match'],
  ])('%s', async (_, header, expected) => {
    expect(await rejection(header)).toBe(expected);
  });
});

describe('verifyWebhook', () => {
  const options = { secrets: SECRET, now: () => NOW };

  it('returns the event for a body of bytes and of text', async () => {
    const expected = { id: 'evt_1', type: 'apikey.rotated', data: {} };

    expect(await verifyWebhook({ body, signature: signed }, options)).toEqual(expected);
    expect(await verifyWebhook({ body: body.toString(), signature: signed }, options)).toEqual(expected);
  });

  it('accepts any of several secrets', async () => {
    const verified = verifyWebhook(
      { body, signature: signed },
      { ...options, secrets: [NEW_SECRET, SECRET] },
    );

    expect((await verified).id).toBe('evt_1');
  });

  // A variable that is not set is undefined, which only the compiler refuses.
  const unset: string = JSON.parse('{}').SIGNING_SECRET;
  it.each<[string, string | readonly string[], string]>([
    ['unset', unset, 'undefined'],
    ['empty', '', ''],
    ['blank', ' '.repeat(40), ' '.repeat(40)],
    ['only the prefix', 'whsec_', 'whsec_'],
    ['short', 'whsec_0123456789', 'whsec_0123456789'],
    ['an empty list', [], SECRET],
    ['a list with an unset member', [SECRET, unset], 'undefined'],
    ['a list with an empty member', [SECRET, ''], ''],
    ['a list with an empty member before the right one', ['', SECRET], SECRET],
  ])('rejects every delivery when the secret is %s', async (_, secrets, forger) => {
    const signature = signatureOf(body, [forger], NOW);

    for (const received of [signature, signed, null]) {
      await expect(
        verifyWebhook({ body, signature: received }, { ...options, secrets }),
      ).rejects.toMatchObject({ name: 'WebhookVerificationError', reason: 'invalid_secret' });
    }
  });

  it.each([
    ['not JSON', Buffer.from('{')],
    ['a list of events', Buffer.from('{"events":[{"id":"evt_1","type":"apikey.rotated","data":{}}]}')],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['empty', Buffer.alloc(0)],
  ])('rejects a signed body that is %s', async (_, odd) => {
    const signature = signatureOf(odd, [SECRET], NOW);

    await expect(verifyWebhook({ body: odd, signature }, options)).rejects.toMatchObject({
      reason: 'malformed_body',
    });
  });
});

describe('verifyWebhookEvents', () => {
  const options = { secrets: SECRET, now: () => NOW };
  const one = { id: 'evt_1', type: 'apikey.rotated', data: {} };
  const verify = (content: unknown) => {
    const signedBody = Buffer.from(JSON.stringify(content));
    return verifyWebhookEvents(
      { body: signedBody, signature: signatureOf(signedBody, [SECRET], NOW) },
      options,
    );
  };

  it('returns the events of either body', async () => {
    expect(await verify(one)).toEqual([one]);
    expect(await verify({ events: [one] })).toEqual([one]);
    expect(await verify({ events: [one, { ...one, id: 'evt_2' }] })).toEqual([one, { ...one, id: 'evt_2' }]);
  });

  it('returns an event that has a member events', async () => {
    expect(await verify({ ...one, events: [] })).toEqual([{ ...one, events: [] }]);
  });

  it.each([[[]], [{ events: [] }], [{ events: [1] }], [{ events: one }], [{}], [null]])(
    'rejects the body %j',
    async (content) => {
      await expect(verify(content)).rejects.toMatchObject({ reason: 'malformed_body' });
    },
  );

  it('rejects a wrong signature', async () => {
    await expect(
      verifyWebhookEvents({ body, signature: signed }, { ...options, secrets: NEW_SECRET }),
    ).rejects.toMatchObject({ reason: 'no_match' });
  });
});

describe('challengeAnswer', () => {
  const event = { id: 'evt_1', created_at: '2026-11-21T10:00:00Z', tenant_id: 'acme', sequence: 0 };

  it('returns a JSON object with the challenge', () => {
    const answer = challengeAnswer({ ...event, type: 'webhook.verification', data: { challenge: 'c' } });

    expect(answer).toBe('{"challenge":"c"}');
  });

  it('takes the events of a request', () => {
    const challenge = { ...event, type: 'webhook.verification', data: { challenge: 'c' } };

    expect(challengeAnswer([challenge])).toBe('{"challenge":"c"}');
    expect(challengeAnswer([{ ...event, type: 'apikey.rotated', data: {} }])).toBeNull();
  });

  it.each([
    ['another event', 'apikey.rotated', { challenge: 'c' }],
    ['no challenge', 'webhook.verification', {}],
  ])('returns null for %s', (_, type, data) => {
    expect(challengeAnswer({ ...event, type, data })).toBeNull();
  });
});
