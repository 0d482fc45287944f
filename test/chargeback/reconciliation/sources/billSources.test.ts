import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { BILL_SOURCES_MAXIMUM } from '../../../../schemas/chargeback/billSources.ts';
import { newTenant } from '../../../support/tenants.ts';
import { KEY, NOW, startSourceHarness } from './sourceHarness.ts';

let tenant: Tenant;

const world = await startSourceHarness();
afterAll(() => world.stop());
afterEach(() => vi.restoreAllMocks());
beforeEach(() => {
  tenant = world.newTest();
});

const body = { provider: 'openai', name: 'OpenAI', credential: KEY };
const sealed = Buffer.from(KEY).toString('base64');

describe('POST /api/v1/bill-sources', () => {
  it('returns the source that was not imported yet, without its credential', async () => {
    const answer = await world.call('createBillSource', { tenant, body });

    const at = new Date(NOW).toISOString();
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.stringMatching(`^bls_${tenant.tag}`),
        provider: 'openai',
        name: 'OpenAI',
        account: null,
        data_export: null,
        exchange_rates: null,
        status: 'pending',
        last_success_at: null,
        last_error: null,
        next_import_at: at,
        imported_until: null,
        published_until: null,
        unread_days: [],
        is_late: false,
        created_at: at,
        updated_at: at,
      },
    ]);
  });

  it('stores the credential encrypted, and nowhere else', async () => {
    await world.create(tenant);

    expect(await world.stored(tenant)).toMatchObject([{ sealed_credential: sealed }]);
    expect(await world.live.everything('billSources', 'audit', 'idempotency')).not.toContain(KEY);
    expect(await world.live.auditOf(tenant)).toMatchObject([{ action: 'bill_source.create' }]);
  });

  it('returns the first response to a repeated call, and creates one source', async () => {
    const key = randomUUID();
    const [first, again] = [
      await world.call('createBillSource', { tenant, body, key }),
      await world.call('createBillSource', { tenant, body, key }),
    ];

    expect(again.body).toEqual(first.body);
    expect(await world.stored(tenant)).toHaveLength(1);
  });

  // A source without the name of an account reads the only account of its provider.
  it.each([
    [undefined, undefined],
    ['research', undefined],
    [undefined, 'research'],
    ['research', 'research'],
  ])('returns CONFLICT for a source that would count the same bills: %s beside %s', async (second, first) => {
    const account = (name: string | undefined) => (name === undefined ? {} : { account: name });
    await world.create(tenant, account(first));

    const same = await world.call('createBillSource', { tenant, body: { ...body, ...account(second) } });
    const others = await Promise.all([
      world.create(tenant, { provider: 'anthropic' }),
      ...(first === undefined ? [] : [world.create(tenant, { account: 'production' })]),
    ]);

    expect([same.status, same.body['error_code']]).toEqual([409, 'CONFLICT']);
    expect(others).not.toHaveLength(0);
  });

  it('returns CONFLICT for a sandbox tenant', async () => {
    const answer = await world.call('createBillSource', { tenant: { ...tenant, sandbox: true }, body });

    expect(answer.body['error_code']).toBe('CONFLICT');
  });

  it('returns RESIDENCY_BLOCKED to a credential that is bound to a lane', async () => {
    const bound = { ...tenant, residency: ['eu'] };

    const answer = await world.call('createBillSource', { tenant: bound, residency: 'eu', body });

    expect(answer.body['error_code']).toBe('RESIDENCY_BLOCKED');
  });

  it('returns VALIDATION_FAILED beyond the limit of a tenant', async () => {
    for (let count = 0; count < BILL_SOURCES_MAXIMUM; count += 1) {
      await world.create(tenant, { account: `account ${count}` });
    }

    const answer = await world.call('createBillSource', { tenant, body });

    expect([answer.status, answer.body['error_code']]).toEqual([422, 'VALIDATION_FAILED']);
  });

  it.each([
    ['short', 'a key'],
    ['with a line break', `${KEY}\n`],
    ['with a letter outside ASCII', `${KEY}é`],
  ])('refuses a credential %s without repeating it', async (_, credential) => {
    const answer = await world.call('createBillSource', { tenant, body: { ...body, credential } });

    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain(credential.slice(0, 10));
    expect(answer.body['errors']).toMatchObject([{ pointer: '/credential' }]);
  });
});

describe('GET /api/v1/bill-sources', () => {
  it('lists the sources of the tenant in pages, newest first', async () => {
    const names: string[] = [];
    for (const account of ['one', 'two', 'three']) {
      world.time.now += 1;
      await world.create(tenant, { account, name: account });
    }
    await world.create(newTenant());

    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body: page } = await world.call('listBillSources', {
        tenant,
        query: { limit: '2', ...(cursor !== '' && { cursor }) },
      });
      const { data } = Object(page);
      names.push(...data.map(({ name }: { name: string }) => name));
      cursor = Object(page['page']).next_cursor;
    }

    expect(names).toEqual(['three', 'two', 'one']);
  });
});

describe('PATCH /api/v1/bill-sources/{id}', () => {
  it('replaces the credential, which no response or row contains', async () => {
    const { id } = await world.create(tenant);
    const credential = 'another-admin-key';

    const answer = await world.call('updateBillSource', { tenant, id, body: { credential, name: 'New' } });

    expect(answer.body).toMatchObject({ id, name: 'New', status: 'pending' });
    expect(JSON.stringify(answer.body)).not.toContain(credential);
    expect(await world.live.everything('billSources', 'audit', 'idempotency')).not.toContain(credential);
    expect(await world.stored(tenant)).toMatchObject([
      { sealed_credential: Buffer.from(credential).toString('base64') },
    ]);
  });

  it('cannot change the provider or the account', async () => {
    const { id } = await world.create(tenant);

    for (const change of [{ provider: 'anthropic' }, { account: 'research' }]) {
      expect((await world.call('updateBillSource', { tenant, id, body: change })).status).toBe(422);
    }
  });
});

describe('DELETE /api/v1/bill-sources/{id}', () => {
  it('deletes the credential, and frees the account and a place in the limit', async () => {
    const { id } = await world.create(tenant);

    const answer = await world.call('deleteBillSource', { tenant, id });

    expect(answer.status).toBe(204);
    expect((await world.call('getBillSource', { tenant, id })).status).toBe(404);
    expect(
      JSON.stringify(await world.live.documents('billSources', `deleted#${tenant.tenant_id}`)),
    ).not.toContain(sealed);
    expect((await world.create(tenant)).status).toBe('pending');
  });
});
