import { afterAll, describe, expect, it } from 'vitest';
import {
  credentialReader,
  credentialWriter,
} from '../../../functions/identity/access/principals/credential.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { byClient, keyIdOf, storeClient, storeKey } from '../../delivery/webhooks/authorizing.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';

const live = await startTables();
afterAll(() => live.stop());

/** What readers find whatever copy they draw: one text for each different answer. */
const answers = async (read: (reader: ReturnType<typeof credentialReader>) => Promise<object | null>) => {
  const draws = Array.from({ length: 64 }, (_, index) => index / 64);
  const found = await Promise.all(draws.map((draw) => read(credentialReader('access', () => draw))));
  return [...new Set(found.map((document) => JSON.stringify(document)))].map((text) => JSON.parse(text));
};

describe('the copies of a credential', () => {
  it('say the same of an API key after its creation and its revocation', async () => {
    const tenant = newTenant();
    const read = () => answers(({ apiKey }) => apiKey(keyIdOf(tenant)));

    await storeKey(tenant);
    const created = await read();
    await storeKey(tenant, { revoked_at: '2026-05-01T00:00:00.000Z' });

    expect(created).toEqual([expect.objectContaining({ key_id: keyIdOf(tenant), revoked_at: null })]);
    expect(await read()).toEqual([expect.objectContaining({ revoked_at: '2026-05-01T00:00:00.000Z' })]);
  });

  it('say the same of an OAuth client after its creation and its deletion', async () => {
    const tenant = newTenant();
    const read = () => answers(({ client }) => client(byClient(tenant).id));

    await storeClient(tenant);
    const created = await read();
    await storeClient(tenant, { deleted_at: '2026-05-01T00:00:00.000Z' });

    expect(created).toEqual([expect.objectContaining({ deleted_at: null })]);
    expect(await read()).toEqual([expect.objectContaining({ deleted_at: '2026-05-01T00:00:00.000Z' })]);
  });

  it('all keep what they say when a change is based on an older version', async () => {
    const tenant = newTenant();
    await storeKey(tenant);
    const writer = credentialWriter('access');
    const before = await writer.apiKey(keyIdOf(tenant));
    if (before === null) throw new Error('The key is stored.');
    await storeKey(tenant, { name: 'Renamed' });

    const isWritten = await commit(
      writer.putApiKey(before.document, {
        expectedRevision: before.revision,
        by: { claim: 'late', attempt: 1 },
      }),
    );

    expect(isWritten).toBe(false);
    expect(await answers(({ apiKey }) => apiKey(keyIdOf(tenant)))).toEqual([
      expect.objectContaining({ name: 'Renamed' }),
    ]);
  });

  it('are in partitions of their own, and the list of a tenant has each key once', async () => {
    const tenant = newTenant();
    await storeKey(tenant);

    expect(await live.documents('access', `key#${tenant.tag}`)).toHaveLength(1);
    expect(await live.documents('access', `key#${tenant.tag}#1`)).toHaveLength(1);
  });
});
