import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { anomalyDetectionStore, findingReader } from '../../../functions/insight/anomalies/anomaly.store.ts';
import listAnomalies from '../../../functions/insight/anomalies/listAnomalies.ts';
import { muteStore } from '../../../functions/insight/anomalies/mutes/mute.store.ts';
import muteAnomaly from '../../../functions/insight/anomalies/mutes/muteAnomaly.ts';
import { withMute } from '../../../functions/insight/anomalies/mutes/mutes.ts';
import unmuteAnomaly from '../../../functions/insight/anomalies/mutes/unmuteAnomaly.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import {
  type Anomaly,
  type AnomalyMute,
  MUTE_DAYS_MAXIMUM,
  MUTES_MAXIMUM,
} from '../../../schemas/insight/anomalies.ts';
import { muteAnomaly as muteRoute } from '../../../schemas/routes/insight/anomalies.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';
import { anAnomaly } from '../../support/anomalies.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { aGroup } from '../budgets/rollupFixtures.ts';
import { startDetection } from './harness.ts';

/** A Wednesday. */
const NOON = Date.parse('2026-05-20T12:00:00Z');
const SPIKES = [NOON, NOON + 6 * LENGTH.hour];
const afterHour = (hour: number): number => hour + LENGTH.hour + 11 * LENGTH.minute;

let tenant: Tenant;
let now: number;
const live = await startTables();
afterAll(() => live.stop());
beforeEach(() => {
  tenant = newTenant({ residency: ['eu', 'us'] });
  now = NOON;
});

const stores = {
  audit: auditLog('audit'),
  findings: findingReader('anomalies'),
  mutes: muteStore('anomalies'),
  cursorKey: async () => new Uint8Array(32),
};
const operations = {
  list: listAnomalies(stores),
  mute: muteAnomaly(stores),
  unmute: unmuteAnomaly(stores),
};
const call = (
  name: keyof typeof operations,
  sent: Omit<TenantRequest, 'tenant'> = {},
  scopes: readonly Scope[] = ['admin:config', 'read:reporting'],
) => callAsTenant(operations[name], { tenant, ...sent }, { scopes, clock: () => now });
const inDays = (days: number): string => new Date(now + days * LENGTH.day).toISOString();
const seed = async (members: Partial<Anomaly> = {}): Promise<Anomaly> => {
  const anomaly = anAnomaly(tenant.tag, NOON - LENGTH.day, members);
  await commit(anomalyDetectionStore('anomalies').put(tenant.tenant_id, anomaly, null));
  return anomaly;
};
const mutedTimes = async (): Promise<unknown[]> => {
  const { data } = (await call('list')).body;
  return Array.isArray(data) ? data.map(({ muted_until: until }) => until) : [];
};

describe('a muted series', () => {
  const traffic = (hour: number) =>
    ['ads', 'mail', 'search'].map((name) =>
      aGroup(name === 'search' && SPIKES.includes(hour) ? '80' : '10', {
        owner: `team-${name}`,
        service: name,
        calls: 100,
      }),
    );
  const detect = (hour: number) => startDetection(() => traffic).detect(tenant, afterHour(hour));
  const eventCount = async (): Promise<number> => (await live.eventsOf(tenant)).length;

  it('raises no event, and its anomalies are listed with the time until which it is muted', async () => {
    const { id } = await seed({ value: 'search' });
    const until = inDays(1);
    await call('mute', { id, body: { days: 1 } });

    for (const hour of SPIKES) await detect(hour);

    expect(await eventCount()).toBe(0);
    expect(await mutedTimes()).toEqual([until, until, until]);
  });

  it('raises events again when its time is over, or when it is unmuted', async () => {
    const { id } = await seed({ value: 'search' });
    const [first = 0, second = 0] = SPIKES;
    now = first - LENGTH.day;
    await call('mute', { id, body: { days: 1 } });
    now = second;
    await detect(first);
    const afterTime = await eventCount();
    await call('mute', { id, body: { days: 7 } });
    await call('unmute', { id });
    await detect(second);

    expect([afterTime, await eventCount()]).toEqual([1, 2]);
    expect(await mutedTimes()).toEqual([null, null, null]);
  });

  it('does not mute another service, the service of the same name as an owner, or another lane', async () => {
    for (const members of [
      { value: 'mail' },
      { dimension: 'owner', value: 'search' },
      { value: 'search', residency: 'eu' },
    ] as const) {
      const hour = NOON - LENGTH.day - members.value.length * LENGTH.hour - Object.keys(members).length;
      const anomaly = anAnomaly(tenant.tag, hour, members);
      await commit(anomalyDetectionStore('anomalies').put(tenant.tenant_id, anomaly, null));
      await call('mute', { id: anomaly.id, body: { days: 1 } });
    }

    await detect(NOON);

    expect(await eventCount()).toBe(1);
  });
});

