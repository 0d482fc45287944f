import { randomBytes, randomUUID } from 'node:crypto';
import { deliveryLogReader } from '../../../functions/delivery/webhooks/deliveries/deliveryLog.store.ts';
import type { DeliveryMessage } from '../../../functions/delivery/webhooks/deliveries/deliveryMessage.ts';
import {
  endpointReader,
  endpointStateStore,
  endpointWriter,
  type StoredEndpoint,
} from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import type { EndpointState } from '../../../functions/delivery/webhooks/endpoints/endpointState.ts';
import { sealSecrets } from '../../../functions/delivery/webhooks/endpoints/seal.ts';
import type { SigningSecrets } from '../../../functions/delivery/webhooks/endpoints/signature.ts';
import { createEvent } from '../../../functions/platform/outbox/createEvent.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { newTenant } from '../../support/tenants.ts';
import { authorizationOf, keyIdOf, storeKey } from './authorizing.ts';

export const KEY = randomBytes(32);
export const SECRET = 'whsec_test-0123456789abcdef';

/** The queue message for the first attempt to deliver an event to an endpoint. */
export const messageFor = (
  event: Pick<RaisedEvent, 'id' | 'tenant_id'>,
  endpointId: string,
): DeliveryMessage => ({
  tenant_id: event.tenant_id,
  endpoint: endpointId.slice(-26),
  dedup_key: event.id.slice(-26),
  attempt: 0,
  deferrals: 0,
});

/** Tenants with endpoints and events, stored in the test tables. */
export const deliveryFixtures = (time: { readonly now: number }) => {
  const fixtures = {
    newTenant,
    /** Stores an endpoint directly, verified unless `members` says otherwise. */
    register: async (
      tenant: Tenant,
      members: Partial<StoredEndpoint> = {},
      secrets: SigningSecrets = { current: SECRET, previous: null },
    ): Promise<StoredEndpoint> => {
      const id = idOf('whe', tenant.tag, ulidOf(time.now, randomBytes(10)));
      const verified: EndpointState = { status: 'verified', failing_since: null };
      const endpoint: StoredEndpoint = {
        id,
        url: `https://hooks.example/${id}`,
        description: null,
        events: ['apikey.rotated', 'webhook.disabled'],
        max_batch_size: 1,
        state: verified,
        sealed_secrets: sealSecrets(secrets, id, KEY, randomBytes),
        sealed_challenge: null,
        secret_rotated_at: null,
        previous_secret_valid_until: null,
        created_at: new Date(time.now).toISOString(),
        updated_at: new Date(time.now).toISOString(),
        created_by: keyIdOf(tenant),
        authorized_by: authorizationOf(tenant),
        ...members,
      };
      if (members.authorized_by === undefined) await storeKey(tenant);
      const store = endpointWriter('webhooks');
      const found = await store.find(tenant.tenant_id, id);
      await commit(store.change(tenant.tenant_id, found, endpoint, { claim: randomUUID(), attempt: 1 }));
      return endpoint;
    },
    endpoint: (tenant: Tenant, { id }: Pick<StoredEndpoint, 'id'>) =>
      endpointReader('webhooks').endpoint(tenant.tenant_id, id),
    replace: async (tenant: Tenant, endpoint: StoredEndpoint) => {
      const store = endpointStateStore('webhooks');
      const found = await store.versioned(tenant.tenant_id, endpoint.id);
      if (found === null) throw new Error('the endpoint is not stored');
      await commit([
        store.replace(tenant.tenant_id, endpoint, found.revision, { claim: randomUUID(), attempt: 1 }),
      ]);
    },
    event: (tenant: Tenant): RaisedEvent =>
      createEvent(
        'apikey.rotated',
        {
          api_key_id: 'key_1',
          name: 'Zoë’s gateway 🌱',
          rotated_at: new Date(time.now).toISOString(),
          previous_secret_valid_until: null,
        },
        { ulid: ulidOf(time.now, randomBytes(10)), at: time.now, tenant },
      ),
    log: (tenant: Tenant, { id }: Pick<StoredEndpoint, 'id'>) =>
      deliveryLogReader('deliveries').attempts(tenant.tenant_id, id, { descending: false, limit: 100_000 }),
  };
  return {
    ...fixtures,
    /** A new tenant with a verified endpoint. */
    someone: async () => {
      const tenant = fixtures.newTenant();
      return { tenant, endpoint: await fixtures.register(tenant) };
    },
  };
};
