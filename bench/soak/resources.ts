import type { Draws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';

type Members = Readonly<Record<string, unknown>>;

/** What changes create, change and delete. None of it changes what a call costs. */
export interface Resource {
  readonly path: string;
  /** The actions in the audit log, of changes that the mix makes. */
  readonly actions: Readonly<Partial<Record<'create' | 'update' | 'delete', string>>>;
  /** The members of a new one. `name` is that of no other. */
  readonly create: (name: string, receiver: string) => Members;
  /** Members of a change, which the list shows as they are sent. */
  readonly update?: (draws: Draws) => Members;
  /** Whether a row of the list is of one that exists. Default: every row is. */
  readonly exists?: (row: Members) => boolean;
  /** Its id, if the response to its creation does not have it. */
  readonly idOf?: (name: string) => string;
}

const BILLED_DAY = '2026-01-05';

export const resources: Readonly<Record<string, Resource>> = {
  budget: {
    path: '/api/v1/budgets',
    actions: { create: 'budget.create', update: 'budget.update', delete: 'budget.delete' },
    create: (name) => ({ name, ceiling_usd: '1000000', period: 'rolling_30d', scope: {} }),
    update: (draws) => ({ ceiling_usd: draws.pick(['2000000', '3000000', '4000000']) }),
  },
  mapping: {
    path: '/api/v1/identity/mappings',
    actions: {
      create: 'identity_mapping.create',
      update: 'identity_mapping.update',
      delete: 'identity_mapping.delete',
    },
    create: (name) => ({
      name,
      conditions: [{ field: 'api_key_name', operator: 'exact', value: name }],
      owner: 'team-mapped',
    }),
    update: (draws) => ({ owner: draws.pick(['team-one', 'team-two', 'team-three']) }),
  },
  key: {
    path: '/api/v1/api-keys',
    actions: { create: 'api_key.create', delete: 'api_key.revoke' },
    create: (name) => ({ name, scopes: ['ingest:write'] }),
    exists: ({ revoked_at: revoked }) => revoked === null,
  },
  webhook: {
    path: '/api/v1/webhooks',
    actions: { create: 'webhook.create', update: 'webhook.update', delete: 'webhook.delete' },
    create: (name, receiver) => ({ url: `${receiver}/${name}`, events: ['export.completed'] }),
    update: (draws) => ({ description: draws.pick(['one', 'two', 'three']) }),
  },
  bill: {
    path: '/api/v1/reconciliation/bills',
    actions: { create: 'bills.import', delete: 'bills.delete' },
    create: (name) => ({
      delivery: { id: name, provider: 'OpenAI', from: BILLED_DAY, to: '2026-01-06', account: name },
      complete: true,
      rows: [
        {
          BilledCost: '12.345',
          BillingCurrency: 'USD',
          ServiceProviderName: 'OpenAI',
          BillingAccountId: name,
          ChargePeriodStart: `${BILLED_DAY}T00:00:00Z`,
          ChargePeriodEnd: '2026-01-06T00:00:00Z',
          SkuId: 'gpt-4o-2024-08-06',
          SkuMeter: 'Input Tokens',
        },
      ],
    }),
    idOf: (name) => name,
  },
};