describe('PUT /api/v1/anomalies/{id}/mute', () => {
  it('answers with the series, replaces an earlier mute and is audited', async () => {
    const { id } = await seed({ value: 'search' });

    await call('mute', { id, body: { days: 1 } });
    const { status, body } = await call('mute', { id, body: { days: 2, reason: 'Backfill' } });

    expect(status).toBe(200);
    expect(muteRoute.replies[200].body.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      dimension: 'service',
      value: 'search',
      residency: null,
      until: inDays(2),
      reason: 'Backfill',
    });
    expect((await stores.mutes.find(tenant.tenant_id)).document).toEqual([body]);
    expect(await live.auditOf(tenant)).toMatchObject([
      { action: 'anomaly.mute', resource: id },
      { action: 'anomaly.mute', resource: id },
    ]);
  });

  it.each([
    ['no day', () => ({ days: 0 })],
    ['more than the longest time', () => ({ days: MUTE_DAYS_MAXIMUM + 1 })],
    ['no time', () => ({})],
    ['a secret in the reason', () => ({ days: 1, reason: 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa' })],
  ])('refuses %s', async (_, body) => {
    const { id } = await seed();

    const refused = await call('mute', { id, body: body() });

    expect([refused.status, refused.body['error_code']]).toEqual([422, 'VALIDATION_FAILED']);
    expect(await mutedTimes()).toEqual([null]);
  });

  it('refuses an unknown anomaly, one of another lane, and a caller without read:reporting', async () => {
    const { id } = await seed({ residency: 'eu' });
    const body = { days: 1 };
    const unknown = anAnomaly(tenant.tag, NOON).id;

    const answers = [
      await call('mute', { id: unknown, body }),
      await call('mute', { id, body, residency: 'us' }),
      await call('unmute', { id, residency: 'us' }),
      await call('mute', { id, body }, ['admin:config']),
    ];

    expect(answers.map(({ body: { error_code: code } }) => code)).toEqual([
      'NOT_FOUND',
      'RESIDENCY_BLOCKED',
      'RESIDENCY_BLOCKED',
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await mutedTimes()).toEqual([null]);
  });

  it(`refuses more than ${MUTES_MAXIMUM} series, and forgets those whose time is over`, () => {
    const muteOf = (value: string, days: number): AnomalyMute => ({
      dimension: 'service',
      value,
      residency: null,
      until: inDays(days),
      muted_by: 'key_1',
      muted_at: inDays(0),
    });
    const full = Array.from({ length: MUTES_MAXIMUM }, (_, index) => muteOf(`service-${index}`, 1));

    expect(() => withMute(full, muteOf('one-more', 1), now)).toThrow('Too many muted series');
    expect(withMute(full, muteOf('service-7', 2), now)).toHaveLength(MUTES_MAXIMUM);
    expect(withMute(full, muteOf('one-more', 2), now + LENGTH.day)).toHaveLength(1);
  });
});
