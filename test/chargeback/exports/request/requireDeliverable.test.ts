import { expect, it } from 'vitest';
import {
  requireDestinationOf,
  requireMonth,
} from '../../../../functions/chargeback/exports/request/requireDeliverable.ts';
import { idOf } from '../../../../functions/platform/shared/ids.ts';

const ULID = '01M85X88B112WN140BT3ZQDZSF';
const TENANT = { tenant_id: 'acme', tag: 'b2qaibid' };
const OWN = idOf('dst', TENANT.tag, ULID);
const stored = {
  id: OWN,
  name: 'Finance',
  location: 's3://example-finance',
  region: 'us-east-1',
  role_arn: 'arn:aws:iam::111122223333:role/attribution-exports-finance',
  check: { state: 'unchecked', error: null, at: null },
  created_at: '2026-11-02T06:00:00.000Z',
  created_by: 'key',
} as const;
const destinations = { read: async (_: string, ulid: string) => (ulid === ULID ? stored : null) };
const delivery = { destination_id: OWN, name: 'chargeback' };

it.each([
  ['2026-10-01', '2026-11-01', true],
  ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', true],
  ['2026-10-01', '2026-10-31', false],
  ['2026-10-02', '2026-11-01', false],
  ['2026-10-01', '2026-12-01', false],
  ['2026-10-01T00:01:00Z', '2026-11-01', false],
])('delivers an export of one month only: from %s to %s is %s', (from, to, isMonth) => {
  const check = () => requireMonth({ delivery, period: { from, to } });

  if (isMonth) check();
  else expect(check).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  expect(() => requireMonth({ period: { from, to } })).not.toThrow();
});

it.each([
  ['its own', OWN, true],
  ['one that was deleted', idOf('dst', TENANT.tag, '01M85X88B112WN140BT3ZQDZSG'), false],
  ['one of another tenant', idOf('dst', 'aaaaaaaa', ULID), false],
  ['an id of another kind', idOf('sch', TENANT.tag, ULID), false],
])('delivers to a destination that the tenant has: %s', async (_, destination_id, isAccepted) => {
  const check = requireDestinationOf({ ...delivery, destination_id }, TENANT, destinations, '/delivery');

  if (isAccepted) await check;
  else await expect(check).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});
