import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Probe } from '../../../../functions/platform/apiDocs/contract/probe.aws.ts';
import { readinessCheck } from '../../../../functions/platform/apiDocs/contract/readiness.ts';
import { readinessChecks } from '../../../../schemas/platform/readiness.ts';
import { type Need, needs } from '../../../../schemas/platform/resources.ts';
import { getReadiness } from '../../../../schemas/routes/platform/contract.ts';
import { authenticationNeeds } from '../../../../schemas/routes/route.ts';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const hangs: Probe = () => new Promise(() => undefined);
const fails: Probe = async () => {
  throw new Error('arn:aws:states:eu-west-1:123456789012:stateMachine:internal');
};

/** A check whose probes all respond, apart from those in `broken`. */
const prepare = (broken: Partial<Record<(typeof readinessChecks)[number], Probe>> = {}) => {
  const time = { now: 0 };
  const probe = vi.fn<Probe>(async () => undefined);
  const probes = {
    tenants: probe,
    credentials: probe,
    grants: probe,
    ledger: probe,
    ingestion: probe,
    files: probe,
    exports: probe,
    signing: probe,
  };
  const check = readinessCheck({ ...probes, ...broken }, { clock: () => time.now, timeoutMs: 50 });
  return { check, probe, time };
};

it('is ready when every dependency responds', async () => {
  const { check } = prepare();

  expect(await check()).toEqual({
    status: 'ready',
    checks: Object.fromEntries(readinessChecks.map((name) => [name, 'ok'])),
  });
});

it.each(readinessChecks)('is not ready, without the cause, when %s fails', async (name) => {
  const { check } = prepare({ [name]: fails });

  const readiness = await check();

  expect(readiness).toMatchObject({ status: 'not_ready', checks: { [name]: 'failed' } });
  expect(Object.values(readiness.checks).filter((outcome) => outcome === 'ok')).toHaveLength(
    readinessChecks.length - 1,
  );
  expect(JSON.stringify(readiness)).not.toContain('arn');
});

it('probes each table whose outage refuses every authenticated call', () => {
  // Without its table, the rate limit admits the call.
  const failsOpen: readonly Need[] = ['limits.charge'];
  const tablesOf = (names: readonly Need[]) =>
    names.flatMap((name) => ('table' in needs[name] ? needs[name].table : []));

  const required = new Set(tablesOf(authenticationNeeds.filter((name) => !failsOpen.includes(name))));

  expect(required.size).toBeGreaterThan(0);
  expect([...required].filter((table) => !tablesOf(getReadiness.needs).includes(table))).toEqual([]);
});

it('does not wait for a dependency that hangs', async () => {
  const { check } = prepare({ files: hangs, signing: hangs });
  const startedAt = performance.now();

  const { checks } = await check();

  expect([checks.files, checks.signing, checks.ledger]).toEqual(['failed', 'failed', 'ok']);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

it('probes once a second, however often it is called', async () => {
  const { check, probe, time } = prepare();

  await Promise.all(Array.from({ length: 100 }, check));
  time.now = 999;
  await check();
  const inFirstSecond = probe.mock.calls.length;
  time.now = 1_000;
  await check();

  expect([inFirstSecond, probe.mock.calls.length]).toEqual([
    readinessChecks.length,
    2 * readinessChecks.length,
  ]);
});
