import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../functions/http/problem.ts';
import { type Reply, reply } from '../../functions/http/reply.ts';
import type { ClaimResult, IdempotencyStore } from '../../functions/idempotency/store.ts';
import { NOW, type Outcome, serve, someRoute } from './harness.ts';

const ingesting = someRoute({ method: 'POST', rate: 'ingest' });

/** One call whose key is found as `result` says; what the store heard, and when the operation thinks it came. */
const call = async (
  result: ClaimResult | Error,
  run: () => Reply = () => reply(202, { status: 'queued' }),
  release: () => Promise<void> = async () => undefined,
) => {
  const heard: string[] = [];
  const instants: number[] = [];
  const claims: IdempotencyStore = {
    claim: async () => {
      heard.push('claim');
      if (result instanceof Error) throw result;
      return result;
    },
    release: async () => {
      heard.push('release');
      await release();
    },
  };
  const outcome: Outcome = await serve(
    ingesting,
    ({ receivedAt }) => {
      heard.push('run');
      instants.push(receivedAt);
      return run();
    },
    { headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'a-key' } },
    { claims },
  );
  return { ...outcome, heard, instants };
};
const refuse = () => {
  throw new ProblemError('VALIDATION_FAILED', 'What happened.');
};

describe('an event that comes', () => {
  it('for the first time has its key claimed before anything is sent', async () => {
    const { status, headers, heard, instants } = await call({ kind: 'first' });

    expect([status, heard, instants]).toEqual([202, ['claim', 'run'], [NOW]]);
    expect(headers).not.toHaveProperty('idempotency-replayed');
    expect(headers).not.toHaveProperty('degraded');
  });

  it('again is sent again, judged as of its first arrival, and marked', async () => {
    const { status, headers, heard, instants } = await call({ kind: 'repeat', receivedAt: NOW - 5_000 });

    expect([status, heard, instants]).toEqual([202, ['claim', 'run'], [NOW - 5_000]]);
    expect(headers['idempotency-replayed']).toBe('true');
  });

  it('under the key of another is refused, and not sent', async () => {
    const { status, body, heard } = await call({ kind: 'conflict' });

    expect([status, body['error_code'], heard]).toEqual([422, 'IDEMPOTENCY_CONFLICT', ['claim']]);
  });

  it('and is refused gives its key back', async () => {
    const { status, heard } = await call({ kind: 'first' }, refuse);

    expect([status, heard]).toEqual([422, ['claim', 'run', 'release']]);
  });

  it('and is refused is told why, also when its key cannot be given back', async () => {
    const { body } = await call({ kind: 'first' }, refuse, async () => {
      throw new Error('the table is down');
    });

    expect(body['error_code']).toBe('VALIDATION_FAILED');
  });

  it('again and is refused leaves the key to whoever claimed it, and is no replay', async () => {
    const { status, heard, headers } = await call({ kind: 'repeat', receivedAt: NOW }, refuse);

    expect([status, heard]).toEqual([422, ['claim', 'run']]);
    expect(headers).not.toHaveProperty('idempotency-replayed');
  });

  it('while the store is down is sent all the same, and the answer says so', async () => {
    const { status, headers, heard } = await call(new Error('the table is down'));

    expect([status, heard, headers['degraded']]).toEqual([202, ['claim', 'run'], 'idempotency']);
  });
});
